import { setTimeout as sleep } from 'node:timers/promises'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, test } from 'vitest'
import { brokenRules } from '../../test/support/invariants.ts'
import { startTestService, type TestService, type TestUser, usualOrder } from '../../test/support/service.ts'
import { settleReceived } from './core/settlement.ts'
import { settleRefunded } from './core/outside-refunds.ts'
import { creditSuspended } from './core/suspense.ts'
import { inTransaction } from './db/client.ts'
import { keepEvent, settleEvents } from './core/inbox.ts'
import { ProviderUnreachable } from './ports/payments.ts'
import { renewAutomatically } from './jobs/auto-renewal.ts'
import { Scheduler } from './jobs/scheduler.ts'

let service: TestService
let user: TestUser
beforeAll(async () => { service = await startTestService({ withoutLimits: true }) })
beforeEach(async () => { await service.heartbeat(); user = await service.createUser({ balance: 100000 }) })
afterAll(() => service.stop())
const q = async (sql: string) => (await service.db.executeQuery<Record<string, any>>(CompiledQuery.raw(sql))).rows
const jobs = () => service.running.runJobs()
const post = (path: string, body: object, headers?: Record<string, string>) => service.customer(user, 'POST', path, body, headers)
const get = async (path: string) => (await service.customer(user, 'GET', path)).body.data
const balance = async () => (await get('/profile')).balance
const lastOrder = async () => (await q(`select * from orders where user_id=${user.id} order by id desc limit 1`))[0] as any
const refund = (id: number, to: string) => service.operator('POST', `/payments/${id}/refund`, { to, reason: 'review' })
const say = (name: string, value: unknown) => console.log(`### ${name}: ${JSON.stringify(value)}`)
const rules = async () => brokenRules(q)

test('L refund to the balance against a renewal', async () => {
  const before = (await q(`select deadlocks from pg_stat_database where datname=current_database()`))[0]
  const configs = []
  for (let i = 0; i < 20; i++) { const c = await service.buy(user); configs.push({ id: c.id, order: (await lastOrder()).id }) }
  const t0 = Date.now()
  const out: number[] = []
  let slowest = 0
  await Promise.all(configs.flatMap((c) => {
    const timed = async (p: Promise<any>) => { const s = Date.now(); const a = await p; slowest = Math.max(slowest, Date.now() - s); out.push(a.status) ; if (a.status>=500) say('L body', a.body)}
    return [timed(refund(c.order, 'balance')), timed(post(`/configs/renewal/${c.id}`, { payment_method_id: 1, tariff_id: 1 })), timed(post(`/configs/renewal/${c.id}`, { payment_method_id: 1, tariff_id: 1 }))]
  }))
  await sleep(1500)
  await q('select pg_stat_clear_snapshot()')
  const after = (await q(`select deadlocks from pg_stat_database where datname=current_database()`))[0]
  say('L', { before, after, took: Date.now() - t0, slowest, statuses: Object.fromEntries(Map.groupBy(out, (s) => s).entries().map(([k, v]) => [k, v.length])) })
  say('L rules', await rules())
})

test('E2 provider refund that waits for a credit of the same suspended receipt', async () => {
  const { body } = await post('/configs', { ...usualOrder, payment_method_id: 2 })
  const id = new URL(body.data.link).pathname.split('/').at(-1) as string
  const s = service.running.services
  const now = service.clock.now()
  await settleReceived(s.db, 'sandbox', { kind: 'received', paymentId: id, providerPaymentId: id, receiptId: `sandbox-${id}`, amount: 150, currency: 'RUB', payer: null }, now)
  const r = (await q(`select id from receipts where receipt_id='sandbox-${id}'`))[0] as any
  const b0 = await balance()
  let other: Promise<void> | undefined
  await inTransaction(s.db, async (tx) => {
    await creditSuspended(tx, { receiptId: r.id, operatorId: 1, now })
    other = new Promise((done) => setImmediate(done)) as Promise<void>
    const { AsyncLocalStorage } = await import('node:async_hooks')
    void AsyncLocalStorage
    started()
    await sleep(500)
  })
  await waiting
  say('E2', [b0, await balance(), await q(`select coalesce(sum(e.amount),0) as s from ledger_entries e join ledger_accounts a on a.id=e.account_id where a.kind='suspense' and a.currency='RUB'`)])
  say('E2 rules', await rules())
  function started() { kick(() => settleRefunded(s.db, { ...s, now } as any, 'sandbox', { kind: 'refunded', receiptId: `sandbox-${id}`, amount: 150, currency: 'RUB' })) }
})
let waiting: Promise<unknown> = Promise.resolve()
const queue: (() => Promise<unknown>)[] = []
const kick = (f: () => Promise<unknown>) => { queue.push(f) }
setInterval(() => { const f = queue.shift(); if (f) waiting = f().catch((e) => say('E2 error', e.message)) }, 20)

test('I a provider that does not answer holds up another', async () => {
  const s = service.running.services
  const real = s.providers.get('sandbox') as any
  const settledAt: Record<string, number> = {}
  const t0 = Date.now()
  const provider = (name: string, ms: number) => ({ name, methods: [], currencies: [], interpret: () => [{ kind: 'look', providerPaymentId: 'x' }], read: async () => [] , judge: real.judge })
  const slow = { ...provider('yookassa', 0), interpret: () => [] }
  void slow
  const providers = new Map<string, any>([
    ['yookassa', { name: 'yookassa', interpret: () => { return [{ kind: 'look', providerPaymentId: 'slow' }] }, read: async () => { await sleep(300); throw new ProviderUnreachable('away') } }],
    ['stripe', { name: 'stripe', interpret: () => { settledAt.stripe = Date.now() - t0; return [] } }],
  ])
  const order = (await post('/configs', { ...usualOrder, payment_method_id: 2 }), await lastOrder())
  await q(`update payments set provider='yookassa', provider_payment_id='slow' where order_id=${order.id}`)
  const at = { ...s, providers }
  for (let i = 0; i < 30; i++) await keepEvent(at, { provider: 'yookassa', eventId: `e${i}`, body: '{}' }, service.clock.now())
  const scheduler = new Scheduler(s.log)
  scheduler.start([{ name: 'settle', everyMs: 5000, run: () => settleEvents(at as any, service.clock.now(), () => undefined) }])
  const start = Date.now()
  scheduler.kick('settle')
  await sleep(100)
  await keepEvent(at, { provider: 'stripe', eventId: 's1', body: '{}' }, service.clock.now())
  const keptAt = Date.now() - t0
  scheduler.kick('settle')
  await scheduler.rest()
  await scheduler.stop()
  say('I ms a stripe event waited behind 30 dead yookassa reads of 300 ms', [settledAt.stripe! - keptAt, Date.now() - start])
  await q(`update webhook_inbox set next_try_at=null`)
  await q(`update payments set provider='sandbox', provider_payment_id=public_id where order_id=${order.id}`)
})

test('F2 auto-renewal switched on again after a refund in the same period', async () => {
  const config = await service.buy(user, { enable_auto_renewal: true })
  service.clock.advance(29 * 86400 + 60); await service.heartbeat(); await jobs()
  const renewal = await lastOrder()
  say('F2 renewal', [renewal.is_renewal, renewal.period_end])
  await refund(renewal.id, 'balance')
  const on = await service.customer(user, 'PATCH', `/configs/${config.id}/autoRenewal`, { auto_renewal: true, auto_renewal_days: 30 })
  say('F2 on', [on.status, on.body])
  await q(`update configs set auto_renewal=true, auto_renewal_days=30 where id=${config.id}`)
  await get('/profile/notifications')
  await renewAutomatically(service.running.services as any, service.clock.now())
  say('F2', [await q(`select expires_at, auto_renewal, renewal_tried_at from configs where id=${config.id}`), await get('/profile/notifications'), (await lastOrder()).id === renewal.id])
  service.clock.advance(86400); await service.heartbeat(); await jobs()
  say('F2 end', [await q(`select state from configs where id=${config.id}`), await get('/profile/notifications')])
})
