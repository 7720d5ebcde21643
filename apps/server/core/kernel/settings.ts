import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** What the operator may change while the service runs. */
export interface Settings {
  readonly referral_percent: number
  readonly referral_hold_days: number
  /** Whose days and hours figures are of. */
  readonly time_zone: string
  /** Withdrawals above it need two people; null is none. */
  readonly two_person_amount: number | null
}

/** What holds until then. */
export const settingDefaults: Settings = {
  referral_percent: 20,
  referral_hold_days: 14,
  time_zone: 'Europe/Moscow',
  two_person_amount: null,
}

export type SettingKey = keyof Settings

export interface VersionedSettings extends Settings {
  readonly version: number
}

export const readSettings = async (db: Db): Promise<VersionedSettings> => {
  const { rows } = await sql<{ key: string | null; value: unknown; version: number }>`
    select s.key, s.value, v.version from settings_version v
    left join settings s on s.key = any(${Object.keys(settingDefaults)}::text[])`.execute(db)
  const said = rows.filter(({ key }) => key !== null).map(({ key, value }) => [key, value])
  return { ...settingDefaults, ...Object.fromEntries(said), version: rows[0]?.version ?? 1 }
}

/** Two who change settings come one after another. */
export const lockSettings = async (tx: Db): Promise<VersionedSettings> => {
  await tx.selectFrom('settings_version').select('version').forUpdate().execute()
  return readSettings(tx)
}

export const writeSetting = async <K extends SettingKey>(
  tx: Db,
  key: K,
  value: Settings[K],
  now: number,
): Promise<void> => {
  const changed = { value: JSON.stringify(value), updated_at: now }
  await tx
    .insertInto('settings')
    .values({ key, ...changed })
    .onConflict((oc) => oc.column('key').doUpdateSet(changed))
    .execute()
}
