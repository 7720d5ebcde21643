import { appFormats, appProtocols, hwidHabits, platforms, regions } from '@sallyport/domain/delivery/apps/app'
import type { Filled } from '../../../../kit/form.tsx'
import type { Added } from '../draft.ts'

/** What was written of an app, as the operation takes it. */

type Store = Added['stores'][number]

/** Fields are called as the service calls them: its problems stand beside them. */
export const fieldOf = (at: number, name: string): string => `added.${at}.${name}`

/** Each box by itself. */
export const boxOf = (group: string, value: string): string => `${group}:${value}`

const checked = <T extends string>(filled: Filled, group: string, values: readonly T[]): T[] =>
  values.filter((value) => filled[boxOf(group, value)] === 'on')

const readStore = (filled: Filled, path: string): Store => {
  const text = (name: string): string => (filled[`${path}.${name}`] ?? '').trim()
  const region = regions.find((one) => one === text('region'))
  const publisher = text('publisher')
  return {
    name: text('name'),
    url: text('url'),
    platforms: checked(filled, `${path}.platforms`, platforms),
    ...(region && { region }),
    ...(publisher && { publisher }),
  }
}

export const readApp = (filled: Filled, at: number, stores: number): Added => {
  const text = (name: string): string => (filled[fieldOf(at, name)] ?? '').trim()
  return {
    id: text('id'),
    name: text('name'),
    platforms: checked(filled, fieldOf(at, 'platforms'), platforms),
    stores: Array.from({ length: stores }, (_, store) => readStore(filled, fieldOf(at, `stores.${store}`))),
    import_template: text('import_template') || null,
    formats: checked(filled, fieldOf(at, 'formats'), appFormats),
    protocols: checked(filled, fieldOf(at, 'protocols'), appProtocols),
    hwid: hwidHabits.find((one) => one === text('hwid')) ?? 'never',
    checked_on: text('checked_on'),
  }
}
