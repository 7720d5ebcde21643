import type { Db } from '../../db/client.ts'

/** What the operator may change while the service runs, with what holds until then. */
export const settingDefaults = {
  referral_percent: 20,
  referral_hold_days: 14,
} as const

export type SettingKey = keyof typeof settingDefaults
export type Settings = { readonly [K in SettingKey]: number }

export const readSettings = async (db: Db): Promise<Settings> => {
  const keys = Object.keys(settingDefaults)
  const rows = await db.selectFrom('settings').select(['key', 'value']).where('key', 'in', keys).execute()
  return { ...settingDefaults, ...Object.fromEntries(rows.map((row) => [row.key, row.value])) }
}

export const writeSetting = async (tx: Db, key: SettingKey, value: number, now: number): Promise<void> => {
  const changed = { value: JSON.stringify(value), updated_at: now }
  await tx
    .insertInto('settings')
    .values({ key, ...changed })
    .onConflict((oc) => oc.column('key').doUpdateSet(changed))
    .execute()
}
