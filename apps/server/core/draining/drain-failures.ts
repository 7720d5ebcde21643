import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** What is left on a server that is emptied, and why it could not go. */

const longestReason = 300

export const noteFailure = async (
  db: Db,
  failure: { readonly serverId: number; readonly accessId: number; readonly reason: string },
  now: number,
): Promise<void> => {
  const reason = failure.reason.slice(0, longestReason)
  // Gone or elsewhere meanwhile, it has not failed.
  await sql`
    insert into drain_failures as f (server_id, access_id, reason, at)
    select a.server_id, a.id, ${reason}, ${now}::bigint from accesses a
    where a.id = ${failure.accessId}::bigint and a.server_id = ${failure.serverId}::bigint
    on conflict (server_id, access_id) do update set reason = excluded.reason, at = excluded.at`.execute(db)
}

/** What has a reason in common: all of an option, or all that is sold alone with a protocol and runs, or has ended. */
export type Alike = { readonly optionId: number } | { readonly protocol: string; readonly isActive: boolean }

export const alikeIn = ({ option_id, protocol, is_active }: Left): Alike =>
  option_id === null ? { protocol, isActive: is_active } : { optionId: option_id }

const nameOf = (alike: Alike): string =>
  'optionId' in alike ? `option ${alike.optionId}` : `${alike.protocol} ${alike.isActive}`

/** Kinds of accesses that need not be tried any more in this round. */
export class Shut {
  readonly #kinds = new Map<string, Alike>()

  add(alike: Alike): void {
    this.#kinds.set(nameOf(alike), alike)
  }

  has(left: Left): boolean {
    return this.#kinds.has(nameOf(alikeIn(left)))
  }

  get all(): readonly Alike[] {
    return [...this.#kinds.values()]
  }
}

const isAlike = (alike: Alike): RawBuilder<boolean> =>
  'optionId' in alike
    ? sql`t.product = 'paid_options' and t.product_id = ${alike.optionId}::bigint`
    : sql`t.product <> 'paid_options' and a.protocol = ${alike.protocol} and (t.state = 'active') = ${alike.isActive}::boolean`

/** Looked up one by one, because those of a server are few of very many. */
const withTerms = sql`accesses a
  cross join lateral (select state, product, product_id from terms where id = a.term_id offset 0) t`

/** Once: where the reason is the same as before nothing is written, so that what stays for long costs nothing. */
export const noteFailures = async (
  db: Db,
  failures: { readonly serverId: number; readonly alike: Alike; readonly reason: string },
  now: number,
): Promise<void> => {
  const reason = failures.reason.slice(0, longestReason)
  await sql`
    insert into drain_failures as f (server_id, access_id, reason, at)
    select a.server_id, a.id, ${reason}, ${now}::bigint from ${withTerms}
    where a.server_id = ${failures.serverId}::bigint and a.beside_id is null and t.state <> 'deleted'
      and ${isAlike(failures.alike)} and not exists (
        select from drain_failures k where k.server_id = a.server_id and k.access_id = a.id and k.reason = ${reason})
    order by a.id for key share of a
    on conflict (server_id, access_id) do update set reason = excluded.reason, at = excluded.at`.execute(db)
}

export const forgetFailure = async (tx: Db, serverId: number, accessId: number): Promise<void> => {
  await tx
    .deleteFrom('drain_failures')
    .where('server_id', '=', serverId)
    .where('access_id', '=', accessId)
    .execute()
}

export interface Left {
  readonly id: number
  readonly protocol: string
  readonly is_active: boolean
  /** Of what came with an option. */
  readonly option_id: number | null
}

/** Those to be moved now, by number: without what failed a moment ago, and what need not be tried. */
export const listLeft = async (
  db: Db,
  serverId: number,
  at: {
    readonly after: number
    readonly failedBefore: number
    readonly shut: readonly Alike[]
    readonly limit: number
  },
): Promise<Left[]> => {
  const shut = sql.join([sql`false`, ...at.shut.map((alike) => sql`(${isAlike(alike)})`)], sql` or `)
  const { rows } = await sql<Left>`
    select a.id, a.protocol, t.state = 'active' as is_active,
      case when t.product = 'paid_options' then t.product_id end as option_id
    from ${withTerms}
    where a.server_id = ${serverId}::bigint and a.beside_id is null and a.id > ${at.after}::bigint
      and not (${shut})
      and not exists (select from drain_failures f where f.server_id = a.server_id and f.access_id = a.id
        and f.at > ${at.failedBefore}::bigint)
    order by a.id limit ${at.limit}`.execute(db)
  return rows
}
