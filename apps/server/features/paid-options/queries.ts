import { sql } from 'kysely'
import { inQuotes, type TermName } from '../../core/terms/term-product.ts'
import type { Pause } from '../../core/terms/terms.ts'
import { accessRowColumns, accessRowFrom, indexColumn } from '../../core/vpn/access/access-row.ts'
import { flagsColumn } from '../../core/vpn/access/flags.ts'
import { accessOnline } from '../../core/vpn/access/online.ts'
import type { ShownAccess } from '../../core/vpn/access/reads.ts'
import { type Db, prepared } from '../../db/client.ts'

/** What customers call their options, by the term. */
export const namesOf = async (
  db: Db,
  terms: readonly { readonly id: number }[],
): Promise<ReadonlyMap<number, TermName>> => {
  const { rows } = await sql<{ id: number; title_ru: string; title_en: string }>`
    select t.id, p.title_ru, p.title_en from terms t join paid_options p on p.id = t.product_id
    where t.id = any(${terms.map((term) => term.id)}::bigint[])`.execute(db)
  return new Map(
    rows.map(({ id, title_ru, title_en }) => {
      const title = inQuotes(title_ru, title_en)
      return [id, { short: title, long: title }]
    }),
  )
}

export interface OwnOption {
  readonly id: number
  readonly option_id: number
  readonly expires_at: number
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  readonly paused: Pause | null
}

/** Those that have not ended, or one of them. */
export const ownOptions = prepared<[userId: number, now: number, optionId: number | null], OwnOption>(
  `select t.id, t.product_id as option_id, t.expires_at, t.auto_renewal, t.auto_renewal_days, t.paused from terms t
   where t.user_id = $1 and t.product = 'paid_options' and t.state = 'active' and t.expires_at > $2
     and ($3::bigint is null or t.product_id = $3) order by t.id`,
)

/** Those that can still be renewed. */
export const endedOptions = prepared<[userId: number, now: number], OwnOption>(
  `select t.id, t.product_id as option_id, t.expires_at, t.auto_renewal, t.auto_renewal_days, t.paused from terms t
   where t.user_id = $1 and t.product = 'paid_options' and t.state <> 'deleted' and t.expires_at <= $2 order by t.id`,
)

export interface OptionConfig extends ShownAccess {
  readonly term_id: number
}

/** With what the customer sees of each, by their indexes. $4 is true for English. */
export const optionConfigs = prepared<
  [userId: number, now: number, optionId: number | null, inEnglish: boolean],
  OptionConfig
>(
  `select ${accessRowColumns('$4')}, c.term_id, c.location_id, t.expires_at, c.created_at, ${flagsColumn('$1')} as flags, t.auto_renewal,
     t.auto_renewal_days, ${accessOnline('$2')} as is_online, ${indexColumn} as index
   ${accessRowFrom}
   join node_status st on st.node_id = i.node_id
   where t.user_id = $1 and t.product = 'paid_options' and t.state = 'active'
     and ($3::bigint is null or t.product_id = $3) order by t.id, index`,
)

/** The options of a customer with their configurations, in one go. */
export const listWithConfigs = async (
  db: Db,
  of: {
    readonly userId: number
    readonly now: number
    readonly inEnglish: boolean
    readonly optionId?: number
  },
): Promise<{ option: OwnOption; configs: OptionConfig[] }[]> => {
  const { userId, now, inEnglish, optionId = null } = of
  const [options, configs] = await Promise.all([
    ownOptions(db, userId, now, optionId),
    optionConfigs(db, userId, now, optionId, inEnglish),
  ])
  const byTerm = Map.groupBy(configs, (config) => config.term_id)
  return options.map((option) => ({ option, configs: byTerm.get(option.id) ?? [] }))
}

/** The access at an index of an option that is the customer's; undefined when there is none. */
export const findAtIndex = async (
  db: Db,
  of: { readonly userId: number; readonly optionId: number; readonly index: number },
): Promise<number | undefined> => {
  const { rows } = await sql<{ id: number }>`
    select c.id from terms t join accesses c on c.term_id = t.id
    where t.user_id = ${of.userId}::bigint and t.product = 'paid_options' and t.product_id = ${of.optionId}::bigint
      and t.state <> 'deleted' and ${sql.raw(indexColumn)} = ${of.index}::bigint order by c.position`.execute(
    db,
  )
  return rows[0]?.id
}
