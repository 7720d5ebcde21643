import type { Cookie } from '../../core/call.ts'

export { cookieOf } from '@sallyport/domain/identity/cookie'

/** No script sees it, and no other site's form brings it along. */
export const cookieHeader = ({ name, value, path, maxAgeSeconds, isSecure, sameSite }: Cookie): string =>
  [
    `${name}=${value}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    `SameSite=${sameSite ?? 'Lax'}`,
    ...(isSecure ? ['Secure'] : []),
  ].join('; ')
