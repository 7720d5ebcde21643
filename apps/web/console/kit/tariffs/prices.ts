/** Prices by length and method, as they are written and compared. */

export interface Price {
  readonly payment_method_id: number
  readonly price: number
  readonly old_price?: number
}

export interface Tariff {
  readonly days: number
  readonly prices: readonly Price[]
}

/** As operations take them. */
export interface SentTariff {
  days: number
  prices: Price[]
}

export const sentTariffs = (tariffs: readonly Tariff[]): SentTariff[] =>
  tariffs.map(({ days, prices }) => ({ days, prices: [...prices] }))

/** What is written for a length by one method. */
export interface Cell {
  readonly price: string
  /** Before a discount. */
  readonly old: string
}

export interface SheetRow {
  readonly key: number
  readonly days: string
  /** Of one that is not kept yet, the length can still be written. */
  readonly isNew: boolean
  readonly cells: Readonly<Record<number, Cell>>
}

export const noCell: Cell = { price: '', old: '' }

export const rowsOf = (tariffs: readonly Tariff[]): readonly SheetRow[] =>
  tariffs.map(({ days, prices }) => ({
    key: days,
    days: String(days),
    isNew: false,
    cells: Object.fromEntries(
      prices.map(({ payment_method_id: id, price, old_price: old }) => [
        id,
        { price: String(price), old: old === undefined ? '' : String(old) },
      ]),
    ),
  }))

/** As people write them: with a comma, with spaces between thousands. */
export const numberIn = (text: string): number => Number(text.replaceAll(/\s/g, '').replace(',', '.'))

export const placeOf = (days: number, method: number): string => `${days}:${method}`

/** By length and method. */
export const byPlace = (tariffs: readonly Tariff[]): ReadonlyMap<string, Price> =>
  new Map(
    tariffs.flatMap(({ days, prices }) =>
      prices.map((price) => [placeOf(days, price.payment_method_id), price] as const),
    ),
  )

const isSame = (one: Price | undefined, other: Price | undefined): boolean =>
  one?.price === other?.price && one?.old_price === other?.old_price

/** Where they differ. */
export const changedPlaces = (before: readonly Tariff[], after: readonly Tariff[]): readonly string[] => {
  const [one, other] = [byPlace(before), byPlace(after)]
  return [...new Set([...one.keys(), ...other.keys()])].filter(
    (place) => !isSame(one.get(place), other.get(place)),
  )
}

/** One, with what another says of some places. */
export const withPlaces = (
  one: readonly Tariff[],
  other: readonly Tariff[],
  places: readonly string[],
): readonly Tariff[] => {
  const prices = new Map(byPlace(one))
  const others = byPlace(other)
  for (const place of places) {
    const price = others.get(place)
    if (price) prices.set(place, price)
    else prices.delete(place)
  }
  const byDays = new Map<number, Price[]>()
  for (const [place, price] of prices) {
    const days = Number.parseInt(place, 10)
    byDays.set(days, [...(byDays.get(days) ?? []), price])
  }
  return [...byDays].sort(([a], [b]) => a - b).map(([days, list]) => ({ days, prices: list }))
}

/** Lengths that would no longer be sold. */
export const lengthsGone = (before: readonly Tariff[], rows: readonly SheetRow[]): readonly number[] =>
  before.map(({ days }) => days).filter((days) => !rows.some((row) => numberIn(row.days) === days))
