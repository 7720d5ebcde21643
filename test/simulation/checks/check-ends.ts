import type { Journal, MergeEntry } from '../journal.ts'
import { withoutWait } from '../machines/check-machines.ts'
import type { Books, DaysRow, OrderRow } from '../queries.ts'

/** Until when everything lasts, walked through again from what was granted, taken back and put together. */

const daySeconds = 86_400

/** What made it last longer or shorter: an order, or days that were given or taken, which are named below zero. */
type Grant = Pick<OrderRow, 'id' | 'days' | 'fulfilled_at' | 'refunded_at'>

type Step =
  | { readonly at: number; readonly kind: 'granted' | 'taken'; readonly order: Grant }
  | { readonly at: number; readonly kind: 'merged'; readonly merge: MergeEntry }

/** What is one subscription at a time: the item itself, or one that went into it at a merge. */
interface Stream {
  end: number
  readonly standing: Set<Grant>
}

const stepsOf = (orders: readonly Grant[], merges: readonly MergeEntry[]): Step[] =>
  [
    ...orders.flatMap((order): Step[] => {
      if (order.fulfilled_at === null) return []
      const granted: Step = { at: order.fulfilled_at, order, kind: 'granted' }
      return order.refunded_at === null
        ? [granted]
        : [granted, { at: order.refunded_at, order, kind: 'taken' }]
    }),
    ...merges.map((merge): Step => ({ at: merge.at, kind: 'merged', merge })),
  ].sort((one, other) => one.at - other.at)

/** Days are added to the end or to now; they are taken from what is left. */
const moved = (end: number, at: number, seconds: number): number => {
  if (seconds > 0) return Math.max(at, end) + seconds
  return end <= at ? end : Math.max(at, end + seconds)
}

/** The end after these orders alone, bought one after another. */
const endInARow = (orders: readonly Grant[]): number => {
  const inOrder = orders.toSorted(
    (one, other) => (one.fulfilled_at ?? 0) - (other.fulfilled_at ?? 0) || one.id - other.id,
  )
  let end = 0
  for (const { fulfilled_at, days } of inOrder) end = moved(end, fulfilled_at ?? 0, days * daySeconds)
  return end
}

/** Those that came with a merge ran beside the others until then, and brought what was left of them. */
const endAfter = (orders: ReadonlySet<Grant>, joinedAt: ReadonlyMap<Grant, number>): number => {
  const joined = Map.groupBy(
    [...orders].filter((order) => joinedAt.has(order)),
    (order) => joinedAt.get(order) as number,
  )
  const own = [...orders].filter((order) => !joinedAt.has(order))
  const steps = [
    ...own.map(({ id, fulfilled_at, days }) => ({ at: fulfilled_at ?? 0, id, adds: days * daySeconds })),
    ...[...joined].map(([at, some]) => ({ at, id: 0, adds: Math.max(0, endInARow(some) - at) })),
  ].sort((one, other) => one.at - other.at || one.id - other.id)
  let end = 0
  for (const { at, adds } of steps) if (adds !== 0) end = moved(end, at, adds)
  return end
}

class Walk {
  readonly #merges: readonly MergeEntry[]
  readonly #done = new Set<MergeEntry>()
  readonly #streams = new Map<MergeEntry | undefined, Stream>()
  /** When an order came to the stream that it is of now. */
  readonly #joinedAt = new Map<Grant, number>()

  constructor(merges: readonly MergeEntry[]) {
    this.#merges = merges
  }

  /** An order is of the first merge ahead that will take it along, or of the item. */
  #streamOf(orderId: number): Stream {
    const ahead = this.#merges.find((merge) => !this.#done.has(merge) && merge.orderIds.includes(orderId))
    const known = this.#streams.get(ahead) ?? { end: 0, standing: new Set() }
    this.#streams.set(ahead, known)
    return known
  }

  take(step: Step): void {
    if (step.kind === 'merged') this.#join(step.at, step.merge)
    else this.#apply(step.at, step.order, step.kind)
  }

  #apply(at: number, order: Grant, kind: 'granted' | 'taken'): void {
    const stream = this.#streamOf(order.id)
    if (kind === 'granted') {
      stream.standing.add(order)
      stream.end = moved(stream.end, at, order.days * daySeconds)
      return
    }
    stream.standing.delete(order)
    // What the other orders gave stays, and nothing ends before now.
    stream.end = Math.min(stream.end, Math.max(at, endAfter(stream.standing, this.#joinedAt)))
  }

  /** The days that were left are added. */
  #join(at: number, merge: MergeEntry): void {
    const from = this.#streams.get(merge)
    this.#done.add(merge)
    if (!from) return
    const into = this.#streamOf(merge.orderIds[0] as number)
    const left = Math.max(0, from.end - at)
    if (left > 0) into.end = Math.max(at, into.end) + left
    for (const order of from.standing) {
      into.standing.add(order)
      this.#joinedAt.set(order, at)
    }
  }

  get end(): number {
    return this.#streams.get(undefined)?.end ?? 0
  }
}

const show = (step: Step): string =>
  step.kind === 'merged' ? `${step.at} merged` : `${step.at} ${step.kind} ${step.order.days}`

/** What went into another has no orders any more; what was deleted with its account is changed by nothing after. */
const checkProduct = (
  { deletions, merges }: Journal,
  orders: readonly OrderRow[],
  given: readonly DaysRow[],
  items: readonly Pick<Books['configs'][number], 'id' | 'user_id' | 'expires_at'>[],
): string[] => {
  const byItem = Map.groupBy(orders, ({ item_id }) => item_id)
  const daysOf = Map.groupBy(given, ({ item_id }) => item_id)
  return items.flatMap(({ id, user_id, expires_at }) => {
    const bought = byItem.get(id)
    if (!bought) return []
    const days = (daysOf.get(id) ?? []).map(
      (row): Grant => ({ id: -row.id, days: row.days, fulfilled_at: row.created_at, refunded_at: null }),
    )
    const own = [...bought, ...days]
    const ids = new Set(own.map((order) => order.id))
    const joined = merges.filter(({ orderIds }) => orderIds.some((orderId) => ids.has(orderId)))
    const gone = deletions.get(user_id) ?? Number.POSITIVE_INFINITY
    const steps = stepsOf(own, joined).filter(({ at }) => at <= gone)
    const walk = new Walk(joined)
    for (const step of steps) walk.take(step)
    const { product } = bought[0] as OrderRow
    return walk.end === expires_at
      ? []
      : [`${product} ${id} ends at ${expires_at}, not ${walk.end}: ${steps.map(show).join(', ')}`]
  })
}

export const checkEnds = (journal: Journal, books: Books): string[] => {
  const { orders, configs, options } = books
  const of = (name: string) => orders.filter(({ product, as_key }) => product === name && !as_key)
  const daysOf = (name: string) => books.days.filter(({ product }) => product === name)
  const bought = new Set(of('paid_options').map(({ item_id }) => item_id))
  const untouched = options.filter(({ id, state }) => state !== 'deleted' && !bought.has(id))
  return [
    ...checkProduct(journal, of('configs'), daysOf('configs'), configs),
    ...checkProduct(journal, of('paid_options'), daysOf('paid_options'), options),
    ...checkProduct(journal, of('cloud_servers'), daysOf('cloud_servers'), withoutWait(books)),
    ...untouched.map(({ id }) => `option ${id} was given without an order`),
  ]
}
