import type { UserSort, UserView } from '@sallyport/contract/operator/people/views'
import { maxId } from '@sallyport/contract/shapes'
import { type RawBuilder, sql } from 'kysely'
import { beginsWith } from './search.ts'
import { endingUntil } from './views.ts'

/** Customers in an order that an index has, from a place in it on: each selects `id` and the `key` that it is ordered by. */

/** Where one has come to. Keys of the alphabet are texts. */
export interface Place {
  readonly key: number | string
  readonly id: number
}

export interface Source {
  readonly isBackwards: boolean
  readonly rows: (after: Place | undefined, most: number) => RawBuilder<unknown>
  /** Which of the rows `s` count, where a customer may have several; then rows may be fewer than asked for before the end. */
  readonly counts?: RawBuilder<unknown>
}

type Field = 'id' | 'created_at' | 'next_end' | 'balance'

export const fieldOf = (sort: UserSort): { readonly field: Field; readonly isBackwards: boolean } =>
  sort === 'newest'
    ? { field: 'id', isBackwards: true }
    : { field: sort.replace('-', '') as Field, isBackwards: sort.startsWith('-') }

const directed = (isBackwards: boolean) => sql.raw(isBackwards ? 'desc' : 'asc')

const beyond = (isBackwards: boolean, names: string, after: Place | undefined) =>
  after === undefined
    ? sql`true`
    : sql`(${sql.raw(names)}) ${sql.raw(isBackwards ? '<' : '>')} (${after.key}::bigint, ${after.id}::bigint)`

const byId = (view: UserView | undefined, isBackwards: boolean): Source['rows'] => {
  const order = directed(isBackwards)
  const isLive = view === 'active' || view === 'ending' || view === 'never_connected'
  const past = (name: string, after: Place | undefined) =>
    after === undefined
      ? sql`true`
      : sql`${sql.ref(name)} ${sql.raw(isBackwards ? '<' : '>')} ${after.id}::bigint`
  return (after, most) =>
    isLive
      ? sql`select distinct t.user_id as id, t.user_id as key from terms t
          where t.state = 'active' and ${past('t.user_id', after)} order by t.user_id ${order} limit ${most}`
      : sql`select u.id, u.id as key from users u
          where ${view === 'blocked' ? sql`u.is_blocked` : sql`true`} and ${past('u.id', after)}
          order by u.id ${order} limit ${most}`
}

const byCreation =
  (isBackwards: boolean): Source['rows'] =>
  (after, most) =>
    sql`
    select u.id, u.created_at as key from users u where ${beyond(isBackwards, 'u.created_at, u.id', after)}
    order by u.created_at ${directed(isBackwards)}, u.id ${directed(isBackwards)} limit ${most}`

const byBalance =
  (isBackwards: boolean): Source['rows'] =>
  (after, most) =>
    sql`
    select w.user_id as id, w.balance as key from ledger_accounts w
    where w.kind = 'wallet' and ${beyond(isBackwards, 'w.balance, w.user_id', after)}
    order by w.balance ${directed(isBackwards)}, w.user_id ${directed(isBackwards)} limit ${most}`

/**
 * By the ends of what they have; those who have nothing are not there. The rows are taken in the order of the index before anything
 * else: a plan that is made once for all values would sort everybody's.
 */
const byEnd =
  (isBackwards: boolean, now: number, until: number | undefined): Source['rows'] =>
  (after, most) =>
    sql`
    select distinct e.user_id as id, e.expires_at as key from (
      select t.user_id, t.expires_at from terms t
      where t.state = 'active' and t.expires_at > ${now}::bigint and ${beyond(isBackwards, 't.expires_at, t.user_id', after)}
        ${after === undefined ? sql`` : sql`and t.expires_at ${sql.raw(isBackwards ? '<=' : '>=')} ${after.key}::bigint`}
        ${until === undefined ? sql`` : sql`and t.expires_at <= ${until}::bigint`}
      order by t.expires_at ${directed(isBackwards)} fetch first (${most}::bigint) rows with ties) e
    order by e.expires_at ${directed(isBackwards)}, e.user_id ${directed(isBackwards)} limit ${most}`

const isFirstEnd = (now: number) => sql`s.key = (select min(t.expires_at) from terms t
  where t.user_id = s.id and t.state = 'active' and t.expires_at > ${now}::bigint)`

/** Everybody, as far as the sort has them. */
export const sourceOf = (sort: UserSort, view: UserView | undefined, now: number): Source => {
  const { field, isBackwards } = fieldOf(sort)
  const rows = {
    id: () => byId(view, isBackwards),
    created_at: () => byCreation(isBackwards),
    balance: () => byBalance(isBackwards),
    next_end: () => byEnd(isBackwards, now, view === 'ending' ? endingUntil(now) : undefined),
  }[field]()
  return { isBackwards, rows, ...(field === 'next_end' && { counts: isFirstEnd(now) }) }
}

const keys: Readonly<Record<Field, (now: number) => RawBuilder<unknown>>> = {
  id: () => sql`u.id`,
  created_at: () => sql`u.created_at`,
  balance: () => sql`(select w.balance from ledger_accounts w where w.user_id = u.id and w.kind = 'wallet')`,
  next_end: (now) => sql`(select min(t.expires_at) from terms t
    where t.user_id = u.id and t.state = 'active' and t.expires_at > ${now}::bigint)`,
}

/** Some that are known already, in memory; without a sort the newest first, after the one that was asked for by number. */
export const sourceOfSome = (
  ids: readonly number[],
  {
    first,
    sort,
    now,
  }: { readonly first: number | null; readonly sort: UserSort | undefined; readonly now: number },
): Source => {
  const { field, isBackwards } = fieldOf(sort ?? 'newest')
  const key =
    sort === undefined
      ? sql`case when u.id = ${first}::bigint then ${maxId}::bigint else u.id end`
      : keys[field](now)
  const rows: Source['rows'] = (after, most) => sql`
    select k.id, k.key from (
      select u.id, ${key} as key from users u where u.id = any(${[...ids]}::bigint[])) k
    where k.key is not null and ${beyond(isBackwards, 'k.key, k.id', after)}
    order by k.key ${directed(isBackwards)}, k.id ${directed(isBackwards)} limit ${most}`
  return { isBackwards, rows }
}

/** By the alphabet, without those who were named before. */
export const sourceOfBeginning = (beginning: string, named: readonly number[]): Source => ({
  isBackwards: false,
  rows: (after, most) => sql`
    select u.id, u.email as key from users u
    where ${beginsWith(beginning)} and ${after === undefined ? sql`true` : sql`u.email ~>~ ${after.key}::text`}
      and u.id <> all(${[...named]}::bigint[])
    order by u.email using ~<~ limit ${most}`,
})
