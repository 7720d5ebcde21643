import { maxId } from '@sallyport/contract/shapes'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { panelHash } from '../accounts/devices/panel-devices.ts'
import { keyedHash } from '../kernel/keyed-hash.ts'
import { sha256, type Vault } from '../kernel/vault.ts'
import { promocodeHash } from '../sales/promocodes.ts'

/** Customers by whatever they or somebody else may have named; each kind of name has an index. */

const providers = sql`select distinct provider from ledger_accounts where user_id is null and kind = 'provider'`

/** The number a person may have typed, when it can be an id at all. */
export const asId = (text: string): number | undefined => {
  const id = /^\d{1,16}$/.test(text) ? Number(text) : 0
  return id >= 1 && id <= maxId ? id : undefined
}

/** A link that was sent to support is as good as its key. */
const keyIn = (text: string): string => /\/sub\/([^/?#]+)/.exec(text)?.[1] ?? text

/** Those whom it names as a whole. */
const findNamed = async (db: Db, vault: Vault, text: string, number: number | null): Promise<number[]> => {
  const codeHash = promocodeHash(vault, text) ?? null
  const foundBy = panelHash(keyedHash(vault.subkey('devices')), text)
  const { rows } = await sql<{ id: number }>`
    select id from users where id = ${number}::bigint
    union select id from users where email = ${text.toLowerCase()}
    union select id from users where referral_code in (${text}, ${text.toUpperCase()})
    union select user_id from identities where provider = 'telegram' and subject = ${text}
    union select user_id from orders where id = ${number}::bigint
    union select o.user_id from payments p join orders o on o.id = p.order_id where p.public_id = ${text}
    union select o.user_id from payments p join orders o on o.id = p.order_id
      where p.provider in (${providers}) and p.provider_payment_id = ${text}
    union select o.user_id from receipts r join orders o on o.id = r.order_id
      where r.provider in (${providers}) and r.receipt_id = ${text}
    union select user_id from subscriptions where key_hash = ${sha256(keyIn(text))}
    union select buyer_id from promocodes where code_hash = ${codeHash}::bytea and buyer_id is not null
    union select used_by from promocodes where code_hash = ${codeHash}::bytea and used_by is not null
    union select s.user_id from devices d join subscriptions s on s.id = d.subscription_id where d.id = ${number}::bigint
    union select s.user_id from devices d join subscriptions s on s.id = d.subscription_id
      where d.found_by = ${foundBy}`.execute(db)
  return rows.map((row) => row.id)
}

export interface Found {
  /** The customer of that number comes first. */
  readonly first: number | null
  readonly named: readonly number[]
  /** What e-mails may begin with; null where none does. */
  readonly beginning: string | null
}

export const search = async (db: Db, vault: Vault, said: string): Promise<Found> => {
  const text = said.trim()
  const number = asId(text) ?? null
  const beginning = text === '' || /\s/.test(text) ? null : text.toLowerCase()
  return { first: number, named: await findNamed(db, vault, text, number), beginning }
}

const lastOfAll = '\u{10FFFF}'

/** By bytes, as the index has them. */
export const beginsWith = (beginning: string): RawBuilder<unknown> =>
  sql`u.email ~>=~ ${beginning} and u.email ~<~ ${beginning + lastOfAll}`

/** The first so many by the alphabet. */
export const findBeginning = async (db: Db, beginning: string, most: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where ${beginsWith(beginning)} order by u.email using ~<~ limit ${most}`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

export const listBlocked = async (db: Db, most: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where u.is_blocked order by u.id limit ${most}`.execute(db)
  return rows.map((row) => row.id)
}

/** Whether `u` is one of them. */
export const isFound = ({ named, beginning }: Found): RawBuilder<unknown> =>
  sql`(u.id = any(${[...named]}::bigint[]) ${beginning === null ? sql`` : sql`or (${beginsWith(beginning)})`})`
