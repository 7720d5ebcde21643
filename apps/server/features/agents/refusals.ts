import type { Report } from '@sallyport/contract/agent/report'
import { dayOf } from '@sallyport/domain/time/period'
import type { Metered } from '../../core/fleet/metering.ts'
import { itemOf } from '../../core/fleet/placements.ts'
import type { RefusalReason, RefusedCounters } from '../../core/fleet/traffic-plausibility.ts'
import { raiseAlert } from '../../core/kernel/alerts.ts'
import { notify } from '../../core/kernel/notifications.ts'
import { isOfPlace } from '../../core/vpn/failover/reported-failures.ts'
import { afterCommit, type Db } from '../../db/client.ts'
import { findRefused } from './queries.ts'

/** Counts what was not believed. More than a line carries is an alert, one a day: only a person can tell whose node it is now. */
export const tellRefused = async (
  tx: Db,
  counters: RefusedCounters,
  { nodeId, refused, now }: Pick<Metered, 'refused'> & { nodeId: number; now: number },
): Promise<void> => {
  for (const [reason, count] of Object.entries(refused) as [RefusalReason, number][]) {
    if (count > 0) afterCommit(() => counters.add(reason, count))
  }
  if (!refused.impossible) return
  await raiseAlert(tx, {
    kind: 'traffic_refused',
    subject: `node:${nodeId}:${dayOf(now)}`,
    details: { node_id: nodeId, counters: refused.impossible },
    now,
  })
}

type Telling = Pick<Report, 'refused' | 'not_carried'>

/** Those that are refused for what the customer wrote; what a place is at fault for goes to another by itself. */
const customersOwn = ({ refused, not_carried }: Telling): Report['refused'] => {
  const unfit = not_carried && new Set(not_carried.unfit)
  return refused.filter(({ id, reason }) => (unfit ? unfit.has(id) : !isOfPlace(reason)))
}

/** Tells customers what an engine would not take, once for each change. */
export const noteRefusals = async (tx: Db, nodeId: number, report: Telling, now: number): Promise<void> => {
  const refused = customersOwn(report)
  if (refused.length === 0) return
  const items = await findRefused(tx, nodeId, refused)
  for (const { access_id: accessId, revision, user_id: userId, config_id: id, title } of items) {
    const item = itemOf(accessId)
    const name = title ?? `№ ${id}`
    const reason = refused.find((entry) => entry.id === item)?.reason ?? ''
    await notify(tx, {
      userId,
      cause: `refused:${nodeId}:${item}:${revision}`,
      ru: `Сервер не принимает подключение «${name}» в его нынешнем виде: ${reason}. Прежний вариант работает, если он был; измените настройки ещё раз или сбросьте их.`,
      en: `The server does not accept the connection “${name}” as it is now: ${reason}. The previous version keeps working if there was one; change the settings again, or reset them.`,
      now,
    })
  }
}
