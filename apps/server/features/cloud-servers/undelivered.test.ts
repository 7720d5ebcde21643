import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { type DigitalOceanStandIn, startDigitalOcean } from '../../../../test/support/clouds/digitalocean.ts'
import { type HetznerStandIn, startHetzner } from '../../../../test/support/clouds/hetzner.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { RentedMachines } from '../../../../test/support/rented-machines.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** Machines that never come, from the payment to the last trace of them. */

const tokens = { hetzner: 'hetzner-token', digitalocean: 'ocean-token' }
const day = 86_400
const deadline = 3 * day

let hetzner: HetznerStandIn
let ocean: DigitalOceanStandIn
let service: TestService
let clouds: CloudTests
let rented: RentedMachines
let account: ReturnType<typeof accountOf>
let atHetzner: { cloudId: number; region: string; type: string; image: string }
let atOcean: typeof atHetzner
let byHand: typeof atHetzner
beforeAll(async () => {
  const nowMs = () => service.clock.now() * 1000
  hetzner = await startHetzner({ token: tokens.hetzner, nowMs })
  ocean = await startDigitalOcean({ token: tokens.digitalocean, nowMs })
  const env = { HETZNER_URL: hetzner.url, DIGITALOCEAN_URL: ocean.url }
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true, env })
  account = accountOf(service)
  rented = new RentedMachines(service)
  clouds = new CloudTests(service, () => rented.reportAll())
  const cloudId = await rented.account('hetzner', tokens.hetzner)
  atHetzner = { cloudId, region: 'fsn1', type: 'cx23', image: 'debian-12' }
  const oceanId = await rented.account('digitalocean', tokens.digitalocean)
  atOcean = { cloudId: oceanId, region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' }
  const { body } = await service.operator('POST', '/clouds', { kind: 'manual', title: 'By hand' })
  byHand = { cloudId: body.data.id, region: '', type: '', image: '' }
})
const endFaults = () => {
  for (const standIn of [hetzner, ocean]) standIn.faults.clear()
}
beforeEach(endFaults)
afterAll(async () => {
  await service.stop()
  await Promise.all([hetzner.close(), ocean.close()])
})

const passes = async (times: number, seconds: number) => {
  for (let n = 0; n < times; n++) await clouds.pass(seconds)
}
/** All that were ever made for an order. */
const madeFor = async (id: number) => {
  const orderId = (await clouds.machine(id))?.order_id
  return [...hetzner.machines(), ...ocean.machines()].filter(({ name }) => name.endsWith(`-${orderId}`))
}
const statesOf = async (id: number) => (await madeFor(id)).map(({ state }) => state)
const failuresOf = async (id: number) =>
  (await account.alerts('machine_failed')).filter(
    ({ details }: { details: { cloud_server?: number } }) => details.cloud_server === id,
  )
const timesPaidBack = async (user: TestUser): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ledger_transfers t join orders o on o.id = t.order_id
    where o.user_id = ${user.id} and t.cause in ('order:' || o.id || ':refund', 'order:' || o.id || ':gift-back')
  `.execute(service.db)
  return Number(rows[0]?.count)
}

interface Paid {
  readonly id: number
  readonly orderedAt: number
  /** What the balance is while the machine is waited for. */
  readonly left: number
  readonly code?: string
}

const balance = 1000
const withCode = (promocode: string) => ({ promocode, payment_method_id: undefined, tariff_id: undefined })
const ways: Record<string, (user: TestUser) => Promise<Paid>> = {
  'from the balance': async (user) => {
    const { id } = await clouds.order(user)
    return { id, orderedAt: service.clock.now(), left: balance - 500 }
  },
  'by promocode': async (user) => {
    const issue = { product_type: 'cloud_servers', days: 30, count: 1 }
    const [code] = (await service.operator('POST', '/promocodes', issue)).body.data.codes
    const { id } = await clouds.order(user, withCode(code))
    return { id, orderedAt: service.clock.now(), left: balance, code }
  },
}

/** Each leads an order to where only the end of its time ends the wait. */
const troubles: Record<string, (way: (user: TestUser) => Promise<Paid>, user: TestUser) => Promise<Paid>> = {
  'the machine is made, and its provider says nothing of use ever after': async (way, user) => {
    await rented.offers(atHetzner)
    for (const operation of ['action', 'show', 'list', 'destroy'] as const) {
      hetzner.faults.always(operation, { kind: 'status', status: 500 })
    }
    const paid = await way(user)
    await passes(6, 600)
    expect(await statesOf(paid.id)).toHaveLength(1)
    return paid
  },
  'none calls home, and no person finds another': async (way, user) => {
    await rented.offers(atHetzner, atOcean, byHand)
    const paid = await way(user)
    for (const _ of [hetzner, ocean]) {
      await passes(4, 3)
      service.clock.advance(1300)
      await passes(6, 5)
    }
    expect(await statesOf(paid.id)).toEqual(['deleted', 'deleted'])
    expect(await account.alerts('machine_wanted')).not.toEqual([])
    return paid
  },
}

const cases = Object.keys(troubles).flatMap((trouble) => Object.keys(ways).map((way) => [trouble, way]))

describe.each(cases)('%s: paid %s', (trouble, way) => {
  test('everything is back after three days, once', async () => {
    const user = await service.createUser({ balance })
    const lead = troubles[trouble] as (typeof troubles)[string]
    const { id, orderedAt, left, code } = await lead(ways[way] as (typeof ways)[string], user)
    const balanceOf = async () => (await account.get(user, '/profile')).balance

    service.clock.advance(orderedAt + deadline - 60 - service.clock.now())
    await clouds.pass()
    expect(await clouds.list(user)).toMatchObject([{ id }])
    expect([await balanceOf(), await timesPaidBack(user)]).toEqual([left, 0])
    expect(await failuresOf(id)).toEqual([])

    await passes(3, 310)
    expect(await clouds.list(user)).toEqual([])
    expect(await balanceOf()).toBe(balance)
    endFaults()
    await passes(4, 310)
    expect(new Set(await statesOf(id))).toEqual(new Set(['deleted']))
    expect(await clouds.machine(id)).toMatchObject({ gone_at: expect.any(Number), node_id: null })

    await passes(2, day)
    expect([await balanceOf(), await timesPaidBack(user)]).toEqual([balance, 1])
    expect(await failuresOf(id)).toHaveLength(1)
    const notices = await account.get(user, '/profile/notifications')
    expect(JSON.stringify(notices).match(/не удалось получить/g)).toHaveLength(1)
    expect(await account.broken({ isAtRest: false })).toEqual([])
    if (code) expect(await clouds.order(user, withCode(code))).toMatchObject({ status: 'ordered' })
  })
})
