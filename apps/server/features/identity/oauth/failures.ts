import { ApiError, type ErrorName } from '@sallyport/contract/errors'
import { Redirect } from '../../../core/call.ts'
import { IdentityRefused, IdentityUnavailable } from '../../../ports/identity.ts'
import type { Log } from '../../../ports/log.ts'

/** Why a sign-in through a provider came to nothing: as an error for programs, as a word for the page to return to. */

const failures = {
  expired: ['UNAUTHORIZED', 'state', 'is unknown, used or older than 10 minutes; start again'],
  wrong_browser: ['UNAUTHORIZED', 'state', 'was begun in another browser; finish there, or start again here'],
  denied: ['UNAUTHORIZED', 'error', 'the provider was not allowed to say who you are; start again and agree'],
  refused: ['UNAUTHORIZED', 'code', 'is not an answer to this sign-in; start again'],
  signed_out: ['UNAUTHORIZED', 'state', 'the session that began this has ended; sign in and start again'],
  unavailable: [
    'UNAVAILABLE',
    'provider',
    'does not answer; start again in a minute, or sign in another way',
  ],
} as const satisfies Record<string, readonly [ErrorName, string, string]>

type Failure = keyof typeof failures

/** What the account itself answers. */
const otherWords: Partial<Record<ErrorName, string>> = {
  CONFLICT: 'taken',
  FORBIDDEN: 'blocked',
  BAD_REQUEST: 'referral_code',
}

class OauthFailure extends ApiError {
  readonly word: Failure

  constructor(word: Failure) {
    const [code, path, problem] = failures[word]
    super(code, [{ path, problem }])
    this.word = word
  }
}

export const failed = (word: Failure): ApiError => new OauthFailure(word)

/** What a provider sends instead of a code. */
export const failureOfWord = (error: string): ApiError => {
  if (error === 'access_denied') return failed('denied')
  return failed(error === 'server_error' || error === 'temporarily_unavailable' ? 'unavailable' : 'refused')
}

const toFailure = (error: unknown, log: Log, provider: string): unknown => {
  if (error instanceof IdentityRefused) {
    log.info({ provider, reason: error.message }, 'the answer of an identity provider was refused')
    return failed('refused')
  }
  if (error instanceof IdentityUnavailable) {
    log.warn({ provider, reason: error.message }, 'an identity provider could not be asked')
    return failed('unavailable')
  }
  // What the start was asked for is not in the callback, which has a state instead.
  if (error instanceof ApiError && error.details?.some(({ path }) => path === 'link')) {
    return new ApiError(
      error.code,
      error.details.map((detail) => ({ ...detail, path: 'state' })),
    )
  }
  return error
}

/** A page of this service with something in the fragment, which is sent to no server. */
export const pageWith = (publicUrl: string, returnTo: string, fragment: Record<string, string>): Redirect => {
  const url = new URL(publicUrl + returnTo)
  url.hash = new URLSearchParams(fragment).toString()
  return new Redirect(url.href)
}

/** Whatever goes wrong is told to the page that waits, if one does. */
export const tellingPage = async <T>(
  at: {
    readonly log: Log
    readonly publicUrl: () => string
    readonly params: { readonly provider: string }
  },
  returnTo: string | null | undefined,
  work: () => Promise<T>,
): Promise<T | Redirect> => {
  try {
    return await work()
  } catch (error) {
    const failure = toFailure(error, at.log, at.params.provider)
    if (typeof returnTo !== 'string' || !(failure instanceof ApiError)) throw failure
    const word = failure instanceof OauthFailure ? failure.word : (otherWords[failure.code] ?? 'refused')
    return pageWith(at.publicUrl(), returnTo, { sign_in_error: word })
  }
}
