import { ApiError } from '@sallyport/contract/errors'
import type { DeviceSettings } from '@sallyport/domain/delivery/device'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { guesserOf, requireGuess, subscriptionGuess } from '../kernel/guesses.ts'
import { newSubscriptionKey } from '../kernel/tokens.ts'
import { sha256, type Vault } from '../kernel/vault.ts'

/** Keys that client apps fetch, with their settings for devices: an account's own, and those beside it. */

export const subscriptionKeyContext = 'subscriptions.key'

/** One of a customer's subscriptions; the account's own where none is named. */
export interface SubscriptionRef {
  readonly userId: number
  readonly subscriptionId?: number
  /** Where nothing else is meant than one that the customer put together. */
  readonly kind?: 'custom'
}

export type CustomRef = Required<SubscriptionRef>

export const customRef = (userId: number, subscriptionId: number): CustomRef => ({
  userId,
  subscriptionId,
  kind: 'custom',
})

/** For a statement that calls the table `s`. */
export const isSubscription = ({ userId, subscriptionId, kind }: SubscriptionRef) =>
  sql<boolean>`s.user_id = ${userId}::bigint and coalesce(s.id = ${subscriptionId ?? null}::bigint, s.kind = 'account')
    ${kind === undefined ? sql`` : sql`and s.kind = ${kind}`}`

const sealedKey = (vault: Vault) => {
  const key = newSubscriptionKey(vault)
  return { key, stored: { key_sealed: vault.seal(key, subscriptionKeyContext), key_hash: sha256(key) } }
}

/** Opens the account's own subscription and returns its key. */
export const openAccountSubscription = async (
  tx: Db,
  vault: Vault,
  account: { readonly userId: number; readonly now: number },
): Promise<string> => {
  const { key, stored } = sealedKey(vault)
  await tx
    .insertInto('subscriptions')
    .values({ ...stored, user_id: account.userId, kind: 'account', term_id: null, created_at: account.now })
    .execute()
  return key
}

/** The one that devices of a term are counted on; nobody is told its key. */
export const openTermSubscription = async (
  tx: Db,
  vault: Vault,
  of: {
    readonly userId: number
    readonly termId: number
    readonly deviceLimit: number
    readonly now: number
  },
): Promise<void> => {
  await tx
    .insertInto('subscriptions')
    .values({
      ...sealedKey(vault).stored,
      user_id: of.userId,
      kind: 'paid_option',
      term_id: of.termId,
      term_device_limit: of.deviceLimit,
      created_at: of.now,
    })
    .execute()
}

/** One that the customer puts together; what it is made of is another's affair. */
export const openCustomSubscription = async (
  tx: Db,
  vault: Vault,
  of: { readonly userId: number; readonly title: string; readonly now: number },
): Promise<{ readonly id: number; readonly key: string }> => {
  const { key, stored } = sealedKey(vault)
  const { id } = await tx
    .insertInto('subscriptions')
    .values({
      ...stored,
      user_id: of.userId,
      kind: 'custom',
      title: of.title,
      term_id: null,
      created_at: of.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, key }
}

const settingsColumns = ['block_unknown_devices', 'device_limit'] as const

export const findDeviceSettings = (db: Db, ref: SubscriptionRef): Promise<DeviceSettings | undefined> =>
  db.selectFrom('subscriptions as s').select(settingsColumns).where(isSubscription(ref)).executeTakeFirst()

/** Only what is given, so that two changes at once both stay. */
export const storeDeviceSettings = (
  db: Db,
  ref: SubscriptionRef,
  given: Partial<DeviceSettings>,
): Promise<DeviceSettings | undefined> =>
  db
    .updateTable('subscriptions as s')
    .set(given)
    .where(isSubscription(ref))
    .returning(settingsColumns)
    .executeTakeFirst()

/** Held, so that devices are counted one after another. Undefined when it is gone. */
export const lockSubscription = (tx: Db, ref: SubscriptionRef) =>
  tx
    .selectFrom('subscriptions as s')
    .select(['s.id', 's.key_hash', 's.block_unknown_devices'])
    .select((eb) => eb.fn.coalesce('s.term_device_limit', 's.device_limit').as('device_limit'))
    .where(isSubscription(ref))
    .forNoKeyUpdate()
    .executeTakeFirst()

/** A new key, which forgets all devices: what they are known by has the key inside. Undefined when it is gone. */
export const changeKey = async (tx: Db, vault: Vault, ref: SubscriptionRef): Promise<string | undefined> => {
  const locked = await lockSubscription(tx, ref)
  if (!locked) return undefined
  const { key, stored } = sealedKey(vault)
  await tx.updateTable('subscriptions').set(stored).where('id', '=', locked.id).execute()
  await tx.deleteFrom('devices').where('subscription_id', '=', locked.id).execute()
  return key
}

/** Of a statement that calls the terms `t`. */
export const findSubscriptionOfTerm = async (
  db: Db,
  isTerm: RawBuilder<boolean>,
): Promise<number | undefined> => {
  const row = await db
    .selectFrom('subscriptions as s')
    .innerJoin('terms as t', 't.id', 's.term_id')
    .select('s.id')
    .where(isTerm)
    .executeTakeFirst()
  return row?.id
}

export const findTermDeviceLimit = async (db: Db, termId: number): Promise<number> => {
  const { term_device_limit: limit } = await db
    .selectFrom('subscriptions')
    .select('term_device_limit')
    .where('term_id', '=', termId)
    .executeTakeFirstOrThrow()
  return limit ?? 0
}

export const storeTermDeviceLimit = async (tx: Db, termId: number, deviceLimit: number): Promise<void> => {
  await tx
    .updateTable('subscriptions')
    .set({ term_device_limit: deviceLimit })
    .where('term_id', '=', termId)
    .execute()
}

/** All of a customer, with their devices: their keys are nobody's from now on. */
export const deleteSubscriptionsOf = async (tx: Db, userId: number): Promise<void> => {
  await tx.deleteFrom('subscriptions').where('user_id', '=', userId).execute()
}

/** Those of terms go with them to another customer; the devices were the first one's. */
export const moveTermSubscriptions = async (
  tx: Db,
  termIds: readonly number[],
  toId: number,
): Promise<void> => {
  const moved = await tx
    .updateTable('subscriptions')
    .set({ user_id: toId })
    .where('term_id', 'in', termIds)
    .returning('id')
    .execute()
  if (moved.length === 0) return
  await tx
    .deleteFrom('devices')
    .where(
      'subscription_id',
      'in',
      moved.map((row) => row.id),
    )
    .execute()
}

export const deleteTermSubscriptions = async (tx: Db, termIds: readonly number[]): Promise<void> => {
  await tx.deleteFrom('subscriptions').where('term_id', 'in', termIds).execute()
}

interface KeyAsker {
  readonly db: Db
  readonly vault: Vault
  readonly ip: string
  readonly now: number
}

/** As at /sub: unknown, replaced and deleted keys and those of blocked accounts are one and the same, and count as guesses. */
export const refuseUnknownKey = async (asker: KeyAsker): Promise<never> => {
  await requireGuess(asker.db, subscriptionGuess(guesserOf(asker)))
  throw new ApiError('NOT_FOUND')
}

/** Whose key it is, whichever of the account's subscriptions it opens. */
export const requireKeyOwner = async (
  asker: KeyAsker,
  key: string,
): Promise<{ readonly id: number; readonly email: string | null }> => {
  const owner = await asker.db
    .selectFrom('subscriptions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['u.id', 'u.email'])
    .where('s.key_hash', '=', sha256(key))
    .where('u.is_blocked', '=', false)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
  return owner ?? refuseUnknownKey(asker)
}
