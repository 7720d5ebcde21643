import { Told } from '../../../kit/problem.tsx'
import { type Method, methodTitle } from './methods.ts'
import { type Cell, noCell, numberIn, type Price, type SheetRow, type Tariff } from './prices.ts'
import { say } from './say.ts'

/** What was written in a sheet, as operations take it. What cannot be right is said at once. */

const read = (text: string, place: string): number => {
  const value = numberIn(text)
  if (Number.isNaN(value)) throw new Told(say('noNumber', { place, text }))
  return value
}

const priceIn = (method: Method, { price, old }: Cell, days: number): Price | undefined => {
  const place = say('place', { days: say('days', { n: days }), method: methodTitle(method) })
  if (price.trim() === '') {
    if (old.trim() !== '') throw new Told(say('onlyOld', { place }))
    return undefined
  }
  const before = old.trim() === '' ? {} : { old_price: read(old, place) }
  return { payment_method_id: method.id, price: read(price, place), ...before }
}

const tariffIn = (row: SheetRow, methods: readonly Method[]): Tariff => {
  const days = numberIn(row.days)
  if (row.days.trim() === '' || !Number.isInteger(days) || days < 1) throw new Told(say('noDays'))
  const prices = methods.flatMap((method) => priceIn(method, row.cells[method.id] ?? noCell, days) ?? [])
  if (prices.length === 0) throw new Told(say('noPrice', { days: say('days', { n: days }) }))
  return { days, prices }
}

export const tariffsIn = (rows: readonly SheetRow[], methods: readonly Method[]): readonly Tariff[] => {
  const tariffs = rows.map((row) => tariffIn(row, methods)).sort((a, b) => a.days - b.days)
  const twice = tariffs.find(({ days }, at) => tariffs[at - 1]?.days === days)
  if (twice) throw new Told(say('twice', { days: say('days', { n: twice.days }) }))
  return tariffs
}
