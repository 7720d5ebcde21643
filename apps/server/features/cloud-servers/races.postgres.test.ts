import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { runMachineSteps } from '../../core/clouds/machine-job.ts'
import { grantPaidOrders } from '../../core/settlement/paid-orders.ts'
import { settleReceived } from '../../core/settlement/settlement.ts'
import { inTransaction } from '../../db/client.ts'

/** A machine that nobody has is paid back while its customer renews it. */

const day = 86_400

let service: TestService
let clouds: CloudTests
let account: ReturnType<typeof accountOf>
let user: TestUser
let id: number
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  clouds = new CloudTests(service)
  account = accountOf(service)
  const { body } = await service.operator('POST', '/clouds', { kind: 'manual', title: 'By hand' })
  const offers = [{ location_id: 1, cloud_id: body.data.id }]
  await service.operator('PATCH', '/cloud-configurations/1', { offers })
})
/** A minute before the end of the three days, so that the service's own rounds leave it alone. */
beforeEach(async () => {
  user = await service.createUser({ balance: 2000 })
  id = (await clouds.order(user)).id
  await clouds.pass()
  service.clock.advance(3 * day - 60)
})
afterAll(() => service.stop())

/** As an instance sees it whose clock is ahead of the service's. */
const ahead = () => {
  const now = service.clock.now() + 60
  return { now, at: { ...service.running.services, clock: { now: () => now } } }
}

type Work = () => Promise<unknown>

/** Nobody moves money until both have come as far as they can, the first with the term and the second waiting for it. */
const oneBehindTheOther = async (first: Work, second: Work): Promise<void> => {
  const begun = await inTransaction(service.db, async (tx) => {
    await sql`select id from ledger_accounts for update`.execute(tx)
    const before = outside(first)
    await untilWaits(tx, before)
    const free = sql`select id from terms where item_id = ${id} and product = 'cloud_servers' for update skip locked`
    expect((await free.execute(tx)).rows).toEqual([])
    const behind = outside(second)
    await untilWaits(tx, behind, 2)
    return [before, behind]
  })
  await Promise.all(begun)
}

const giveUp: Work = () => runMachineSteps(ahead().at, ahead().now)

interface Renewal {
  readonly work: Work
  /** What it answered, where somebody was answered. */
  readonly status: () => number | undefined
  /** What came from outside meanwhile. */
  readonly brought: number
  /** Works again afterwards. */
  readonly code?: string
}

const byRequest = (body: object): Pick<Renewal, 'work' | 'status'> => {
  let status: number | undefined
  const renewal = { server_id: id, ...body }
  const work = async () => {
    status = (await clouds.call(user, 'POST', '/renewal', renewal)).status
  }
  return { work, status: () => status }
}

const renewals: Record<string, () => Promise<Renewal>> = {
  'from the balance': async () => ({ ...byRequest({ payment_method_id: 1, days: 30 }), brought: 0 }),
  'by promocode': async () => {
    const issue = { product_type: 'cloud_servers', days: 30, count: 1 }
    const [code] = (await service.operator('POST', '/promocodes', issue)).body.data.codes
    return { ...byRequest({ promocode: code }), brought: 0, code }
  },
  'by link': async () => {
    const link = await account.order(user, '/cloud-servers/renewal', { server_id: id, days: 30 })
    const paymentId = new URL(link).pathname.split('/').at(-1) as string
    const brought = 500
    const paid = { amount: brought, currency: 'RUB', payer: null, providerPaymentId: null }
    const fact = { kind: 'received', paymentId, receiptId: `r-${paymentId}`, ...paid } as const
    await settleReceived(service.db, 'sandbox', fact, ahead().now)
    const work = () => grantPaidOrders(ahead().at, ahead().now)
    return { work, status: () => undefined, brought }
  },
}

const ordersOf = (state: string): Promise<{ id: number }[]> =>
  service.db
    .selectFrom('orders')
    .select('id')
    .where('user_id', '=', user.id)
    .where('state', '=', state)
    .execute()

const refundsOf = async (): Promise<number[]> => {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from refunds f where f.order_id = o.id)
      + (select count(*) from ledger_transfers t where t.cause = 'order:' || o.id || ':credit')
      + (select count(*) from ledger_transfers t where t.cause = 'order:' || o.id || ':gift-back') as count
    from orders o where o.user_id = ${user.id} order by o.id`.execute(service.db)
  return rows.map(({ count }) => Number(count))
}

/** The machine is nowhere, and everything that was paid came back once. */
const expectAllBack = async ({ brought, code }: Renewal, orders: number): Promise<void> => {
  for (let round = 0; round < 3; round++) await clouds.pass(200)
  expect(await clouds.list(user)).toEqual([])
  expect(await clouds.machine(id)).toMatchObject({ wanted: 'gone', gone_at: expect.any(Number) })
  expect(await ordersOf('refunded')).toHaveLength(orders)
  expect(await refundsOf()).toEqual(Array(orders).fill(1))
  expect((await account.get(user, '/profile')).balance).toBe(2000 + brought)
  const { body } = await service.customer(user, 'GET', '/profile/notifications')
  expect(JSON.stringify(body.data).match(/не удалось получить/g)).toHaveLength(1)
  expect(await account.broken()).toEqual([])
  if (!code) return
  const again = { promocode: code, payment_method_id: undefined, tariff_id: undefined }
  const { id: other } = await clouds.order(user, again)
  // Nor is there anything left to do for the next test.
  for (const seconds of [0, 3 * day, 200]) await clouds.pass(seconds)
  expect(await clouds.machine(other)).toMatchObject({ gone_at: expect.any(Number) })
}

describe.each(Object.keys(renewals))('a renewal %s', (means) => {
  test('that commits before the money goes back goes back with it', async () => {
    const renewal = await (renewals[means] as () => Promise<Renewal>)()
    await oneBehindTheOther(renewal.work, giveUp)
    expect(renewal.status()).toBe(means === 'by link' ? undefined : 200)
    expect(await ordersOf('fulfilled')).toHaveLength(2)
    await expectAllBack(renewal, 2)
  })

  test('that comes when the money is on its way back finds nothing, and costs nothing', async () => {
    const renewal = await (renewals[means] as () => Promise<Renewal>)()
    await oneBehindTheOther(giveUp, renewal.work)
    expect(renewal.status()).toBe(means === 'by link' ? undefined : 404)
    expect(await ordersOf('fulfilled')).toEqual([])
    await expectAllBack(renewal, means === 'by link' ? 2 : 1)
  })
})
