import type { Report } from '@sallyport/contract/agent/report'
import { itemOf } from '../../core/fleet/placements.ts'
import { notify } from '../../core/kernel/notifications.ts'
import type { Db } from '../../db/client.ts'
import { findRefused } from './queries.ts'

/** Tells customers what an engine would not take, once for each change. */
export const noteRefusals = async (
  tx: Db,
  nodeId: number,
  refused: Report['refused'],
  now: number,
): Promise<void> => {
  if (refused.length === 0) return
  const items = await findRefused(tx, nodeId, refused)
  for (const { access_id: accessId, revision, user_id: userId, config_id: id, title } of items) {
    const item = itemOf(accessId)
    const name = title ?? `№ ${id}`
    const reason = refused.find((entry) => entry.id === item)?.reason ?? ''
    await notify(tx, {
      userId,
      cause: `refused:${nodeId}:${item}:${revision}`,
      ru: `Сервер не принимает конфигурацию «${name}» в её нынешнем виде: ${reason}. Прежний вариант работает, если он был; измените настройки ещё раз или сбросьте их.`,
      en: `The server does not take the configuration "${name}" as it is now: ${reason}. The former one goes on if there was one; change the settings again, or reset them.`,
      now,
    })
  }
}
