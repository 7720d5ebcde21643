import type { BridgeType } from '@sallyport/contract/shapes'
import type { Db } from '../../db/client.ts'
import { placeAgain } from '../fleet/placements.ts'
import type { Bus } from '../kernel/bus.ts'
import { notify } from '../kernel/notifications.ts'

/** A bridge sends the traffic of one item on through another of the same customer. */

export interface BridgeEnd {
  readonly type: BridgeType
  readonly id: number
}

/** Every bridge of a customer, oldest first; there are few. */
export const listBridges = (db: Db, userId: number) =>
  db.selectFrom('bridges').selectAll().where('user_id', '=', userId).orderBy('id').execute()

export const findBridge = (db: Db, userId: number, id: number) =>
  db.selectFrom('bridges').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

export const findBridgeFrom = (db: Db, entry: BridgeEnd) =>
  db
    .selectFrom('bridges')
    .selectAll()
    .where('entry_type', '=', entry.type)
    .where('entry_id', '=', entry.id)
    .executeTakeFirst()

/** An entry has one: a new one takes the place of the old. The caller holds the entry. */
export const storeBridge = async (
  tx: Db,
  bridge: {
    readonly userId: number
    readonly entry: BridgeEnd
    readonly exit: BridgeEnd
    readonly now: number
  },
): Promise<void> => {
  await removeBridgeFrom(tx, bridge.entry)
  await tx
    .insertInto('bridges')
    .values({
      user_id: bridge.userId,
      entry_type: bridge.entry.type,
      entry_id: bridge.entry.id,
      exit_type: bridge.exit.type,
      exit_id: bridge.exit.id,
      created_at: bridge.now,
    })
    .execute()
}

export const removeBridgeFrom = async (tx: Db, entry: BridgeEnd): Promise<void> => {
  await tx
    .deleteFrom('bridges')
    .where('entry_type', '=', entry.type)
    .where('entry_id', '=', entry.id)
    .execute()
}

/** False when the customer has none of this id any more. The caller holds the entry. */
export const removeBridge = async (tx: Db, userId: number, id: number): Promise<boolean> => {
  const removed = await tx
    .deleteFrom('bridges')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

/** Holds the entries of bridges to these, after the exits themselves and before any server or node. */
export const holdEntriesTo = async (tx: Db, exitIds: readonly number[]): Promise<number[]> => {
  if (exitIds.length === 0) return []
  const rows = await tx
    .selectFrom('configs as c')
    .innerJoin('bridges as b', 'b.entry_id', 'c.id')
    .select('c.id')
    .where('b.entry_type', '=', 'config')
    .where('b.exit_type', '=', 'config')
    .where('b.exit_id', 'in', exitIds)
    .orderBy('c.id')
    .forUpdate('c')
    .execute()
  return rows.map((row) => row.id)
}

/** The exits were changed: their entries learn how to reach them now. */
export const refreshBridgesTo = async (tx: Db, bus: Bus, exitId: number): Promise<void> => {
  const entries = await tx
    .selectFrom('bridges')
    .select('entry_id')
    .where('exit_type', '=', 'config')
    .where('exit_id', '=', exitId)
    .where('entry_type', '=', 'config')
    .execute()
  for (const { entry_id } of entries) await placeAgain(tx, bus, entry_id, true)
}

/** The exits are gone: the entries' traffic leaves from the entries again, and the customers are told. */
export const removeBridgesTo = async (
  tx: Db,
  bus: Bus,
  exitIds: readonly number[],
  now: number,
): Promise<void> => {
  if (exitIds.length === 0) return
  const removed = await tx
    .deleteFrom('bridges')
    .where('exit_type', '=', 'config')
    .where('exit_id', 'in', exitIds)
    .returning(['user_id', 'entry_type', 'entry_id', 'exit_id', 'created_at'])
    .execute()
  for (const bridge of removed.toSorted((a, b) => a.entry_id - b.entry_id)) {
    const { entry_id: entry, exit_id: exit } = bridge
    if (bridge.entry_type === 'config') await placeAgain(tx, bus, entry, true)
    await notify(tx, {
      userId: bridge.user_id,
      cause: `bridge-removed:${bridge.entry_type}:${entry}:${exit}:${bridge.created_at}:${now}`,
      ru: `Мост снят: конфигурация № ${exit}, через которую шёл трафик конфигурации № ${entry}, больше не работает. Трафик снова выходит с её собственного сервера.`,
      en: `The bridge was removed: configuration ${exit}, through which configuration ${entry} went on, no longer works. Its traffic leaves from its own server again.`,
      now,
    })
  }
}
