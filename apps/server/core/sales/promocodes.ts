import { createHmac, randomBytes } from 'node:crypto'
import { ApiError } from '@sallyport/contract/errors'
import type { ProductClass } from '@sallyport/contract/products'
import { normalisePromocode, promocodeBytes, promocodeFrom } from '@sallyport/domain/money/promocode'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { livingUser } from '../accounts/users.ts'
import type { Vault } from '../kernel/vault.ts'

/** Activation keys: found by a keyed hash, kept sealed, used once. */

const hashPurpose = 'promocode'

/** Names the row by its hash, so that a sealed key opens in its own row only. */
const contextOf = (hashHex: string): string => `promocodes.code:${hashHex}`

const hashHexOf = (key: Buffer, code: string): string => createHmac('sha256', key).update(code).digest('hex')

/** What a code is found by, from what a person typed; undefined when it cannot be one. */
export const promocodeHash = (vault: Vault, text: string): Buffer | undefined => {
  const code = normalisePromocode(text)
  return code === undefined ? undefined : Buffer.from(hashHexOf(vault.subkey(hashPurpose), code), 'hex')
}

/** A customer bought it, with the order that paid for it; or an operator gave it. */
export type PromocodeIssuer =
  | { readonly buyerId: number; readonly orderId?: number; readonly operatorId?: never }
  | { readonly operatorId: number; readonly buyerId?: never; readonly orderId?: never }

export type NewPromocode = PromocodeIssuer & {
  readonly product: ProductClass
  /** One product of a class with several; null is for any of the class. */
  readonly productId?: number | null
  readonly days: number
  readonly expiresAt?: number | null | undefined
  readonly now: number
}

export interface IssuedPromocode {
  readonly id: number
  readonly code: string
}

/** Many alike in one insert, in the order of their ids. */
export const issuePromocodes = async (
  tx: Db,
  vault: Vault,
  issue: NewPromocode & { readonly count: number },
): Promise<IssuedPromocode[]> => {
  const key = vault.subkey(hashPurpose)
  const codes = Array.from({ length: issue.count }, () => promocodeFrom(randomBytes(promocodeBytes)))
  const hashes = codes.map((code) => hashHexOf(key, code))
  const sealed = codes.map((code, at) => vault.seal(code, contextOf(hashes[at] as string)).toString('hex'))
  // Arrays keep the text of the statement the same for every count.
  const { rows } = await sql<{ id: number; hash: string }>`
    insert into promocodes
      (code_hash, code_sealed, product_type, product_id, days, buyer_id, order_id, operator_id, expires_at, created_at)
    select decode(new.hash, 'hex'), decode(new.sealed, 'hex'), ${issue.product},
      ${issue.productId ?? null}::bigint, ${issue.days}::integer,
      ${issue.buyerId ?? null}::bigint, ${issue.orderId ?? null}::bigint, ${issue.operatorId ?? null}::bigint,
      ${issue.expiresAt ?? null}::bigint, ${issue.now}::bigint
    from unnest(${hashes}::text[], ${sealed}::text[]) new (hash, sealed)
    returning id, encode(code_hash, 'hex') as hash`.execute(tx)
  const codeOf = new Map(hashes.map((hash, at) => [hash, codes[at] as string]))
  return rows
    .map(({ id, hash }) => ({ id, code: codeOf.get(hash) as string }))
    .sort((one, other) => one.id - other.id)
}

export const issuePromocode = async (tx: Db, vault: Vault, issue: NewPromocode): Promise<IssuedPromocode> =>
  (await issuePromocodes(tx, vault, { ...issue, count: 1 }))[0] as IssuedPromocode

export const openPromocode = (
  vault: Vault,
  row: { readonly code_hash: Uint8Array; readonly code_sealed: Uint8Array },
): string => vault.open(row.code_sealed, contextOf(Buffer.from(row.code_hash).toString('hex')))

/** Whether a row of promocodes can still be used. */
export const isUsablePromocode = (now: number): RawBuilder<boolean> =>
  sql<boolean>`(used_at is null and revoked_at is null and (expires_at is null or expires_at > ${now}::bigint))`

/** The same for every reason, so that an answer tells a guesser nothing. */
const invalid = (): ApiError =>
  new ApiError('PROMOCODE_INVALID', [
    { path: 'promocode', problem: 'is unknown, used, expired or for another product; check what you typed' },
  ])

/**
 * Uses the key, once whatever number of purchases name it at the same time; the transaction that rolls back
 * leaves it usable. A gift is what an operator issued.
 */
export const redeemPromocode = async (
  tx: Db,
  vault: Vault,
  use: {
    readonly code: string
    readonly product: ProductClass
    readonly productId: number | null
    readonly userId: number
    readonly now: number
  },
): Promise<{ id: number; days: number; isGift: boolean }> => {
  const codeHash = promocodeHash(vault, use.code)
  if (codeHash === undefined) throw invalid()
  const used = await tx
    .updateTable('promocodes')
    // The account is locked before the key, as whoever moves the keys of an account does.
    .set({ used_by: livingUser(use.userId), used_at: use.now })
    .where('code_hash', '=', codeHash)
    .where('product_type', '=', use.product)
    .where((eb) => eb.or([eb('product_id', 'is', null), eb('product_id', '=', use.productId)]))
    .where(isUsablePromocode(use.now))
    .returning(['id', 'days', 'operator_id'])
    .executeTakeFirst()
  if (!used) throw invalid()
  return { id: used.id, days: used.days, isGift: used.operator_id !== null }
}

/** The one product of its class that a code is for, where it names one. Says nothing of whether it can be used. */
export const findPromocodeProduct = async (
  db: Db,
  vault: Vault,
  product: ProductClass,
  text: string,
): Promise<number | undefined> => {
  const codeHash = promocodeHash(vault, text)
  if (codeHash === undefined) return undefined
  const row = await db
    .selectFrom('promocodes')
    .select('product_id')
    .where('code_hash', '=', codeHash)
    .where('product_type', '=', product)
    .executeTakeFirst()
  return row?.product_id ?? undefined
}

/** The order that a used key paid for. */
export const noteRedemption = async (tx: Db, promocodeId: number, orderId: number): Promise<void> => {
  const noted = await tx
    .updateTable('promocodes')
    .set({ used_order_id: orderId })
    .where('id', '=', promocodeId)
    .where('used_at', 'is not', null)
    .where('used_order_id', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!noted) throw new Error(`Promocode ${promocodeId} was not used, or pays for another order`)
}

/** At least this long a code that comes back can be used. */
const returnedTtlSeconds = 30 * 86_400

/** What the code paid for was not delivered: whoever has it may use it once more. */
export const returnPromocode = async (tx: Db, orderId: number, now: number): Promise<void> => {
  await tx
    .updateTable('promocodes')
    .set({
      used_by: null,
      used_at: null,
      used_order_id: null,
      expires_at: sql<
        number | null
      >`greatest(expires_at, case when expires_at is not null then ${now + returnedTtlSeconds}::bigint end)`,
    })
    .where('used_order_id', '=', orderId)
    .execute()
}

/**
 * When the order that bought a key is refunded: false when somebody used the key before. True means that nobody
 * can use it from now on, also when it was revoked earlier or never issued.
 */
export const revokeBoughtKey = async (tx: Db, orderId: number, now: number): Promise<boolean> => {
  const key = await tx
    .selectFrom('promocodes')
    .select(['id', 'used_at'])
    .where('order_id', '=', orderId)
    .forUpdate()
    .executeTakeFirst()
  if (!key) return true
  if (key.used_at !== null) return false
  await tx
    .updateTable('promocodes')
    .set({ revoked_at: now })
    .where('id', '=', key.id)
    .where('revoked_at', 'is', null)
    .execute()
  return true
}

/** The refund came to nothing, so the key is good again. */
export const restoreBoughtKey = async (tx: Db, orderId: number): Promise<void> => {
  await tx
    .updateTable('promocodes')
    .set({ revoked_at: null })
    .where('order_id', '=', orderId)
    .where('used_at', 'is', null)
    .execute()
}
