import { CompiledQuery } from 'kysely'
import { expect } from 'vitest'
import type { CloudMachine } from '../../../test/support/clouds/machines.ts'
import type { Db } from '../../../test/support/in-process.ts'
import { demand } from '../call.ts'
import { type Buyer, type Kind, tariffs } from './buyer.ts'

/** What became of every order, held against the buyers' memories and what providers have. */

export interface OrderRow {
  readonly id: number
  readonly user_id: number
  readonly item_id: number | null
  readonly product_id: number
  readonly state: string
  readonly method: string | null
  readonly is_renewal: boolean
  readonly price: number
  readonly value_rub: number
}

interface MachineRow {
  readonly id: number
  readonly order_id: number
  readonly term: string
  readonly order_state: string
  readonly status: string
  readonly wanted: string
  readonly ref: string | null
  readonly activated_at: number | null
  readonly gone_at: number | null
  readonly node_id: number | null
  readonly next_step_at: number | null
  readonly is_on: boolean
  readonly expires_at: number
}

const rowsOf = async <T>(db: Db, sql: string): Promise<T[]> =>
  (await db.executeQuery<T>(CompiledQuery.raw(sql))).rows

export const listOrders = (db: Db): Promise<OrderRow[]> =>
  rowsOf(
    db,
    `select o.id, o.user_id, o.item_id, o.product_id, o.state, m.key as method, o.is_renewal, o.price, o.value_rub
     from orders o left join payment_methods m on m.id = o.payment_method_id
     where o.product = 'cloud_servers' order by o.id`,
  )

export const listMachines = (db: Db): Promise<MachineRow[]> =>
  rowsOf(
    db,
    `select m.*, t.state as term, t.expires_at, o.state as order_state from machines m
     join terms t on t.id = m.term_id join orders o on o.id = m.order_id order by m.id`,
  )

/** Nothing is left to do to it. */
export const isAtRest = (row: MachineRow): boolean => {
  if (row.gone_at !== null) return true
  if (row.next_step_at !== null || row.wanted === 'gone') return false
  return row.wanted === 'on' ? row.status === 'active' && row.is_on : !row.is_on
}

const kindOf = ({ method, is_renewal }: OrderRow): Kind => {
  const what = is_renewal ? 'renewal' : 'order'
  if (method === null) return `${what} by promocode` as Kind
  return method === 'balance' ? what : `${what} by link`
}

const countBy = (kinds: readonly Kind[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const kind of kinds.toSorted()) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

const isOrdering = (kind: Kind): boolean => kind.startsWith('order') || kind.startsWith('renewal')
const priceOf = (productId: number): number =>
  tariffs.find(({ configuration }) => configuration === productId)?.priceRub ?? 0

/** As many orders as were acknowledged, each charged once, and the balance to the rouble, the smallest there is. */
export const expectRightMoney = async (
  url: string,
  buyers: readonly Buyer[],
  orders: readonly OrderRow[],
): Promise<void> => {
  for (const { identity, deals } of buyers) {
    const own = orders.filter((order) => order.user_id === identity.id)
    const done = deals.filter(({ kind, outcome }) => outcome === 'done' && isOrdering(kind))
    const who = `customer ${identity.id}`
    expect(countBy(own.map(kindOf)), `${who} has the orders of their keys`).toEqual(
      countBy(done.map(({ kind }) => kind)),
    )
    const charged = own.filter(({ method }) => method === 'balance')
    for (const { price, product_id } of charged) expect(price).toBe(priceOf(product_id))
    const back = own.filter(({ state, method }) => state === 'refunded' && method !== null)
    const expected =
      identity.openingRub -
      charged.reduce((sum, { price }) => sum + price, 0) +
      back.reduce((sum, { value_rub }) => sum + value_rub, 0)
    const { balance } = await demand(url, 'GET', '/v1/profile', { token: identity.apiKey })
    expect(balance, `${who}'s balance`).toBe(expected)
  }
}

export interface Present {
  readonly cloud: string
  readonly machine: CloudMachine
}

const orderOf = ({ machine }: Present): number => Number(machine.name.split('-').at(-1))

export interface Ends {
  readonly live: number
  readonly off: number
  readonly ended: number
  readonly refunded: number
}

/** Delivered and there once, ended and gone, or given back and gone. */
export const expectRightEnds = (
  machines: readonly MachineRow[],
  present: readonly Present[],
  { isLapsed, now }: { readonly isLapsed: (item: number) => boolean; readonly now: number },
): Ends => {
  const ends = { live: 0, off: 0, ended: 0, refunded: 0 }
  for (const row of machines) {
    const what = `the machine of order ${row.order_id}: ${JSON.stringify(row)}`
    const there = present.filter((one) => orderOf(one) === row.order_id)
    if (row.term === 'deleted') {
      expect(row, what).toMatchObject({ gone_at: expect.any(Number), node_id: null })
      expect(there, what).toEqual([])
      if (row.order_state === 'refunded') expect(row.activated_at, what).toBe(null)
      else expect(isLapsed(row.id), `wished to end, ${what}`).toBe(true)
      ends[row.order_state === 'refunded' ? 'refunded' : 'ended']++
      continue
    }
    expect(row.order_state, what).toBe('fulfilled')
    expect(row, what).toMatchObject({ status: 'active', gone_at: null })
    expect(
      // Its agent may be heard of before the provider calls it up.
      there.map(({ machine }) => `${machine.id} ${machine.state === 'new' ? 'running' : machine.state}`),
      what,
    ).toEqual([`${row.ref} ${row.expires_at > now ? 'running' : 'off'}`])
    ends[row.expires_at > now ? 'live' : 'off']++
  }
  expect(present.map(orderOf).toSorted(), 'nothing but machines of live orders').toEqual(
    machines
      .filter(({ term }) => term !== 'deleted')
      .map((row) => row.order_id)
      .toSorted(),
  )
  return ends
}
