import { type AccessNews, accessLetter } from '@sallyport/domain/text/access-letter'
import type { Db } from '../../db/client.ts'
import type { Kick } from '../kernel/jobs.ts'
import { postToJob } from '../kernel/mail.ts'
import type { Vault } from '../kernel/vault.ts'

/** An operator hears of every way into their account, and who made it. */

const keepSeconds = 7 * 86_400

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
