import { operations } from 'virtual:operations/first'
import { type Client, clientOf, type Sent } from '@sallyport/contract/client/core'
import type { RowsFor } from '@sallyport/contract/tables'
import { language } from './language.ts'
import { NoAnswer, SallyportError, send } from './send.ts'
import { memoryToken, sessionEnded } from './session.ts'

/** Every operation of customers. */

export { SallyportError }

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
  more ??= import('./operations/more.ts').then(
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
