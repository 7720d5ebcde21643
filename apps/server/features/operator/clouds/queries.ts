import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import type { CloudKind } from '../../../core/clouds/accounts.ts'
import type { Machine } from '../../../core/clouds/machines.ts'
import type { Db } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/driver.ts'
import type { CloudTables } from '../../../db/tables/cloud-types.ts'

/** Where machines come from, without what opens its doors; and customers' machines. */

export interface CloudRow {
  readonly id: number
  readonly kind: CloudKind
  readonly title: string
  readonly has_token: boolean
  readonly node_id: number | null
  readonly is_active: boolean
  readonly created_at: number
  readonly version: number
}

/** All that are there, or one of them. */
export const readClouds = async (db: Db, id: number | null): Promise<CloudRow[]> => {
  const { rows } = await sql<CloudRow>`
    select id, kind, title, token_sealed is not null as has_token, node_id, is_active, created_at, version
    from clouds where deleted_at is null and (${id}::bigint is null or id = ${id}::bigint) order by id`.execute(
    db,
  )
  return rows
}

/** Nothing comes from there, and nobody else changes it, until the transaction ends. */
export const lockCloud = (tx: Db, id: number): Promise<{ kind: CloudKind } | undefined> =>
  tx
    .selectFrom('clouds')
    .select('kind')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()

type CloudFields = Insertable<CloudTables['clouds']>

/** Undefined when the title is taken. */
export const insertCloud = async (tx: Db, fields: CloudFields): Promise<number | undefined> => {
  const made = await tx
    .insertInto('clouds')
    .values(fields)
    .onConflict((oc) => oc.column('title').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** False when the title is taken; the transaction is of no use then. */
export const updateCloud = async (tx: Db, id: number, fields: Partial<CloudFields>): Promise<boolean> => {
  if (Object.keys(fields).length === 0) return true
  try {
    await tx.updateTable('clouds').set(fields).where('id', '=', id).execute()
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}

export interface CloudUse {
  /** That are not gone. */
  readonly machines: number
  readonly customers: number
  /** That offer it. */
  readonly configurations: { readonly id: number; readonly title: string }[]
}

export const readCloudUse = async (tx: Db, id: number): Promise<CloudUse> => {
  const { rows } = await sql<CloudUse>`
    select count(m.id)::int as machines, count(distinct t.user_id)::int as customers,
      (select coalesce(json_agg(json_build_object('id', c.id, 'title', c.title_en) order by c.id), '[]')
        from cloud_configurations c
        where c.id in (select configuration_id from cloud_offers where cloud_id = ${id}::bigint)) as configurations
    from machines m join terms t on t.id = m.term_id
    where m.cloud_id = ${id}::bigint and m.gone_at is null`.execute(tx)
  return rows[0] as CloudUse
}

/** It stays for the machines that it gave, without what opens its doors. */
export const removeCloud = async (tx: Db, id: number, now: number): Promise<void> => {
  await tx
    .updateTable('clouds')
    .set({ deleted_at: now, is_active: false, token_sealed: null, node_id: null })
    .where('id', '=', id)
    .execute()
}

export interface MachineRow
  extends Pick<
    Machine,
    | 'id'
    | 'order_id'
    | 'location_id'
    | 'configuration_id'
    | 'hostname'
    | 'status'
    | 'wanted'
    | 'cloud_id'
    | 'region'
    | 'machine_type'
    | 'ref'
    | 'address'
    | 'node_id'
    | 'attempt'
    | 'problem'
    | 'next_step_at'
    | 'created_at'
    | 'activated_at'
    | 'gone_at'
  > {
  readonly user_id: number
  readonly cloud: string | null
}

const machinesWhere = async (
  db: Db,
  condition: ReturnType<typeof sql>,
  page: Pick<MachineFilter, 'limit' | 'before' | 'offset'>,
): Promise<MachineRow[]> => {
  const isBefore = page.before === undefined ? sql`true` : sql`m.id < ${page.before}::bigint`
  const { rows } = await sql<MachineRow>`
    select m.id, t.user_id, m.order_id, m.location_id, m.configuration_id, m.hostname, m.status, m.wanted, m.cloud_id,
      c.title as cloud, m.region, m.machine_type, m.ref, m.address, m.node_id, m.attempt, m.problem, m.next_step_at,
      m.created_at, m.activated_at, m.gone_at
    from machines m join terms t on t.id = m.term_id left join clouds c on c.id = m.cloud_id
    where ${condition} and ${isBefore} order by m.id desc limit ${page.limit} offset ${page.offset ?? 0}`.execute(
    db,
  )
  return rows
}

const living = (status: Machine['status']) =>
  sql`m.status = ${status} and m.wanted <> 'gone' and m.gone_at is null`

const conditions = {
  needs_attention: sql`m.problem is not null and m.gone_at is null`,
  ordered: living('ordered'),
  purchased: living('purchased'),
  active: living('active'),
  leaving: sql`m.wanted = 'gone' and m.gone_at is null`,
  gone: sql`m.gone_at is not null`,
}

export interface MachineFilter {
  readonly state: keyof typeof conditions | undefined
  readonly userId: number | undefined
  readonly limit: number
  readonly before?: number | undefined
  readonly offset?: number | undefined
}

export const listMachines = (db: Db, { state, userId, ...page }: MachineFilter): Promise<MachineRow[]> => {
  const ofState = state === undefined ? sql`true` : conditions[state]
  const ofUser = userId === undefined ? sql`true` : sql`t.user_id = ${userId}::bigint`
  return machinesWhere(db, sql`${ofState} and ${ofUser}`, page)
}

export const readMachine = async (db: Db, id: number): Promise<MachineRow> => {
  const [row] = await machinesWhere(db, sql`m.id = ${id}::bigint`, { limit: 1 })
  return row as MachineRow
}
