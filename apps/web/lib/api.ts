import { operations } from 'virtual:operations/first'
import { signal } from '@preact/signals'
import { type Client, clientOf, SallyportError, type Sent } from '@sallyport/contract/client/core'
import type { RowsFor } from '@sallyport/contract/tables'
import { language } from './language.ts'
import { memoryToken, sessionEnded } from './session.ts'

/** Every operation of customers. */

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

/** Of these a 401 says that a code was wrong, not that the session has ended. */
const isSigningIn = (name: string): boolean => /SignIn|signIn|Oauth|refreshSession/.test(name)

const options: Sent = {
  baseUrl: '/v1',
  token: () => memoryToken.holder?.token(),
  language,
  fetch: send,
  headers: { 'x-sallyport-cabinet': '1' },
  onAnswer: (operation, { status }) => {
    if (status === 401 && !isSigningIn(operation)) sessionEnded()
  },
}

const first = clientOf<RowsFor<'customer'>>(operations, options)
let more: Promise<Client> | undefined

/** A file that did not come is asked for again by the next call. */
const loadMore = (): Promise<Client> => {
  more ??= import('./more-operations.ts').then(
    (loaded) => clientOf<RowsFor<'customer'>>(loaded.operations, options),
    (error) => {
      more = undefined
      throw new NoAnswer('no answer', { cause: error })
    },
  )
  return more
}

type AnyCall = (input?: unknown) => Promise<unknown>
type AnyClient = Readonly<Record<string, AnyCall>>

/** Every operation has its method; the rows of those that first screens do not call come when one is called. */
export const api: Client = new Proxy(first as unknown as AnyClient, {
  get:
    (known, name: string): AnyCall =>
    async (input) =>
      (known[name] ?? (((await loadMore()) as unknown as AnyClient)[name] as AnyCall))(input),
}) as unknown as Client
