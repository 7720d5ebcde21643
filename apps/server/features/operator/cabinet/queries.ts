import type { LogoType } from '@sallyport/contract/operator/cabinet'
import { usualBrand } from '@sallyport/domain/delivery/page/frame'
import type { Db } from '../../../db/client.ts'

/** What may be changed at once; the logo is changed alone. */
export interface CabinetChanges {
  readonly accent: string | null
  readonly welcome_ru: string | null
  readonly welcome_en: string | null
  readonly rules_ru: string | null
  readonly rules_en: string | null
  readonly mirrors: string[]
  readonly closes_connections: boolean
}

export interface ShownSettings extends CabinetChanges {
  readonly name: string
  readonly support_url: string | null
  readonly logo_type: LogoType | null
  readonly version: number
}

export const readSettings = async (db: Db): Promise<ShownSettings> => {
  const { title, ...row } = await db
    .selectFrom('cabinet_settings as cabinet')
    .innerJoin('delivery_settings as delivery', (join) => join.onTrue())
    .select([
      'delivery.title',
      'delivery.support_url',
      'cabinet.accent',
      'cabinet.welcome_ru',
      'cabinet.welcome_en',
      'cabinet.rules_ru',
      'cabinet.rules_en',
      'cabinet.mirrors',
      'cabinet.closes_connections',
      'cabinet.logo_type',
      'cabinet.version',
    ])
    .executeTakeFirstOrThrow()
  return { name: title ?? usualBrand, ...row }
}

/** Held until the transaction ends, so that two changes come one after another. */
export const lockCabinet = async (tx: Db): Promise<void> => {
  await tx.selectFrom('cabinet_settings').select('version').forNoKeyUpdate().executeTakeFirstOrThrow()
}

/** Only what is given. */
export const writeSettings = async (tx: Db, given: Partial<CabinetChanges>): Promise<void> => {
  if (Object.keys(given).length === 0) return
  await tx.updateTable('cabinet_settings').set(given).execute()
}

export interface KeptLogo {
  readonly logo: Uint8Array | null
  readonly logo_type: LogoType | null
  readonly version: number
}

export const readLogo = (db: Db): Promise<KeptLogo> =>
  db.selectFrom('cabinet_settings').select(['logo', 'logo_type', 'version']).executeTakeFirstOrThrow()

export const writeLogo = async (tx: Db, kept: Omit<KeptLogo, 'version'>): Promise<void> => {
  await tx.updateTable('cabinet_settings').set(kept).execute()
}
