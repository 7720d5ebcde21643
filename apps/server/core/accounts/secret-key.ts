import type { Db } from '../../db/client.ts'
import { sameBytes, type Vault } from '../kernel/vault.ts'
import { subscriptionKeyContext } from './subscription-keys.ts'

/** Which key everything here is sealed with. Another would open nothing, and derive credentials that no node knows. */

const checkOf = (vault: Vault): Buffer => vault.hash('secret-key-check', 'sallyport')

const keptCheck = (db: Db) => db.selectFrom('secret_key_check').select('value').executeTakeFirst()

/** A database from before there was a check value tells by the first thing that it sealed; an empty one takes any key. */
const opensOldest = async (db: Db, vault: Vault): Promise<boolean> => {
  const oldest = await db
    .selectFrom('subscriptions')
    .select('key_sealed')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  try {
    if (oldest) vault.open(oldest.key_sealed, subscriptionKeyContext)
    return true
  } catch {
    return false
  }
}

/** Whether it is the key of the database, for whoever only looks: none is taken for the first. */
export const keyFits = async (db: Db, vault: Vault): Promise<'fits' | 'another' | 'none yet'> => {
  const known = await keptCheck(db)
  if (known) return sameBytes(known.value, checkOf(vault)) ? 'fits' : 'another'
  return (await opensOldest(db, vault)) ? 'none yet' : 'another'
}

/** Whether this is the key of the database. The first that comes stays: of several that start at once, one is the first. */
export const isSecretKeyOf = async (db: Db, vault: Vault): Promise<boolean> => {
  const value = checkOf(vault)
  const known = await keptCheck(db)
  if (known) return sameBytes(known.value, value)
  if (!(await opensOldest(db, vault))) return false
  await db
    .insertInto('secret_key_check')
    .values({ value })
    .onConflict((oc) => oc.doNothing())
    .execute()
  const kept = await keptCheck(db)
  return kept !== undefined && sameBytes(kept.value, value)
}
