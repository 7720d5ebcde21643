import { signal } from '@preact/signals'
import { SallyportError } from '@sallyport/contract/client/core'

/** How requests go out, whoever asks. */

export { SallyportError }

/** A connection that has frozen never ends by itself, and a new one may pass. What writes is not sent twice by itself. */
const patienceMs = 20_000
const readPatienceMs = 8000

/** No answer came: the network is cut, frozen or slow, or the service is away. */
export class NoAnswer extends Error {}

/** How many requests in a row got no answer. */
export const noAnswers = signal(0)

const sendOnce = async (
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  ms: number,
): Promise<Response> => {
  const patience = AbortSignal.timeout(ms)
  const signal = init?.signal ? (AbortSignal.any?.([init.signal, patience]) ?? init.signal) : patience
  const response = await fetch(input, { ...init, signal, credentials: 'same-origin' })
  // A frozen connection may stop in the middle of the body, which is as good as none.
  const body = await response.blob()
  return new Response(body, response)
}

/** The browser's own, that does not wait for ever. */
export const send: typeof fetch = async (input, init) => {
  const isRead = init?.method === 'GET'
  try {
    const first = sendOnce(input, init, isRead ? readPatienceMs : patienceMs)
    const response = await (isRead ? first.catch(() => sendOnce(input, init, patienceMs)) : first)
    noAnswers.value = 0
    return response
  } catch (error) {
    if (init?.signal?.aborted) throw error
    noAnswers.value++
    throw new NoAnswer('no answer', { cause: error })
  }
}
