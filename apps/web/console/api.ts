import { operations } from 'virtual:operations/operator'
import { signal } from '@preact/signals'
import { clientOf, type OperatorClient } from '@sallyport/contract/client/core'
import type { RowsFor } from '@sallyport/contract/tables'
import { language } from '../lib/language.ts'
import { SallyportError, send } from '../lib/send.ts'
import { provenFor } from './frame/proof.ts'

/** Every operation of operators. */

export { SallyportError }

/** The session is over: whoever wrote something keeps it until they have signed in again. */
export const hasEnded = signal(false)

const plain = clientOf<RowsFor<'operator'>>(operations, {
  baseUrl: '/operator/v1',
  language,
  fetch: send,
  headers: { 'x-sallyport-console': '1' },
  onAnswer: (_, { status }) => {
    if (status === 401) hasEnded.value = true
    else if (status < 400) hasEnded.value = false
  },
})

type AnyCall = (input?: unknown) => Promise<unknown>

/** What asks for a proof gets one, and is called again. */
export const api: OperatorClient = Object.fromEntries(
  Object.entries(plain as unknown as Readonly<Record<string, AnyCall>>).map(([name, call]) => [
    name,
    /Proof$/.test(name) ? call : (input?: unknown) => provenFor(() => call(input)),
  ]),
) as unknown as OperatorClient
