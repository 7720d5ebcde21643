import { isUsedUp } from '@sallyport/domain/lifecycle/option-status'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { openTermSubscription } from '../accounts/subscription-keys.ts'
import type { GrantContext } from '../sales/products.ts'
import { readTerm, type Term } from '../terms/terms.ts'
import { findOption, type Option } from './option-catalogue.ts'
import { tellSwitched } from './switched-off-notices.ts'
import {
  applyQuota,
  findUsage,
  optionStatus,
  restartPeriod,
  setPaused,
  usageColumns,
  usageFrom,
} from './traffic-usage.ts'

/** Customers' subscriptions to options, as they are kept, and what operators see and do of them. */

/** Of a term that was just made. */
export const openSubscription = async (
  tx: Db,
  at: Pick<GrantContext, 'vault' | 'now'>,
  of: { readonly userId: number; readonly termId: number; readonly option: Option },
): Promise<void> => {
  const { userId, termId, option } = of
  await tx
    .insertInto('option_terms')
    .values({
      term_id: termId,
      option_id: option.id,
      traffic_limit: option.traffic_limit,
      period_began_at: at.now,
      // Read before the servers: what changes after that is followed later.
      furnished: option.revision,
    })
    .execute()
  const deviceLimit = option.device_limit
  await openTermSubscription(tx, at.vault, { userId, termId, deviceLimit, now: at.now })
}

export const eraseSubscriptions = async (tx: Db, termIds: readonly number[]): Promise<void> => {
  await tx.deleteFrom('option_terms').where('term_id', 'in', termIds).execute()
}

/** Which revision of its option it is in line with. */
export const findFurnished = async (tx: Db, termId: number): Promise<number> => {
  const { furnished } = await tx
    .selectFrom('option_terms')
    .select('furnished')
    .where('term_id', '=', termId)
    .executeTakeFirstOrThrow()
  return furnished
}

export const storeSyncedRevision = async (tx: Db, termId: number, revision: number): Promise<void> => {
  await tx.updateTable('option_terms').set({ furnished: revision }).where('term_id', '=', termId).execute()
}

export const storeTrafficLimit = async (tx: Db, termId: number, limit: number): Promise<void> => {
  await tx.updateTable('option_terms').set({ traffic_limit: limit }).where('term_id', '=', termId).execute()
}

interface Row {
  readonly term_id: number
  readonly option_id: number
  readonly state: 'active' | 'expired'
  readonly paused: Term['paused']
  readonly expires_at: number
  readonly device_limit: number
  readonly used: number
  readonly lifetime: number
  readonly traffic_limit: number
  readonly period_began_at: number
  readonly version: number
}

/** All of a customer, or one of them; ended ones too. */
export const listSubscriptions = async (
  db: Db,
  now: number,
  userId: number,
  optionId: number | null = null,
) => {
  const { rows } = await sql<Row>`
    select t.id as term_id, t.product_id as option_id, t.state, t.paused, t.expires_at, s.term_device_limit as device_limit, o.version,
      ${sql.raw(usageColumns)}
    from terms t join subscriptions s on s.term_id = t.id join ${sql.raw(usageFrom)} on o.term_id = t.id
    where t.user_id = ${userId}::bigint and t.product = 'paid_options' and t.state <> 'deleted'
      and (${optionId}::bigint is null or t.product_id = ${optionId}::bigint) order by t.id`.execute(db)
  return rows.map((row) => ({
    term_id: row.term_id,
    option_id: row.option_id,
    status: optionStatus({ ...row, state: row.expires_at <= now ? 'expired' : row.state }),
    expires_at: row.expires_at,
    used_traffic_bytes: row.used,
    lifetime_used_traffic_bytes: row.lifetime,
    traffic_limit_bytes: row.traffic_limit,
    device_limit: row.device_limit,
    period_began_at: row.period_began_at,
    version: row.version,
  }))
}

type At = Pick<GrantContext, 'bus' | 'now'>

const optionOf = async (tx: Db, term: Term): Promise<Option> =>
  (await findOption(tx, term.product_id as number)) as Option

/** The caller locks the term. */
export const startTrafficAnew = async (tx: Db, at: At, term: Term): Promise<void> => {
  await restartPeriod(tx, term.id, at.now)
  await applyQuota(tx, at, term, await optionOf(tx, term))
}

/** Switched on again it may find its traffic used up. The customer is told. The caller locks the term. */
export const setDisabled = async (tx: Db, at: At, { id }: Term, isDisabled: boolean): Promise<void> => {
  const term = await readTerm(tx, id)
  if (isDisabled === (term.paused === 'operator')) return
  const { used, traffic_limit: limit } = await findUsage(tx, id)
  const paused = isDisabled ? 'operator' : isUsedUp(used, limit) ? 'quota' : null
  await setPaused(tx, at, term, paused)
  const state = term.expires_at <= at.now ? 'expired' : term.state
  const status = isDisabled ? 'disabled' : optionStatus({ state, paused })
  await tellSwitched(tx, term, await optionOf(tx, term), { status, limit }, at.now)
}
