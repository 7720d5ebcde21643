import { sql } from 'kysely'
import { beginAgain, type Db } from '../../../db/client.ts'
import { placeAgain } from '../../fleet/placements.ts'
import type { Bus } from '../../kernel/bus.ts'
import { notify } from '../../kernel/notifications.ts'

/** A bridge sends the traffic of one access on through another of the same customer. */

/** Every bridge of a customer, oldest first, with the products of both ends; there are few. */
export const listBridges = (db: Db, userId: number) =>
  db
    .selectFrom('bridges as b')
    .innerJoin('accesses as entry', 'entry.id', 'b.entry_id')
    .innerJoin('terms as entry_term', 'entry_term.id', 'entry.term_id')
    .innerJoin('accesses as exit', 'exit.id', 'b.exit_id')
    .innerJoin('terms as exit_term', 'exit_term.id', 'exit.term_id')
    .select(['b.id', 'b.entry_id', 'b.exit_id', 'b.created_at'])
    .select(['entry_term.product as entry_product', 'exit_term.product as exit_product'])
    .where('b.user_id', '=', userId)
    .orderBy('b.id')
    .execute()

export const findBridge = (db: Db, userId: number, id: number) =>
  db.selectFrom('bridges').selectAll().where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()

export const findBridgeFrom = (db: Db, entryId: number) =>
  db.selectFrom('bridges').selectAll().where('entry_id', '=', entryId).executeTakeFirst()

/** An entry has one: a new one takes the place of the old. The caller locks the entry. */
export const storeBridge = async (
  tx: Db,
  bridge: {
    readonly userId: number
    readonly entryId: number
    readonly exitId: number
    readonly now: number
  },
): Promise<void> => {
  await removeBridgeFrom(tx, bridge.entryId)
  await tx
    .insertInto('bridges')
    .values({
      user_id: bridge.userId,
      entry_id: bridge.entryId,
      exit_id: bridge.exitId,
      created_at: bridge.now,
    })
    .execute()
}

export const removeBridgeFrom = async (tx: Db, entryId: number): Promise<void> => {
  await tx.deleteFrom('bridges').where('entry_id', '=', entryId).execute()
}

/** False when the customer has none of this id any more. The caller locks the entry. */
export const removeBridge = async (tx: Db, userId: number, id: number): Promise<boolean> => {
  const removed = await tx
    .deleteFrom('bridges')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return removed !== undefined
}

/**
 * The entries of bridges to these, before any server or node is locked. Whoever locked the terms of the exits has theirs too; only a bridge that was
 * made while that waited leads from a term that may be another's, and is not waited for: the transaction begins again.
 */
export const lockEntriesTo = async (tx: Db, exitIds: readonly number[]): Promise<number[]> => {
  if (exitIds.length === 0) return []
  const { rows } = await sql<{ entry_id: number; is_held: boolean }>`
    with entries as materialized (
      select b.entry_id, a.term_id from unnest(${[...exitIds]}::bigint[]) as exit (id)
      cross join lateral (select entry_id from bridges where exit_id = exit.id offset 0) b
      join accesses a on a.id = b.entry_id),
    held as materialized (
      select id from terms where id = any(array(select term_id from entries)) for update skip locked)
    select entry_id, term_id = any(array(select id from held)) as is_held from entries order by entry_id`.execute(
    tx,
  )
  if (rows.some((row) => !row.is_held)) throw beginAgain('A bridge was made meanwhile')
  return rows.map((row) => row.entry_id)
}

const entriesTo = (tx: Db, exitIds: readonly number[]) =>
  tx.selectFrom('bridges').select('entry_id').where('exit_id', 'in', exitIds).orderBy('entry_id').execute()

/** The exit was changed: its entries learn how to reach it now. */
export const refreshBridgesTo = async (tx: Db, bus: Bus, exitId: number): Promise<void> => {
  const entries = await entriesTo(tx, [exitId])
  await placeAgain(
    tx,
    bus,
    entries.map((row) => row.entry_id),
    true,
  )
}

/** The entry was changed by others into one that cannot begin a bridge, and the customer is told. */
export const removeBridgeOf = async (
  tx: Db,
  entry: { readonly id: number; readonly userId: number },
  now: number,
): Promise<void> => {
  const bridge = await findBridgeFrom(tx, entry.id)
  if (!bridge) return
  await removeBridgeFrom(tx, entry.id)
  await notify(tx, {
    userId: entry.userId,
    cause: `bridge-removed:${bridge.id}`,
    ru: `Мост снят: подключение № ${entry.id} теперь работает по другому протоколу, и его трафик выходит с его собственного сервера.`,
    en: `The bridge was removed: connection ${entry.id} has another protocol now, and its traffic exits from its own server.`,
    now,
  })
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
    .where('exit_id', 'in', exitIds)
    .returning(['id', 'user_id', 'entry_id', 'exit_id'])
    .execute()
  const bridges = removed.toSorted((a, b) => a.entry_id - b.entry_id)
  await placeAgain(
    tx,
    bus,
    bridges.map((bridge) => bridge.entry_id),
    true,
  )
  for (const { id, user_id: userId, entry_id: entry, exit_id: exit } of bridges) {
    await notify(tx, {
      userId,
      cause: `bridge-removed:${id}`,
      ru: `Мост снят: подключение № ${exit}, через которое шёл трафик подключения № ${entry}, больше не работает. Трафик снова выходит с его собственного сервера.`,
      en: `The bridge was removed: connection ${exit}, through which connection ${entry} exited, no longer works. Its traffic exits from its own server again.`,
      now,
    })
  }
}
