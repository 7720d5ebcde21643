import type { Db } from '../../../db/client.ts'

export interface MethodRow {
  readonly id: number
  readonly key: string
  readonly name_ru: string
  readonly name_en: string
  readonly currency: string
  readonly provider: string | null
  readonly min_amount: number
  readonly is_active: boolean
  readonly version: number
}

export const methodColumns = [
  'id',
  'key',
  'name_ru',
  'name_en',
  'currency',
  'provider',
  'min_amount',
  'is_active',
  'version',
] as const

export const listMethods = (db: Db): Promise<MethodRow[]> =>
  db.selectFrom('payment_methods').select(methodColumns).orderBy('id').execute()
