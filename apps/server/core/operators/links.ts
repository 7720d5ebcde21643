import type { Role } from '@sallyport/contract/operation'
import type { Db } from '../../db/client.ts'
import { randomBase62 } from '../kernel/tokens.ts'
import { sha256 } from '../kernel/vault.ts'
import { lockActiveOperator } from './sessions.ts'

/** The way in for an operator who has no passkey yet, or none any more. */

const linkTtlSeconds = 3600
const tokenLength = 43

/** The link that an earlier one gives way to. Its secret stands where no server and no log sees it. */
export const makeSignInLink = async (
  tx: Db,
  { operatorId, publicUrl, now }: { operatorId: number; publicUrl: string; now: number },
): Promise<{ readonly link: string; readonly expiresAt: number }> => {
  const token = randomBase62(tokenLength)
  const row = { token_hash: sha256(token), expires_at: now + linkTtlSeconds }
  await tx
    .insertInto('operator_links')
    .values({ operator_id: operatorId, ...row })
    .onConflict((oc) => oc.column('operator_id').doUpdateSet(row))
    .execute()
  return { link: `${publicUrl}/console/sign-in#${token}`, expiresAt: row.expires_at }
}

/** Whose link it was; it is used up, and its operator locked. Undefined when it is good for nothing. */
export const takeSignInLink = async (
  tx: Db,
  token: string,
  now: number,
): Promise<{ readonly id: number; readonly role: Role } | undefined> => {
  const hash = sha256(token)
  const link = await tx
    .selectFrom('operator_links')
    .select('operator_id')
    .where('token_hash', '=', hash)
    .executeTakeFirst()
  // Whoever is switched off is locked before their link.
  const operator = link && (await lockActiveOperator(tx, link.operator_id))
  if (!operator) return undefined
  const taken = await tx
    .deleteFrom('operator_links')
    .where('token_hash', '=', hash)
    .returning('expires_at')
    .executeTakeFirst()
  return taken && taken.expires_at > now ? operator : undefined
}

/** Whether anybody runs this service yet. */
export const hasOperators = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('operators').select('id').limit(1).executeTakeFirst()) !== undefined
