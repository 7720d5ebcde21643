import { language } from '../../../lib/language.ts'
import type { Resource } from '../../../lib/resource.ts'
import type { api } from '../../api.ts'

export type Method = Awaited<ReturnType<typeof api.listPaymentMethods>>[number]

export interface MethodProps {
  readonly row: Method
  readonly of: Resource<Method[]>
}

export const nameOf = ({ name_ru, name_en }: Pick<Method, 'name_ru' | 'name_en'>): string =>
  language === 'ru' ? name_ru : name_en

/** From the customer's own balance: no provider takes it, and nothing is missing for that. */
export const isInside = ({ provider, problem }: Method): boolean => provider === null && problem === null

/** The list with the row as it is now. */
export const putIn = (of: Resource<Method[]>, row: Method): void =>
  of.set((of.data.peek() ?? []).map((one) => (one.id === row.id ? row : one)))
