import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { type MethodRow, methodColumns } from '../common/method-queries.ts'
import { type TariffRow, tariffsOf } from '../common/tariff-queries.ts'

/** Held until the transaction ends, so that two changes come one after another. */
export const lockMethod = (tx: Db, id: number): Promise<MethodRow | undefined> =>
  tx
    .selectFrom('payment_methods')
    .select(methodColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updateMethod = (
  tx: Db,
  { id, name_ru, name_en, provider, min_amount, is_active }: MethodRow,
): Promise<MethodRow> =>
  tx
    .updateTable('payment_methods')
    .set({ name_ru, name_en, provider, min_amount, is_active })
    .where('id', '=', id)
    .returning(methodColumns)
    .executeTakeFirstOrThrow()

type NewMethod = Omit<MethodRow, 'id' | 'version'>

/** Methods are few and numbered on from the last; whoever adds some waits for whoever is adding others. */
export const lockMethods = (tx: Db) => sql`lock table payment_methods in share row exclusive mode`.execute(tx)

export const isMethodKey = async (tx: Db, key: string): Promise<boolean> =>
  (await tx.selectFrom('payment_methods').select('id').where('key', '=', key).executeTakeFirst()) !==
  undefined

/** In their order; the caller locks the methods. */
export const insertMethods = async (tx: Db, methods: readonly NewMethod[]): Promise<MethodRow[]> => {
  const { last } = await tx
    .selectFrom('payment_methods')
    .select(sql<number>`coalesce(max(id), 0)`.as('last'))
    .executeTakeFirstOrThrow()
  return tx
    .insertInto('payment_methods')
    .values(methods.map((method, n) => ({ ...method, id: last + n + 1 })))
    .returning(methodColumns)
    .execute()
}

/** What there is already of all that a service is made of; undefined when there is nothing. */
export const findAnything = async (tx: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ what: string }>`
    select what from (values
      ('locations', exists (select from locations)), ('payment methods', exists (select from payment_methods)),
      ('tariffs', exists (select from tariffs)), ('nodes', exists (select from nodes)),
      ('customers', exists (select from users)), ('clouds', exists (select from clouds)),
      ('paid options', exists (select from paid_options)),
      ('cloud configurations', exists (select from cloud_configurations)),
      ('promocodes', exists (select from promocodes)), ('webhooks', exists (select from webhooks))) as found (what, is_there)
    where is_there limit 1`.execute(tx)
  return rows[0]?.what
}

/** The version of all tariffs of configurations; nobody else changes them until the transaction ends. */
export const lockConfigTariffs = async (tx: Db): Promise<number> => {
  const { version } = await tx
    .selectFrom('config_tariffs_version')
    .select('version')
    .forUpdate()
    .executeTakeFirstOrThrow()
  return version
}

export const raiseConfigTariffs = async (tx: Db): Promise<void> => {
  await tx
    .updateTable('config_tariffs_version')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .execute()
}

/** One statement, so that version and tariffs belong together. */
export const readConfigTariffs = async (db: Db) => {
  const { rows } = await sql<{ version: number; tariffs: TariffRow[] }>`
    select version, ${tariffsOf('configs', sql`null::bigint`)} as tariffs from config_tariffs_version`.execute(
    db,
  )
  return rows[0] as { version: number; tariffs: TariffRow[] }
}
