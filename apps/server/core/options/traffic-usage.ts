import type { OptionStatus } from '@sallyport/contract/customer/paid-options/shapes'
import {
  isNearlyUsedUp,
  isUsedUp,
  moveOption,
  owedAfter,
  periodAt,
  statusOf,
  trafficPeriodSeconds,
} from '@sallyport/domain/lifecycle/option-status'
import { bytesOf } from '@sallyport/domain/text/bytes'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { mostShown } from '../fleet/traffic-plausibility.ts'
import { notify } from '../kernel/notifications.ts'
import type { GrantContext } from '../sales/products.ts'
import { type Term, updateAndTell, updateTerm } from '../terms/terms.ts'
import { pauseAccesses, resumeAccesses } from '../vpn/operations/server-slots.ts'

/** What a subscription to an option has carried, and whether it may go on. */

export interface Usage {
  readonly traffic_limit: number
  readonly period_began_at: number
  /** Since the period began, and since the purchase. */
  readonly used: number
  readonly lifetime: number
  /** What was told in this period: 1 near the limit, 2 at it. */
  readonly told: number
  /** Of what was used, that which came with another subscription. */
  readonly owed: number
}

/** Of the option terms `o`. Sums are numeric and cannot overflow, whatever stands in the meters; what is shown is bounded. */
export const usageColumns = `
  o.traffic_limit, o.period_began_at, o.told, o.owed, least(m.total, ${mostShown})::bigint as lifetime,
  least(greatest(m.total - o.period_base, 0), ${mostShown})::bigint as used`
export const usageFrom = `
  option_terms o
  cross join lateral (
    select coalesce(sum(up) + sum(down), 0) as total from meters where term_id = o.term_id) m`

export const findUsage = async (db: Db, termId: number): Promise<Usage> => {
  const { rows } = await sql<Usage>`
    select ${sql.raw(usageColumns)} from ${sql.raw(usageFrom)} where o.term_id = ${termId}::bigint`.execute(
    db,
  )
  const [usage] = rows
  if (!usage) throw new Error(`Term ${termId} is no option`)
  return usage
}

export const optionStatus = ({ state, paused }: Pick<Term, 'state' | 'paused'>): OptionStatus =>
  statusOf({ isEnded: state !== 'active', isDisabled: paused === 'operator', isUsedUp: paused === 'quota' })

/** Afresh: what the meters had counted until now is not held against it, but for what is owed. The caller locks the term. */
export const restartPeriod = async (tx: Db, termId: number, beganAt: number, owed = 0): Promise<void> => {
  await sql`
    update option_terms o set period_began_at = ${beganAt}, told = 0, owed = ${owed}::bigint,
      period_base = (select least(coalesce(sum(up) + sum(down), 0), 9223372036854775807)
        from meters where term_id = o.term_id) - ${owed}::bigint
    where o.term_id = ${termId}::bigint`.execute(tx)
}

export interface NamedOption {
  readonly title_ru: string
  readonly title_en: string
  readonly most_traffic: number
}

/** Whether its customer could raise a limit; one that is the most already only waits. */
export const canRaise = ({ most_traffic: most }: NamedOption, limit: number): boolean =>
  most === 0 || most > limit

/** Once a period each. The caller locks the term. */
const tell = async (
  tx: Db,
  term: Pick<Term, 'id' | 'user_id'>,
  usage: Usage,
  option: NamedOption,
  now: number,
): Promise<void> => {
  const { title_ru, title_en } = option
  const { used, traffic_limit: limit, told, period_began_at: beganAt } = usage
  const isOver = isUsedUp(used, limit)
  const due = isOver ? 2 : isNearlyUsedUp(used, limit) ? 1 : 0
  if (due <= told) return
  const [ru, en] = [bytesOf(limit, 'ru'), bytesOf(limit, 'en')]
  const next = canRaise(option, limit)
    ? {
        ru: '. Увеличьте ограничение в личном кабинете, и он включится снова',
        en: '. Raise the limit in your account to turn it on again',
      }
    : { ru: ' до начала следующих 30 дней', en: ' until the next 30 days begin' }
  await notify(tx, {
    userId: term.user_id,
    cause: `option-traffic:${term.id}:${beganAt}:${due}`,
    ...(isOver
      ? {
          ru: `Трафик «${title_ru}» на эти 30 дней закончился (${ru}), пакет серверов приостановлен${next.ru}.`,
          en: `The traffic of “${title_en}” for these 30 days is used up (${en}), and the server pack is paused${next.en}.`,
        }
      : {
          ru: `Потрачено 80 % трафика «${title_ru}» на эти 30 дней (всего ${ru}).`,
          en: `80% of the traffic of “${title_en}” for these 30 days is used (limit ${en}).`,
        }),
    now,
  })
  await tx.updateTable('option_terms').set({ told: due }).where('term_id', '=', term.id).execute()
}

/**
 * Switches it off or on as its traffic and its limit say, and tells the customer. The caller locks the term. What the
 * operator switched off, and what has ended, stays off.
 */
export const applyQuota = async (
  tx: Db,
  at: Pick<GrantContext, 'bus' | 'now'>,
  term: Term,
  option: NamedOption,
): Promise<void> => {
  const usage = await findUsage(tx, term.id)
  if (term.state === 'active') await tell(tx, term, usage, option, at.now)
  if (term.paused === 'operator') return
  await setPaused(tx, at, term, isUsedUp(usage.used, usage.traffic_limit) ? 'quota' : null)
}

/** The caller locks the term. */
export const setPaused = async (
  tx: Db,
  { bus, now }: Pick<GrantContext, 'bus' | 'now'>,
  term: Term,
  paused: Term['paused'],
): Promise<void> => {
  if (paused === term.paused) return
  const [from, to] = [optionStatus(term), optionStatus({ ...term, paused })]
  if (from !== to) moveOption(from, to)
  const isLimited = paused === 'quota' && term.state === 'active'
  if (isLimited) await updateAndTell(tx, term.id, { paused }, 'term.limited', now)
  else await updateTerm(tx, term.id, { paused })
  if (term.state !== 'active') return
  if (paused === null) await resumeAccesses(tx, bus, [term.id])
  else if (term.paused === null) await pauseAccesses(tx, bus, [term.id])
}

/** A new period has begun, maybe several ago. The caller locks the term. */
export const beginPeriod = async (
  tx: Db,
  at: Pick<GrantContext, 'bus' | 'now'>,
  term: Term,
  option: NamedOption,
): Promise<void> => {
  const { period_began_at: beganAt, used, traffic_limit: limit, owed } = await findUsage(tx, term.id)
  const present = periodAt(beganAt, at.now)
  if (present === beganAt) return
  const periods = (present - beganAt) / trafficPeriodSeconds
  await restartPeriod(tx, term.id, present, owedAfter({ used, limit, owed, periods }))
  await applyQuota(tx, at, term, option)
}
