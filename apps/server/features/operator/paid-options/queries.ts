import { type Insertable, sql } from 'kysely'
import type { Option } from '../../../core/options/option-catalogue.ts'
import type { Db } from '../../../db/client.ts'
import type { OptionTables } from '../../../db/tables/option-types.ts'
import { type TariffRow, tariffsOf } from '../common/tariff-queries.ts'

/** Options with their servers and tariffs, as the operator sees them. */

export interface OptionRow extends Omit<Option, 'revision'> {
  readonly version: number
  readonly servers: { readonly server_id: number; readonly index: number }[]
  /** Those of them that take no new customers. */
  readonly shut: { readonly server_id: number; readonly state: string }[]
  readonly tariffs: TariffRow[]
}

/** All, or one of them. */
export const readOptions = async (db: Db, id: number | null): Promise<OptionRow[]> => {
  const { rows } = await sql<OptionRow>`
    select p.id, p.key, p.title_ru, p.title_en, p.caption_ru, p.caption_en, p.description_ru, p.description_en,
      p.protocol, p.device_limit, p.traffic_limit, p.most_devices, p.most_traffic, p.is_active, p.version,
      coalesce((select json_agg(json_build_object('server_id', s.server_id, 'index', s.position) order by s.position)
        from paid_option_servers s where s.option_id = p.id), '[]') as servers,
      coalesce((select json_agg(json_build_object('server_id', v.id, 'state', v.state) order by s.position)
        from paid_option_servers s join servers v on v.id = s.server_id
        where s.option_id = p.id and v.state <> 'selling'), '[]') as shut,
      ${tariffsOf('paid_options', sql.ref('p.id'))} as tariffs
    from paid_options p where ${id}::bigint is null or p.id = ${id}::bigint order by p.id`.execute(db)
  return rows
}

export const lockOptionRow = async (tx: Db, id: number): Promise<boolean> =>
  (await tx.selectFrom('paid_options').select('id').where('id', '=', id).forUpdate().executeTakeFirst()) !==
  undefined

/** Those who have it, also those whose time has ended and who can renew it. */
export const countHaving = async (tx: Db, id: number): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from terms where product = 'paid_options' and product_id = ${id}::bigint and state <> 'deleted'`.execute(
    tx,
  )
  return rows[0]?.count ?? 0
}

type OptionFields = Insertable<OptionTables['paid_options']>

/** Undefined when the key is taken. */
export const insertOption = async (tx: Db, fields: OptionFields): Promise<number | undefined> => {
  const made = await tx
    .insertInto('paid_options')
    .values(fields)
    .onConflict((oc) => oc.column('key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

export const updateOption = async (tx: Db, id: number, fields: Partial<OptionFields>): Promise<void> => {
  await tx.updateTable('paid_options').set(fields).where('id', '=', id).execute()
}

/** Something of it is another, be it only its servers or tariffs. */
export const raiseVersion = async (tx: Db, id: number): Promise<void> => {
  await tx
    .updateTable('paid_options')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Those of these servers that are the operator's, offer the protocol, and sell or are of the option already. */
export const listFitting = async (
  tx: Db,
  serverIds: readonly number[],
  protocol: string,
  optionId: number | null,
): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('servers as s')
    .innerJoin('inbounds as i', 'i.server_id', 's.id')
    .select('s.id')
    .where('s.id', 'in', serverIds.length > 0 ? serverIds : [0])
    .where('s.owner_term_id', 'is', null)
    .where('i.protocol', '=', protocol)
    .where((eb) =>
      eb.or([
        eb('s.state', '=', 'selling'),
        eb.exists(
          eb
            .selectFrom('paid_option_servers as p')
            .select('p.server_id')
            .where('p.option_id', '=', optionId)
            .whereRef('p.server_id', '=', 's.id'),
        ),
      ]),
    )
    // One that is just being retired is waited for, and is none any more.
    .forKeyShare('s')
    .execute()
  return new Set(rows.map((row) => row.id))
}

/** Those of these servers that are the operator's and offer the protocol, whether they sell or not. */
export const listOffering = async (
  tx: Db,
  serverIds: readonly number[],
  protocol: string,
): Promise<{ readonly id: number }[]> =>
  tx
    .selectFrom('servers as s')
    .innerJoin('inbounds as i', 'i.server_id', 's.id')
    .select('s.id')
    .where('s.id', 'in', serverIds)
    .where('s.owner_term_id', 'is', null)
    .where('s.state', '<>', 'retired')
    .where('i.protocol', '=', protocol)
    .execute()

/** Those that stay keep their index; the others take the lowest that are free. */
export const storeServers = async (
  tx: Db,
  optionId: number,
  serverIds: readonly number[],
): Promise<boolean> => {
  const before = await tx
    .selectFrom('paid_option_servers')
    .select(['server_id', 'position'])
    .where('option_id', '=', optionId)
    .execute()
  const positions = new Map(before.map((row) => [row.server_id, row.position]))
  const leaving = before.filter((row) => !serverIds.includes(row.server_id))
  const joining = serverIds.filter((id) => !positions.has(id))
  if (leaving.length + joining.length === 0) return false
  const taken = new Set(before.filter((row) => serverIds.includes(row.server_id)).map((row) => row.position))
  if (leaving.length > 0) {
    await tx
      .deleteFrom('paid_option_servers')
      .where('option_id', '=', optionId)
      .where(
        'server_id',
        'in',
        leaving.map((row) => row.server_id),
      )
      .execute()
  }
  let next = 0
  for (const serverId of joining) {
    while (taken.has(next)) next++
    taken.add(next)
    await tx
      .insertInto('paid_option_servers')
      .values({ option_id: optionId, server_id: serverId, position: next })
      .execute()
  }
  return true
}

/** Customers' configurations have to follow. */
export const raiseOption = async (tx: Db, optionId: number): Promise<void> => {
  await tx
    .updateTable('paid_options')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', optionId)
    .execute()
}
