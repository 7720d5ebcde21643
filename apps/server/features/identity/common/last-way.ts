import { conflict } from '@sallyport/contract/errors'
import type { Services } from '../../../core/call.ts'
import type { Db } from '../../../db/client.ts'
import { canSignIn } from './identity-queries.ts'

/** After a way to sign in was removed, and before that commits: another one must work. */
export const keepWayIn = async (
  tx: Db,
  { identityProviders, telegram, userId }: Services & { readonly userId: number },
): Promise<void> => {
  const providers = [...identityProviders.keys(), ...(telegram ? ['telegram'] : [])]
  if (await canSignIn(tx, userId, providers)) return
  throw conflict('id', 'is the last way to sign in to the account; add an e-mail or a passkey first')
}
