import { cabinetCookie, cabinetHeader } from '@sallyport/contract/operation'
import { refreshTtlSeconds } from './accounts/users.ts'
import type { Cookie } from './call.ts'

/** What the browser of a customer who is signed in to the cabinet comes with. */

const isHttps = (publicUrl: string): boolean => publicUrl.startsWith('https:')

/** Browsers refuse `__Host-` without TLS. */
export const cabinetCookieName = (publicUrl: string): string =>
  isHttps(publicUrl) ? cabinetCookie : cabinetCookie.replace('__Host-', '')

const cookieWith = (publicUrl: string, value: string, maxAgeSeconds: number): Cookie => ({
  name: cabinetCookieName(publicUrl),
  value,
  path: '/',
  maxAgeSeconds,
  isSecure: isHttps(publicUrl),
})

/** Kept for as long as its session lasts when nobody uses it. */
export const cabinetCookieOf = (publicUrl: string, token: string): Cookie =>
  cookieWith(publicUrl, token, refreshTtlSeconds)

export const noCabinetCookie = (publicUrl: string): Cookie => cookieWith(publicUrl, '', 0)

interface Asking {
  readonly header: (name: string) => string | undefined
}

/** Only our own pages say so: whoever else wants to has to ask the service first, and is refused (CORS). */
export const isCabinet = ({ header }: Asking): boolean => header(cabinetHeader) === '1'
