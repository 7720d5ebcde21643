import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { type SettingKey, writeSetting } from '../kernel/settings.ts'
import { lockBalance, transfer } from '../ledger/ledger.ts'
import { earnCommission, releaseCommissions, reverseCommission } from './commissions.ts'

const daySeconds = 86_400

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const now = () => service.clock.now()
const inTx = <T>(work: (tx: Db) => Promise<T>) => inTransaction(service.db, work)

/** Whatever a test did, cached balances are the sums of entries, and what is held is what rows say is held. */
afterEach(async () => {
  const { rows } = await sql`
    select a.id from ledger_accounts a left join ledger_entries e on e.account_id = a.id
    where a.user_id is not null group by a.id having a.balance <> coalesce(sum(e.amount), 0)
    union all select 0 from ledger_entries having sum(amount) <> 0
    union all select a.id from ledger_accounts a where a.kind = 'referral_hold' and a.balance <>
      (select coalesce(sum(c.amount), 0) from commissions c where c.referrer_id = a.user_id and c.state = 'held')`.execute(
    service.db,
  )
  expect(rows).toEqual([])
})

/** An order of this customer with money for it from outside. */
const insertReceipt = async (user: TestUser, valueRub: number) => {
  const name = `${user.id}-${crypto.randomUUID()}`
  const { rows } = await sql<{ receiptId: number; orderId: number }>`
    with placed as (
      insert into orders (user_id, product, state, days, price, value_rub, price_steps, purchase,
        created_at)
      values (${user.id}, 'balance', 'paid', 0, ${valueRub}, ${valueRub}, '{}', '{}', ${now()}) returning id
    ), asked as (
      insert into payments (public_id, order_id, provider, method_key, amount, currency, state, created_at, expires_at)
      select ${name}, id, 'sandbox', 'sbp', ${valueRub}, 'RUB', 'succeeded', ${now()}, ${now()} from placed
      returning id, order_id
    )
    insert into receipts (payment_id, order_id, provider, receipt_id, amount, currency, value_rub, verdict, created_at)
    select id, order_id, 'sandbox', ${name}, ${valueRub}, 'RUB', ${valueRub}, 'accepted', ${now()} from asked
    returning id as "receiptId", order_id as "orderId"`.execute(service.db)
  return { userId: user.id, valueRub, ...(rows[0] as { receiptId: number; orderId: number }) }
}

type Receipt = Awaited<ReturnType<typeof insertReceipt>>

const earn = (receipt: Receipt) => inTx((tx) => earnCommission(tx, { ...receipt, now: now() }))
const reverse = ({ receiptId }: Receipt) => inTx((tx) => reverseCommission(tx, { receiptId, now: now() }))
const release = () => releaseCommissions(service.db, now())
const set = (key: SettingKey, value: number) => inTx((tx) => writeSetting(tx, key, value, now()))

const newPair = async () => {
  const referrer = await service.createUser()
  return { referrer, friend: await service.createUser({ referral_code: referrer.referral_code }) }
}

const balancesOf = async (user: TestUser) => {
  const { rows } = await sql<{ kind: string; balance: number }>`
    select kind, balance from ledger_accounts where user_id = ${user.id}`.execute(service.db)
  const { referral, referral_hold: held } = Object.fromEntries(rows.map((row) => [row.kind, row.balance]))
  return { referral, held }
}

const commissionsOf = (user: TestUser) =>
  service.db.selectFrom('commissions').selectAll().where('referrer_id', '=', user.id).orderBy('id').execute()

/** As far as a referrer's earnings are spent at all; the rest stays. */
const spend = (user: TestUser, amount: number) =>
  inTx(async (tx) => {
    if ((await lockBalance(tx, user.id, 'referral')) < amount) return
    await transfer(tx, {
      cause: `test:${crypto.randomUUID()}`,
      kind: 'test',
      from: { userId: user.id, kind: 'referral' },
      to: { kind: 'revenue' },
      amount,
      now: now(),
    })
  })

describe('earning', () => {
  test('the referrer earns 20 % in whole roubles, held for 14 days, then shown in the profile', async () => {
    const { referrer, friend } = await newPair()
    const receipt = await insertReceipt(friend, 999)
    await earn(receipt)
    const earnedAt = now()
    expect(await commissionsOf(referrer)).toMatchObject([
      {
        referred_id: friend.id,
        receipt_id: receipt.receiptId,
        amount: 199,
        state: 'held',
        created_at: earnedAt,
        release_at: earnedAt + 14 * daySeconds,
      },
    ])
    expect(await balancesOf(referrer)).toEqual({ referral: 0, held: 199 })
    service.clock.advance(14 * daySeconds - 1)
    await release()
    expect(await balancesOf(referrer)).toEqual({ referral: 0, held: 199 })
    service.clock.advance(1)
    await release()
    expect(await balancesOf(referrer)).toEqual({ referral: 199, held: 0 })
    expect(await commissionsOf(referrer)).toMatchObject([{ state: 'released', released_at: now() }])
    const profile = await service.customer(referrer, 'GET', '/profile')
    expect(profile.body.data).toMatchObject({ referral_balance: 199, balance: 0 })
  })

  test('check 20: a customer nobody brought earns for nobody, and neither does less than a rouble', async () => {
    const { referrer, friend } = await newPair()
    await earn(await insertReceipt(referrer, 1000))
    await earn(await insertReceipt(friend, 4))
    const { rows } =
      await sql`select id from commissions where referred_id in (${referrer.id}, ${friend.id})`.execute(
        service.db,
      )
    expect(rows).toEqual([])
    expect(await balancesOf(referrer)).toEqual({ referral: 0, held: 0 })
  })

  test('percentage and hold are settings; what was earned before keeps its terms', async () => {
    const { referrer, friend } = await newPair()
    await earn(await insertReceipt(friend, 1000))
    try {
      await set('referral_percent', 33)
      await set('referral_hold_days', 0)
      await earn(await insertReceipt(friend, 100))
      await release()
      expect(await balancesOf(referrer)).toEqual({ referral: 33, held: 200 })
      await set('referral_percent', 0)
      await earn(await insertReceipt(friend, 1000))
      expect(await commissionsOf(referrer)).toHaveLength(2)
    } finally {
      await set('referral_percent', 20)
      await set('referral_hold_days', 14)
    }
  })

  test('one receipt earns once, also for simultaneous workers', async () => {
    const { referrer, friend } = await newPair()
    const receipt = await insertReceipt(friend, 1000)
    await Promise.all(Array.from({ length: 10 }, () => earn(receipt)))
    expect(await commissionsOf(referrer)).toHaveLength(1)
    expect(await balancesOf(referrer)).toEqual({ referral: 0, held: 200 })
  })
})

describe('every order of events', () => {
  type Step = 'earn' | 'release' | 'spend' | 'reverse'
  const orders = (steps: readonly Step[]): Step[][] =>
    steps.length === 0
      ? [[]]
      : steps.flatMap((step, at) => orders(steps.toSpliced(at, 1)).map((rest) => [step, ...rest]))
  const all = [
    ...new Set(orders(['earn', 'earn', 'release', 'spend', 'reverse']).map((each) => each.join(' '))),
  ]

  /** What must be there after the steps, told without any database. */
  const expected = (steps: readonly Step[]) => {
    let [state, referral, held] = ['none', 0, 0]
    for (const step of steps) {
      if (step === 'earn' && state === 'none') [state, held] = ['held', 200]
      else if (step === 'release' && state === 'held') [state, referral, held] = ['released', 200, 0]
      else if (step === 'spend' && referral >= 150) referral -= 150
      else if (step === 'reverse' && state === 'held') [state, held] = ['reversed', 0]
      else if (step === 'reverse' && state === 'released') [state, referral] = ['reversed', 0]
    }
    return { state, referral, held }
  }

  test('60 orders of earning, release, spending and reversal sum up exactly', async () => {
    expect(all).toHaveLength(60)
    for (const order of all) {
      const { referrer, friend } = await newPair()
      const receipt = await insertReceipt(friend, 1000)
      const run: Record<Step, () => Promise<unknown>> = {
        earn: () => earn(receipt),
        release: async () => {
          service.clock.advance(14 * daySeconds)
          return release()
        },
        spend: () => spend(referrer, 150),
        reverse: async () => {
          await reverse(receipt)
          await reverse(receipt)
        },
      }
      const steps = order.split(' ') as Step[]
      for (const step of steps) await run[step]()
      const [row] = await commissionsOf(referrer)
      const { referral, held } = await balancesOf(referrer)
      expect({ state: row?.state ?? 'none', referral, held }, order).toEqual(expected(steps))
    }
  })

  test('a reversal takes its own amount as far as it is there, and nothing of other earnings, now or later', async () => {
    const { referrer, friend } = await newPair()
    const receipts = [await insertReceipt(friend, 1000), await insertReceipt(friend, 2000)] as const
    for (const receipt of receipts) await earn(receipt)
    service.clock.advance(14 * daySeconds)
    await release()
    await reverse(receipts[0])
    expect(await balancesOf(referrer)).toEqual({ referral: 400, held: 0 })
    await spend(referrer, 400)
    await reverse(receipts[1])
    await earn(await insertReceipt(friend, 1000))
    service.clock.advance(14 * daySeconds)
    await release()
    await reverse(receipts[1])
    expect(await balancesOf(referrer)).toEqual({ referral: 200, held: 0 })
    const states = (await commissionsOf(referrer)).map((row) => row.state)
    expect(states).toEqual(['reversed', 'reversed', 'released'])
  })
})

test('release jobs and refunds at once: each earning is released or taken back, once', async () => {
  const pairs = await Promise.all(Array.from({ length: 6 }, newPair))
  const receipts: Receipt[] = []
  for (let n = 0; n < 120; n++) {
    receipts.push(await insertReceipt((pairs[n % 6] as (typeof pairs)[0]).friend, 1000 + n))
  }
  await inTx(async (tx) => {
    for (const receipt of receipts) await earnCommission(tx, { ...receipt, now: now() })
  })
  service.clock.advance(14 * daySeconds)
  const refunded = receipts.filter((_, n) => n % 8 === 0)
  const refundAll = async () => {
    for (const receipt of refunded) await reverse(receipt)
  }
  await Promise.all([release(), release(), release(), refundAll(), refundAll(), refundAll()])
  await release()
  for (const { referrer, friend } of pairs) {
    const kept = receipts.filter((receipt) => receipt.userId === friend.id && !refunded.includes(receipt))
    const referral = kept.reduce((sum, receipt) => sum + Math.floor(receipt.valueRub / 5), 0)
    expect(await balancesOf(referrer)).toEqual({ referral, held: 0 })
  }
  const { rows } = await sql`
    select c.id from commissions c left join ledger_transfers t on t.cause = 'commission:' || c.id || ':release'
    where c.state = 'held' or (c.state = 'released') <> (t.id is not null and c.reversed_at is null)`.execute(
    service.db,
  )
  expect(rows).toEqual([])
})
