import { type AccessNews, accessLetter } from '@sallyport/domain/text/access-letter'
import type { Db } from '../../db/client.ts'
import type { Kick } from '../kernel/jobs.ts'
import { postToJob } from '../kernel/mail.ts'
import type { Vault } from '../kernel/vault.ts'

/** Who gave an operator a way in, and that the operator hears of it. */

const keepSeconds = 7 * 86_400

/** Whoever has a token that somebody else made may be that somebody. */
export const makerOf = ({
  operatorId,
  operatorTokenMadeBy,
}: {
  readonly operatorId: number
  readonly operatorTokenMadeBy: number | null
}): number => operatorTokenMadeBy ?? operatorId

/** A link for oneself lets nobody else in. */
export const noteLetIn = async (
  tx: Db,
  { operatorId, by, now }: { readonly operatorId: number; readonly by: number; readonly now: number },
): Promise<void> => {
  if (operatorId === by) return
  await tx
    .insertInto('operator_let_ins')
    .values({ operator_id: operatorId, let_in_by: by, made_at: now })
    .onConflict((oc) => oc.columns(['operator_id', 'let_in_by']).doUpdateSet({ made_at: now }))
    .execute()
}

interface Parts {
  readonly vault: Vault
  readonly publicUrl: () => string
  readonly kick: Kick
  readonly now: number
}

interface Told {
  readonly operatorId: number
  readonly by: number
  readonly news: AccessNews
  /** Where it goes when that is not the operator's address any more. */
  readonly to?: string
}

/** With the change itself; nothing for those who have no address. */
export const tellOfAccess = async (
  tx: Db,
  services: Parts,
  { operatorId, by, news, to }: Told,
): Promise<void> => {
  const people = await tx
    .selectFrom('operators')
    .select(['id', 'name', 'email'])
    .where('id', 'in', [operatorId, by])
    .execute()
  const address = to ?? people.find(({ id }) => id === operatorId)?.email
  if (!address) return
  const { publicUrl, now } = services
  const maker = by === operatorId ? null : (people.find(({ id }) => id === by)?.name ?? null)
  const letter = {
    to: address,
    ...accessLetter({ news, by: maker, url: `${publicUrl()}/console/sign-in` }),
  }
  await postToJob(tx, services, { letter, now, expiresAt: now + keepSeconds })
}
