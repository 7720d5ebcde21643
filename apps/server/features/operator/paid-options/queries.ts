import { type Insertable, sql } from 'kysely'
import type { Option } from '../../../core/options/catalogue.ts'
import type { Db } from '../../../db/client.ts'
import type { OptionTables } from '../../../db/option-types.ts'

/** Options with their servers and tariffs, as the operator sees them. */

export interface OptionRow extends Omit<Option, 'revision'> {
  readonly servers: { readonly server_id: number; readonly index: number }[]
  readonly tariffs: {
    readonly id: number
    readonly days: number
    readonly prices: {
      readonly payment_method_id: number
      readonly currency: string
      readonly price: number
      readonly old_price: number | null
    }[]
  }[]
}

/** All, or one of them. */
export const readOptions = async (db: Db, id: number | null): Promise<OptionRow[]> => {
  const { rows } = await sql<OptionRow>`
    select p.id, p.key, p.title_ru, p.title_en, p.caption_ru, p.caption_en, p.description_ru, p.description_en,
      p.protocol, p.device_limit, p.traffic_limit, p.most_devices, p.most_traffic, p.is_active,
      coalesce((select json_agg(json_build_object('server_id', s.server_id, 'index', s.position) order by s.position)
        from paid_option_servers s where s.option_id = p.id), '[]') as servers,
      coalesce((select json_agg(json_build_object('id', t.id, 'days', t.days, 'prices', (
          select json_agg(json_build_object('payment_method_id', r.payment_method_id, 'currency', m.currency,
            'price', r.price, 'old_price', r.old_price) order by r.payment_method_id)
          from tariff_prices r join payment_methods m on m.id = r.payment_method_id where r.tariff_id = t.id))
        order by t.days)
        from tariffs t where t.product = 'paid_options' and t.product_id = p.id
          and exists (select from tariff_prices r where r.tariff_id = t.id)), '[]') as tariffs
    from paid_options p where ${id}::bigint is null or p.id = ${id}::bigint order by p.id`.execute(db)
  return rows
}

export const holdOptionRow = async (tx: Db, id: number): Promise<boolean> =>
  (await tx.selectFrom('paid_options').select('id').where('id', '=', id).forUpdate().executeTakeFirst()) !==
  undefined

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
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('paid_options').set(fields).where('id', '=', id).execute()
}

/** Those of these servers that are the operator's and offer the protocol. */
export const listFitting = async (
  tx: Db,
  serverIds: readonly number[],
  protocol: string,
): Promise<Set<number>> => {
  const rows = await tx
    .selectFrom('servers as s')
    .innerJoin('inbounds as i', 'i.server_id', 's.id')
    .select('s.id')
    .where('s.id', 'in', serverIds.length > 0 ? serverIds : [0])
    .where('s.owner_term_id', 'is', null)
    .where('i.protocol', '=', protocol)
    .execute()
  return new Set(rows.map((row) => row.id))
}

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

export interface TariffPrice {
  readonly payment_method_id: number
  readonly price: number
  readonly old_price: number | null
}

/** One tariff for each length; a length that was sold before has the number it had. */
export const storeTariffs = async (
  tx: Db,
  optionId: number,
  tariffs: readonly { readonly days: number; readonly prices: readonly TariffPrice[] }[],
): Promise<void> => {
  const known = await tx
    .selectFrom('tariffs')
    .select(['id', 'days'])
    .where('product', '=', 'paid_options')
    .where('product_id', '=', optionId)
    .execute()
  const ids = known.map((tariff) => tariff.id)
  if (ids.length > 0) await tx.deleteFrom('tariff_prices').where('tariff_id', 'in', ids).execute()
  for (const { days, prices } of tariffs) {
    const id = known.find((tariff) => tariff.days === days)?.id ?? (await insertTariff(tx, optionId, days))
    await tx
      .insertInto('tariff_prices')
      .values(prices.map((price) => ({ ...price, tariff_id: id })))
      .execute()
  }
}

const insertTariff = async (tx: Db, optionId: number, days: number): Promise<number> => {
  // Tariffs are few and numbered by hand in catalogues; whoever makes one waits for whoever is making another.
  await sql`lock table tariffs in share row exclusive mode`.execute(tx)
  const { id } = await tx
    .insertInto('tariffs')
    .values((eb) => ({
      id: eb.selectFrom('tariffs').select(sql<number>`coalesce(max(id), 0) + 1`.as('id')),
      product: 'paid_options',
      product_id: optionId,
      days,
    }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const listCurrencies = async (tx: Db): Promise<ReadonlyMap<number, string>> => {
  const rows = await tx.selectFrom('payment_methods').select(['id', 'currency']).execute()
  return new Map(rows.map((row) => [row.id, row.currency]))
}
