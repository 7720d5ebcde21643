import type { CloudStatus } from '@sallyport/contract/customer/cloud-servers/shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { StatsNode } from '../fleet/server-stats.ts'
import { lockTerm, type Term } from '../terms/terms.ts'
import { requireOn } from '../vpn/access/locked-access.ts'
import { machineOnline } from '../vpn/access/online.ts'
import type { ProductOwner } from '../vpn/access/reads.ts'
import { lockMachine, type Machine } from './machines.ts'

/** A customer's own machines. */

export interface OwnMachine {
  readonly id: number
  readonly term_id: number
  readonly location_id: number
  readonly configuration_id: number
  readonly status: CloudStatus
  readonly expires_at: number
  readonly address: string | null
  readonly is_online: boolean
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
  readonly hostname: string | null
}

/** All, or one of them; those that have ended and can be renewed too. */
export const listOwn = async (
  db: Db,
  userId: number,
  now: number,
  id: number | null = null,
): Promise<OwnMachine[]> => {
  const { rows } = await sql<OwnMachine>`
    select m.id, m.term_id, m.location_id, m.configuration_id, m.status, t.expires_at, m.address, m.hostname,
      t.auto_renewal, t.auto_renewal_days, ${sql.raw(machineOnline(String(now)))} as is_online
    from terms t join machines m on m.term_id = t.id
    left join node_status st on st.node_id = m.node_id
    where t.user_id = ${userId}::bigint and t.product = 'cloud_servers' and t.state <> 'deleted'
      and coalesce(t.item_id = ${id}::bigint, true) order by t.item_id`.execute(db)
  return rows
}

export const requireOwn = async (db: Db, userId: number, id: number, now: number): Promise<OwnMachine> => {
  const [machine] = await listOwn(db, userId, now, id)
  if (!machine) throw new ApiError('NOT_FOUND')
  return machine
}

/** Whose configurations are meant here: those on one machine of this customer. */
export const ownerOf = (userId: number, machine: Pick<OwnMachine, 'id' | 'term_id'>): ProductOwner => ({
  userId,
  product: 'cloud_servers',
  itemId: machine.id,
  scope: { ownerTermId: machine.term_id },
})

const isOwn = (userId: number, id: number) =>
  sql<boolean>`t.user_id = ${userId}::bigint and t.product = 'cloud_servers' and t.item_id = ${id}::bigint`

export interface LockedMachine {
  readonly term: Term
  readonly machine: Machine
}

/** Held until the transaction ends. */
export const lockOwn = async (tx: Db, userId: number, id: number): Promise<LockedMachine> => {
  const term = await lockTerm(tx, isOwn(userId, id))
  const machine = term && (await lockMachine(tx, id))
  if (!machine) throw new ApiError('NOT_FOUND')
  return { term, machine }
}

/** One that is the customer's to use: ready, and not ended. */
export const lockActive = async (
  tx: Db,
  userId: number,
  id: number,
  now: number,
  path = 'server_id',
): Promise<LockedMachine> => {
  const locked = await lockOwn(tx, userId, id)
  requireOn(locked.term, now, path)
  if (locked.machine.status !== 'active') {
    throw badRequest(path, 'is not ready yet; wait until its status is active')
  }
  return locked
}

/** What its load is read by; undefined before it is anywhere. */
export const findStatsNode = (db: Db, { id, is_online }: OwnMachine): Promise<StatsNode | undefined> =>
  db
    .selectFrom('machines as m')
    .innerJoin('nodes as n', 'n.id', 'm.node_id')
    .innerJoin('node_status as st', 'st.node_id', 'n.id')
    .select(['st.node_id', 'n.address as host', 'st.uptime_seconds', 'st.cpu_model'])
    .select(sql<boolean>`${is_online}::boolean`.as('is_online'))
    .where('m.id', '=', id)
    .executeTakeFirst()
