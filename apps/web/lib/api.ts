import { operations } from 'virtual:operations'
import { type Client, clientOf, SallyportError } from '@sallyport/contract/client/core'
import type { RowsFor } from '@sallyport/contract/tables'
import { language } from './language.ts'
import { memoryToken, sessionEnded } from './session.ts'

/** Every operation of customers. */

export { SallyportError }

/** A connection that has frozen never ends by itself. */
const patienceMs = 20_000

/** No answer came: the network is cut, frozen or slow, or the service is away. */
export class NoAnswer extends Error {}

/** The browser's own, that does not wait for ever. */
export const send: typeof fetch = async (input, init) => {
  const patience = AbortSignal.timeout(patienceMs)
  const signal = init?.signal ? AbortSignal.any([init.signal, patience]) : patience
  try {
    const response = await fetch(input, { ...init, signal, credentials: 'same-origin' })
    // A frozen connection may stop in the middle of the body, which is as good as none.
    const body = await response.blob()
    return new Response(body, response)
  } catch (error) {
    if (init?.signal?.aborted) throw error
    throw new NoAnswer('no answer', { cause: error })
  }
}

/** Of these a 401 says that a code was wrong, not that the session has ended. */
const isSigningIn = (name: string): boolean => /SignIn|signIn|Oauth|refreshSession/.test(name)

export const api: Client = clientOf<RowsFor<'customer'>>(operations, {
  baseUrl: '/v1',
  token: () => memoryToken.holder?.token(),
  language,
  fetch: send,
  headers: { 'x-sallyport-cabinet': '1' },
  onResponse: ({ operation, statusCode }) => {
    if (statusCode === 401 && !isSigningIn(operation)) sessionEnded()
  },
})
