import type { SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { clientOf } from '@sallyport/domain/identity/client'
import type { SessionOrigin } from '../../../core/accounts/sign-in.ts'
import {
  cabinetCookieName,
  cabinetCookieOf,
  isCabinet,
  noCabinetCookie,
} from '../../../core/cabinet-cookie.ts'
import { Reply, type Services } from '../../../core/call.ts'
import { newCabinetToken } from '../../../core/kernel/tokens.ts'

interface Asking extends Pick<Services, 'vault' | 'publicUrl'> {
  readonly sessionId: string | undefined
  readonly header: (name: string) => string | undefined
  readonly cookie: (name: string) => string | undefined
}

/** Where a sign-in comes from. One that links from within the cabinet begins nothing new. */
export const originOf = (call: Asking, isLinking = false): SessionOrigin => {
  const client = clientOf(call.header('User-Agent'))
  const none = { client, cookie: undefined, formerCookie: undefined, keptSessionId: undefined }
  if (!isCabinet(call)) return none
  if (isLinking) return { ...none, keptSessionId: call.sessionId }
  const formerCookie = call.cookie(cabinetCookieName(call.publicUrl()))
  return { ...none, cookie: newCabinetToken(call.vault), formerCookie }
}

/** The answer to a sign-in, with a cookie where the cabinet asked. */
export const signedInFrom = (
  { publicUrl }: Pick<Services, 'publicUrl'>,
  { cookie }: SessionOrigin,
  signedIn: SignedIn,
): SignedIn | Reply<SignedIn> =>
  cookie === undefined ? signedIn : new Reply(signedIn, cabinetCookieOf(publicUrl(), cookie))

/** The answer to whatever ended the session it was asked with: the cabinet's cookie is worth nothing any more. */
export const signedOut = <T>(call: Omit<Asking, 'sessionId' | 'vault'>, data: T): T | Reply<T> => {
  const url = call.publicUrl()
  const hasCookie = isCabinet(call) && call.cookie(cabinetCookieName(url)) !== undefined
  return hasCookie ? new Reply(data, noCabinetCookie(url)) : data
}
