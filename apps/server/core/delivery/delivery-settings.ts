import type { UnnamedDevices } from '@sallyport/contract/operator/delivery'
import type { Arrangement } from '@sallyport/domain/delivery/apps/arrange'
import type { TemplateKind } from '@sallyport/domain/delivery/templates/template'
import type { JsonObject } from '@sallyport/domain/text/strict-json'
import { type Db, prepared } from '../../db/client.ts'

/** What the operator decides about delivery, as it is kept. */

export interface DeliverySettings {
  readonly title: string | null
  readonly support_url: string | null
  readonly account_url: string | null
  readonly unnamed_devices: UnnamedDevices
  readonly announce_ru: string | null
  readonly announce_en: string | null
  readonly update_interval_hours: number
  readonly happ_routing: JsonObject | null
  readonly happ_routing_enabled: boolean | null
}

const settingColumns = [
  'title',
  'support_url',
  'account_url',
  'unnamed_devices',
  'announce_ru',
  'announce_en',
  'update_interval_hours',
  'happ_routing',
  'happ_routing_enabled',
] as const

/** The version is that of everything about delivery. */
export interface VersionedSettings extends DeliverySettings {
  readonly version: number
}

export const readDeliverySettings = (db: Db): Promise<VersionedSettings> =>
  db
    .selectFrom('delivery_settings')
    .select([...settingColumns, 'version'])
    .executeTakeFirstOrThrow() as Promise<VersionedSettings>

/** Held until the transaction ends, so that two changes come one after another. */
export const lockDeliverySettings = (tx: Db): Promise<VersionedSettings> =>
  tx
    .selectFrom('delivery_settings')
    .select([...settingColumns, 'version'])
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow() as Promise<VersionedSettings>

/** Only what is given. */
export const writeDeliverySettings = async (tx: Db, given: Partial<DeliverySettings>): Promise<void> => {
  const { happ_routing: routing, ...plain } = given
  const fields = {
    ...plain,
    ...(routing !== undefined && { happ_routing: routing === null ? null : JSON.stringify(routing) }),
  }
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('delivery_settings').set(fields).execute()
}

/** The catalogue as it comes. */
export const asItComes: Arrangement = { order: [], hidden: [], added: [] }

export interface VersionedArrangement extends Arrangement {
  readonly version: number
}

export const readArrangement = async (db: Db): Promise<VersionedArrangement> => {
  const { apps, version } = await db
    .selectFrom('delivery_settings')
    .select(['apps', 'version'])
    .executeTakeFirstOrThrow()
  return { ...((apps as Arrangement | null) ?? asItComes), version }
}

export const writeArrangement = async (tx: Db, arrangement: Arrangement): Promise<void> => {
  await tx
    .updateTable('delivery_settings')
    .set({ apps: JSON.stringify(arrangement) })
    .execute()
}

export interface KeptTemplate {
  readonly kind: TemplateKind
  readonly template: string
  readonly changed_at: number
}

/** Without their texts, which may be long. */
export const listTemplates = (db: Db): Promise<Omit<KeptTemplate, 'template'>[]> =>
  db.selectFrom('delivery_templates').select(['kind', 'changed_at']).orderBy('kind').execute() as Promise<
    Omit<KeptTemplate, 'template'>[]
  >

export const findTemplate = (db: Db, kind: TemplateKind): Promise<KeptTemplate | undefined> =>
  db
    .selectFrom('delivery_templates')
    .select(['kind', 'template', 'changed_at'])
    .where('kind', '=', kind)
    .executeTakeFirst() as Promise<KeptTemplate | undefined>

export const writeTemplate = async (tx: Db, { kind, ...kept }: KeptTemplate): Promise<void> => {
  await tx
    .insertInto('delivery_templates')
    .values({ kind, ...kept })
    .onConflict((conflict) => conflict.column('kind').doUpdateSet(kept))
    .execute()
}

/** Whether there was one. */
export const removeTemplate = async (tx: Db, kind: TemplateKind): Promise<boolean> =>
  (await tx
    .deleteFrom('delivery_templates')
    .where('kind', '=', kind)
    .returning('kind')
    .executeTakeFirst()) !== undefined

export interface Decided extends DeliverySettings {
  readonly version: number
  readonly apps: Arrangement | null
  readonly templates: Readonly<Partial<Record<TemplateKind, string>>>
}

const decidedNow = prepared<[], Decided>(
  `select version, ${settingColumns.join(', ')}, apps,
     coalesce((select json_object_agg(kind, template) from delivery_templates), '{}'::json) as templates
   from delivery_settings`,
)

/** Everything of one moment, with its version. */
export const readDecided = async (db: Db): Promise<Decided> => (await decidedNow(db))[0] as Decided

const versionNow = prepared<[], { readonly version: number }>('select version from delivery_settings')

export const readDecidedVersion = async (db: Db): Promise<number> =>
  ((await versionNow(db))[0] as { readonly version: number }).version
