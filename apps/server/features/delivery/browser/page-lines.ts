import type { Quota, Thing } from '@sallyport/domain/delivery/page/state'
import { timeLeftUntil } from '@sallyport/domain/delivery/page/words/quantities'
import { periodAt, trafficPeriodSeconds } from '@sallyport/domain/lifecycle/option-status'
import { calledOf } from '../../../core/clouds/machine-notices.ts'
import type { Db } from '../../../db/client.ts'
import type { Delivered, DeliveryRequest } from '../entries.ts'
import { type DeliveredOption, listMachineNames, type QuotaRow } from '../queries.ts'

/** What a subscription has, each with its own end. */

/** Null of an option that carries as much as one likes. Nothing refills that ends before. */
export const quotaOf = (
  { term_id, expires_at: expiresAt }: DeliveredOption,
  quotas: readonly QuotaRow[],
  now: number,
): Quota | null => {
  const row = quotas.find((one) => one.term_id === term_id)
  if (!row) return null
  const refillsAt = periodAt(row.period_began_at, now) + trafficPeriodSeconds
  return {
    usedBytes: row.used,
    limitBytes: row.traffic_limit,
    refillsAt: refillsAt < expiresAt ? refillsAt : null,
  }
}

const ofOption = (
  option: DeliveredOption,
  quotas: readonly QuotaRow[],
  { language, now }: DeliveryRequest,
): Thing => {
  const { expires_at: expiresAt, paused, device_limit: deviceLimit } = option
  return {
    title: language === 'en' ? option.title_en : option.title_ru,
    expiresAt,
    paused,
    quota: quotaOf(option, quotas, now),
    deviceLimit,
  }
}

/** Everything that is no option, by what it is called in the list, and machines by their own names. */
const ofOthers = async (
  db: Db,
  { all }: Delivered,
  { owner, language }: DeliveryRequest,
): Promise<Thing[]> => {
  const options = new Set(owner.options.map(({ term_id }) => term_id))
  const byTerm = Map.groupBy(
    all.filter(({ term_id }) => !options.has(term_id)),
    ({ term_id }) => term_id,
  )
  const machines = owner.has_machines ? await listMachineNames(db, [...byTerm.keys()]) : []
  return [...byTerm].flatMap(([term, live]) => {
    const [first] = live
    if (!first) return []
    const machine = machines.find(({ term_id }) => term_id === term)
    const title = machine ? calledOf(machine)[language] : first.endpoint.title
    return [{ title, expiresAt: first.expires_at, paused: null, quota: null, deviceLimit: 0 }]
  })
}

/** The first to end first. */
export const listPageLines = async (
  db: Db,
  delivered: Delivered,
  quotas: readonly QuotaRow[],
  asked: DeliveryRequest,
): Promise<Thing[]> => {
  const options = asked.owner.options.map((option) => ofOption(option, quotas, asked))
  const others = await ofOthers(db, delivered, asked)
  return [...options, ...others].sort((one, other) => one.expiresAt - other.expiresAt)
}

/** From when on one of them says something else. */
export const linesUntil = (things: readonly Thing[], now: number): number =>
  Math.min(
    ...things.flatMap(({ expiresAt, quota }) => [
      timeLeftUntil(expiresAt, now),
      quota?.refillsAt ?? Number.POSITIVE_INFINITY,
    ]),
  )
