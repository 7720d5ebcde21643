import type { CloudStatus } from '@sallyport/contract/customer/cloud-servers/shapes'
import { moveCloud } from '@sallyport/domain/lifecycle/cloud-status'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { CloudTables } from '../../db/tables/cloud-types.ts'
import { takeDue } from '../kernel/due-rows.ts'
import { lockTerms } from '../terms/terms.ts'

/** Customers' machines as they are kept. Whoever changes one locks its term. */

export type Machine = Selectable<CloudTables['machines']>
type Columns = Updateable<CloudTables['machines']>

export const nextItem = sql<number>`nextval('machine_items')`

export interface NewMachine {
  readonly id: number
  readonly termId: number
  readonly orderId: number
  readonly locationId: number
  readonly configurationId: number
  readonly hostname: string | null
  readonly now: number
}

export const insertMachine = async (tx: Db, machine: NewMachine): Promise<void> => {
  const { now } = machine
  await tx
    .insertInto('machines')
    .values({
      id: machine.id,
      term_id: machine.termId,
      order_id: machine.orderId,
      location_id: machine.locationId,
      configuration_id: machine.configurationId,
      hostname: machine.hostname,
      search_began_at: now,
      next_step_at: now,
      created_at: now,
    })
    .execute()
}

export const findMachine = (db: Db, id: number): Promise<Machine | undefined> =>
  db.selectFrom('machines').selectAll().where('id', '=', id).executeTakeFirst()

/** The caller locks its term. */
export const lockMachine = (tx: Db, id: number): Promise<Machine | undefined> =>
  tx.selectFrom('machines').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** Whoever it belongs to, also when its term is over for good. */
export const lockWithTerm = async (
  tx: Db,
  { id, term_id }: Pick<Machine, 'id' | 'term_id'>,
): Promise<Machine | undefined> => {
  await lockTerms(tx, sql`t.id = ${term_id}::bigint`)
  return lockMachine(tx, id)
}

export type MachineChange = Omit<Columns, 'id' | 'term_id' | 'order_id' | 'status' | 'turn' | 'created_at'>

/** The status it has then is the only one that is moved through the table of transitions. */
export const changeMachine = async (
  tx: Db,
  machine: Pick<Machine, 'id' | 'status'>,
  change: MachineChange,
  to: CloudStatus = machine.status,
): Promise<void> => {
  const status = to === machine.status ? to : moveCloud(machine.status, to)
  await tx
    .updateTable('machines')
    .set((eb) => ({ ...change, status, turn: eb('turn', '+', 1) }))
    .where('id', '=', machine.id)
    .execute()
}

/** What is to become of these; they are looked at in the next round. */
export const wantMachines = async (
  tx: Db,
  termIds: readonly number[],
  wanted: Machine['wanted'],
  now: number,
): Promise<void> => {
  await tx
    .updateTable('machines')
    .set((eb) => ({
      wanted,
      next_step_at: now,
      tries: 0,
      turn: eb('turn', '+', 1),
      // What is switched off is not restarted; it comes up fresh anyway.
      reboot_at: null,
      rebooting_since: null,
      // The time for which nobody wanted it is nobody's wait.
      ...(wanted === 'on' && { search_began_at: now }),
    }))
    .where('term_id', 'in', termIds)
    .where('gone_at', 'is', null)
    .execute()
}

const leaseSeconds = 120
const batchSize = 20

/** Taken for as long as a provider with all its patience may need. */
export const takeDueMachines = (db: Db, now: number): Promise<{ id: number; cloud_id: number | null }[]> =>
  takeDue(db, { table: 'machines', column: 'next_step_at', leaseSeconds, limit: batchSize, now }, [
    'id',
    'cloud_id',
  ])

/** Nobody came to these; they are as due as they were. */
export const returnDueMachines = async (db: Db, ids: readonly number[], now: number): Promise<void> => {
  if (ids.length === 0) return
  await db
    .updateTable('machines')
    .set({ next_step_at: now })
    .where('id', 'in', ids)
    .where('gone_at', 'is', null)
    .execute()
}
