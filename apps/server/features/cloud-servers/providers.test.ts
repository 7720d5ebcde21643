import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { type DigitalOceanStandIn, startDigitalOcean } from '../../../../test/support/clouds/digitalocean.ts'
import type { Fault } from '../../../../test/support/clouds/faults.ts'
import { type HetznerStandIn, startHetzner } from '../../../../test/support/clouds/hetzner.ts'
import { RentedMachines } from '../../../../test/support/rented-machines.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

const hetznerToken = 'hetzner-token-that-nobody-may-see'
const oceanToken = 'ocean-token-that-nobody-may-see'

let hetzner: HetznerStandIn
let ocean: DigitalOceanStandIn
let service: TestService
let clouds: CloudTests
let rented: RentedMachines
let atHetzner: { cloudId: number; region: string; type: string; image: string }
let atOcean: typeof atHetzner
beforeAll(async () => {
  const nowMs = () => service.clock.now() * 1000
  hetzner = await startHetzner({ token: hetznerToken, nowMs })
  ocean = await startDigitalOcean({ token: oceanToken, nowMs })
  const env = { HETZNER_URL: hetzner.url, DIGITALOCEAN_URL: ocean.url }
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true, env })
  rented = new RentedMachines(service)
  clouds = new CloudTests(service, () => rented.reportAll())
  const cloudId = await rented.account('hetzner', hetznerToken)
  atHetzner = { cloudId, region: 'fsn1', type: 'cx23', image: 'debian-12' }
  const oceanId = await rented.account('digitalocean', oceanToken)
  atOcean = { cloudId: oceanId, region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' }
})
beforeEach(async () => {
  hetzner.faults.clear()
  ocean.faults.clear()
  await rented.offers(atHetzner)
})
afterAll(async () => {
  await service.stop()
  await hetzner.close()
  await ocean.close()
})

const day = 86_400
const rich = () => service.createUser({ balance: 10_000 })
const balanceOf = async (user: TestUser): Promise<number> =>
  (await service.customer(user, 'GET', '/profile')).body.data.balance
const present = (standIn: HetznerStandIn | DigitalOceanStandIn) =>
  standIn.machines().filter(({ state }) => state !== 'deleted' && state !== 'deleting')
/** Those made for an order that are still there. */
const madeFor = async (id: number, standIn: HetznerStandIn | DigitalOceanStandIn = hetzner) => {
  const machine = await clouds.machine(id)
  return present(standIn).filter(({ name }) => name.endsWith(`-${machine?.order_id}`))
}
const alerts = async (): Promise<{ kind: string; details: Record<string, unknown> }[]> =>
  (await service.operator('GET', '/alerts')).body.data
const passes = async (times: number, seconds: number) => {
  for (let n = 0; n < times; n++) await clouds.pass(seconds)
}
/** Ordered, made, and its agent has called home. */
const delivered = async (user: TestUser, standIn: HetznerStandIn | DigitalOceanStandIn = hetzner) => {
  const { id } = await clouds.order(user)
  await passes(4, 3)
  const [machine] = await madeFor(id, standIn)
  if (!machine) throw new Error('No machine was made')
  await rented.callHome(machine)
  await clouds.pass(3)
  const [server] = (await clouds.list(user)).filter((one: { id: number }) => one.id === id)
  expect(server).toMatchObject({ status: 'active', is_online: true, url: machine.address })
  return { id, server, machine }
}

describe('a machine at a provider', () => {
  test('is made with labels of the order, becomes active when its agent calls, restarts, rests and goes', async () => {
    const user = await rich()
    const { id } = await clouds.order(user, { hostname: 'vpn.example.com' })
    await clouds.pass()
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'purchased' })
    await passes(3, 3)
    const [machine] = await madeFor(id)
    const { order_id } = (await clouds.machine(id)) as { order_id: number }
    expect(machine).toMatchObject({ type: 'cx23', region: 'fsn1', image: 'debian-12', state: 'running' })
    expect(Object.values(machine?.labels ?? {})).toContain(String(order_id))
    expect(machine?.userData).toContain('/install/agent')
    const { status, headers } = await service.call('GET', '/install/agent')
    expect([status, headers.get('x-content-type-options')]).toEqual([200, 'nosniff'])
    expect(machine?.userData).toContain("hostnamectl set-hostname 'vpn'")
    expect(machine?.userData).not.toContain(hetznerToken)
    await clouds.pass(60)
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'purchased', url: machine?.address })
    await rented.callHome(machine as NonNullable<typeof machine>)
    await clouds.pass(3)
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'active', is_online: true })

    const config = await clouds.call(user, 'POST', `/${id}/configs`, { protocol: 'vless' })
    expect(config.body.data.connection_url).toContain(machine?.address)
    await clouds.call(user, 'POST', `/${id}/reboot`)
    await clouds.pass(3)
    expect(hetzner.calls.some(({ path }) => path.endsWith('/actions/reboot'))).toBe(true)
    await passes(2, 3)
    expect((await clouds.list(user))[0].is_online).toBe(false)
    await rented.restarted(machine?.name ?? '')
    await clouds.pass(3)
    expect((await clouds.list(user))[0].is_online).toBe(true)

    service.clock.advance(30 * day)
    await passes(4, 3)
    expect((await madeFor(id))[0]?.state).toBe('off')
    await clouds.call(user, 'POST', '/renewal', { server_id: id, payment_method_id: 1, days: 30 })
    await passes(4, 3)
    expect((await madeFor(id))[0]?.state).toBe('running')

    service.clock.advance(34 * day)
    await passes(6, 10)
    expect(await madeFor(id)).toEqual([])
    expect(await clouds.machine(id)).toMatchObject({ gone_at: expect.any(Number), node_id: null })
    expect(await clouds.list(user)).toEqual([])
  })

  test('its token works once, for one machine', async () => {
    const { machine } = await delivered(await rich())
    const again = await rented.enrol(machine.userData, 'A'.repeat(43))
    expect(again.body).toMatchObject({ statusCode: 401, errorCode: 2 })
  })

  test('no word of the provider’s token is kept or said', async () => {
    await delivered(await rich())
    for (const table of ['clouds', 'machines', 'alerts', 'audit_log'] as const) {
      expect(JSON.stringify(await service.db.selectFrom(table).selectAll().execute())).not.toContain(
        hetznerToken,
      )
    }
  })
})

describe.each(['hetzner', 'digitalocean'] as const)('what goes wrong at %s', (kind) => {
  const standIn = () => (kind === 'hetzner' ? hetzner : ocean)
  const offer = () => (kind === 'hetzner' ? atHetzner : atOcean)
  beforeEach(() => rented.offers(offer()))

  const lost: [string, Fault][] = [
    ['the answer is lost', { kind: 'reset', after: true }],
    ['the answer is half of one', { kind: 'truncated', after: true }],
    ['the answer is a page', { kind: 'html', after: true }],
    ['the answer is an error', { kind: 'status', status: 502, after: true }],
  ]
  test.each(lost)('the machine is made and %s: there is one', async (_, fault) => {
    standIn().faults.once('create', fault)
    const user = await rich()
    const { id } = await clouds.order(user)
    await clouds.pass()
    await passes(6, 30)
    expect(await madeFor(id, standIn())).toHaveLength(1)
    const [machine] = await madeFor(id, standIn())
    await rented.callHome(machine as NonNullable<typeof machine>)
    await passes(2, 3)
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'active' })
  })

  test('it is switched off, nobody hears of that, and it is renewed: it runs again', async () => {
    const user = await rich()
    const { id } = await delivered(user, standIn())
    standIn().faults.once('powerOff', { kind: 'status', status: 502, after: true }, 9)
    service.clock.advance(30 * day)
    await passes(3, 1)
    expect((await madeFor(id, standIn()))[0]?.state).toBe('off')
    expect(await clouds.machine(id)).toMatchObject({ wanted: 'off', is_on: true })
    await clouds.call(user, 'POST', '/renewal', { server_id: id, payment_method_id: 1, days: 30 })
    await passes(4, 130)
    expect((await madeFor(id, standIn()))[0]?.state).toBe('running')
    expect(await clouds.machine(id)).toMatchObject({ wanted: 'on', is_on: true, next_step_at: null })
  })

  const passing: [string, Fault][] = [
    ['nothing is answered', { kind: 'reset' }],
    ['an error', { kind: 'status', status: 500 }],
    ['too many questions', { kind: 'rate', retryAfterSeconds: 20 }],
    ['a page instead of an answer', { kind: 'html' }],
  ]
  test.each(passing)('nothing is made and %s: asked again until there is one', async (_, fault) => {
    standIn().faults.once('create', fault, 2)
    const user = await rich()
    const { id } = await clouds.order(user)
    await clouds.pass()
    await passes(14, 30)
    expect(await madeFor(id, standIn())).toHaveLength(1)
  })

  const final: [string, Fault, string | undefined][] = [
    ['out of stock', { kind: 'stock' }, undefined],
    ['the account may have no more', { kind: 'quota' }, 'cloud_refused'],
    ['the token is refused', { kind: 'unauthorized' }, 'cloud_refused'],
  ]
  test.each(final)('%s: the money is back, and a person is told', async (_, fault, alert) => {
    standIn().faults.always('create', fault)
    const user = await rich()
    const { id } = await clouds.order(user)
    await passes(3, 3)
    expect(await clouds.list(user)).toEqual([])
    expect(await balanceOf(user)).toBe(10_000)
    expect(await madeFor(id, standIn())).toEqual([])
    const kinds = (await alerts()).map((each) => each.kind)
    expect(kinds).toContain('machine_failed')
    if (alert) expect(kinds).toContain(alert)
    const { body } = await service.customer(user, 'GET', '/profile/notifications')
    expect(JSON.stringify(body.data)).toMatch(/Оплата возвращена/)
  })

  test('what it took on fails: it goes, and the money is back', async () => {
    const failure: Fault = { kind: 'action-error', code: 'action_failed', message: 'no luck' }
    standIn().faults.always('create', failure)
    const user = await rich()
    const { id } = await clouds.order(user)
    await passes(12, 5)
    expect(await madeFor(id, standIn())).toEqual([])
    expect(await balanceOf(user)).toBe(10_000)
  })

  test('it never calls home: it goes, and the money is back', async () => {
    const user = await rich()
    const { id } = await clouds.order(user)
    await passes(4, 3)
    expect(await madeFor(id, standIn())).toHaveLength(1)
    service.clock.advance(1300)
    await passes(8, 5)
    expect(await madeFor(id, standIn())).toEqual([])
    expect(await clouds.list(user)).toEqual([])
    expect(await balanceOf(user)).toBe(10_000)
  })

  test('it vanishes: another takes its place with everything on it, and the days of waiting are added', async () => {
    const user = await rich()
    const { id, machine, server } = await delivered(user, standIn())
    const made = await clouds.call(user, 'POST', `/${id}/configs`, { protocol: 'vless' })
    standIn().vanish(machine.id)
    rented.silence(machine.name)
    standIn().faults.always('create', { kind: 'stock' })
    await passes(4, 130)
    expect((await clouds.list(user))[0]).toMatchObject({ status: 'ordered', is_online: false })
    await passes(4, 1000)
    standIn().faults.clear()
    await clouds.pass(610)
    await passes(4, 3)
    const [other] = await madeFor(id, standIn())
    expect(other?.id).not.toBe(machine.id)
    expect((await alerts()).map((each) => each.kind)).toContain('machine_lost')
    await rented.callHome(other as NonNullable<typeof other>)
    await passes(2, 3)
    const [now] = await clouds.list(user)
    expect(now).toMatchObject({ status: 'active', is_online: true, url: other?.address })
    expect(now.expires_at).toBeGreaterThan(server.expires_at + 3600)
    const [config] = (await clouds.call(user, 'GET', `/${id}/configs`)).body.data
    expect(config.connection_url).toBe(
      made.body.data.connection_url.replace(machine.address ?? '', other?.address ?? ''),
    )
  })
})

describe('who has none', () => {
  test('another offer is taken: another type, another place, another provider', async () => {
    await rented.offers(atHetzner, { ...atHetzner, region: 'nbg1' }, { ...atHetzner, type: 'cpx11' }, atOcean)
    hetzner.faults.outOfStock({ type: 'cx23' })
    hetzner.faults.outOfStock({ type: 'cpx11', region: 'fsn1' })
    const user = await rich()
    const { id } = await clouds.order(user)
    await passes(5, 3)
    expect(await madeFor(id, hetzner)).toEqual([])
    expect(await madeFor(id, ocean)).toHaveLength(1)
  })

  test('a promocode works again', async () => {
    hetzner.faults.always('create', { kind: 'quota' })
    const user = await rich()
    const issue = { product_type: 'cloud_servers', days: 7, count: 1 }
    const [promocode] = (await service.operator('POST', '/promocodes', issue)).body.data.codes
    const free = { promocode, payment_method_id: undefined, tariff_id: undefined }
    await clouds.order(user, free)
    await passes(3, 3)
    expect(await clouds.list(user)).toEqual([])
    hetzner.faults.clear()
    await clouds.order(user, free)
    await passes(3, 3)
    expect(await clouds.list(user)).toHaveLength(1)
    expect(await balanceOf(user)).toBe(10_000)
  })

  test('money from outside is credited', async () => {
    hetzner.faults.always('create', { kind: 'quota' })
    const user = await service.createUser()
    const { body } = await clouds.call(user, 'POST', '', { ...clouds.start, payment_method_id: 2 })
    await clouds.payLink(body.data.link)
    await passes(3, 3)
    expect(await clouds.list(user)).toEqual([])
    expect(await balanceOf(user)).toBe(500)
  })
})

describe('the reconciler', () => {
  const foreign = (labels: Record<string, string>) =>
    fetch(`${hetzner.url}/servers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${hetznerToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        name: `other-${crypto.randomUUID()}`,
        server_type: 'cx23',
        image: 'debian-12',
        location: 'fsn1',
        labels,
      }),
    })

  test('never touches what is not ours, and asks about what it does not know', async () => {
    await foreign({ project: 'web' })
    await foreign({ sallyport: 'another-one', 'sallyport-order': '1', 'sallyport-attempt': '1' })
    const { id } = await delivered(await rich())
    const [own] = await madeFor(id)
    const labels = { ...own?.labels, 'sallyport-order': '999999' }
    await foreign(labels)
    const before = present(hetzner).length
    await passes(3, 130)
    expect(present(hetzner)).toHaveLength(before)
    expect((await alerts()).filter((each) => each.kind === 'machine_orphan')).toHaveLength(1)
  })

  test('removes a second machine of an order, and what is left of one that ended', async () => {
    const user = await rich()
    const { id, machine } = await delivered(user)
    await foreign(machine.labels)
    await passes(6, 130)
    expect(await madeFor(id)).toHaveLength(1)
    expect(
      present(hetzner).filter(
        ({ labels }) => labels['sallyport-order'] === machine.labels['sallyport-order'],
      ),
    ).toHaveLength(1)
    service.clock.advance(34 * day)
    await passes(6, 10)
    expect(await madeFor(id)).toEqual([])
    await foreign(machine.labels)
    await passes(3, 130)
    expect(
      present(hetzner).filter(
        ({ labels }) => labels['sallyport-order'] === machine.labels['sallyport-order'],
      ),
    ).toEqual([])
  })
})

describe('what takes long', () => {
  test('a provider that answers only questions is left for the next', async () => {
    await rented.offers(atHetzner, atOcean)
    hetzner.faults.always('create', { kind: 'status', status: 503 })
    const { id } = await clouds.order(await rich())
    await passes(20, 130)
    expect(await madeFor(id, ocean)).toHaveLength(1)
  })

  test('so is one that refuses the token after an answer was lost', async () => {
    await rented.offers(atHetzner, atOcean)
    hetzner.faults.once('create', { kind: 'reset' })
    hetzner.faults.always('list', { kind: 'unauthorized' })
    const { id } = await clouds.order(await rich())
    await passes(20, 130)
    expect(await madeFor(id, ocean)).toHaveLength(1)
  })

  test('offers of a node among those of providers', async () => {
    const local = await service.db
      .selectFrom('clouds')
      .select(['id', 'node_id'])
      .where('kind', '=', 'local')
      .executeTakeFirstOrThrow()
    const onNode = { cloudId: local.id, region: '', type: '', image: '' }
    await rented.offers(atHetzner, onNode, { ...atHetzner, region: 'nbg1' })
    hetzner.faults.once('create', { kind: 'stock' })
    const nodes = () => service.db.selectFrom('nodes').select('id').execute()
    const before = (await nodes()).length
    const { id } = await clouds.order(await rich())
    await passes(2, 3)
    expect(await clouds.machine(id)).toMatchObject({ cloud_id: local.id, node_id: local.node_id })
    service.clock.advance(1300)
    await passes(6, 5)
    expect(await madeFor(id)).toHaveLength(1)
    expect(await nodes()).toHaveLength(before + 1)
  })

  test('a lost machine that is looked for past its end keeps the days that were left', async () => {
    const user = await rich()
    const { id, machine } = await delivered(user)
    service.clock.advance(20 * day)
    hetzner.vanish(machine.id)
    rented.silence(machine.name)
    hetzner.faults.always('create', { kind: 'stock' })
    await passes(4, 130)
    await passes(20, day)
    expect((await clouds.list(user))[0]).toMatchObject({ id, status: 'ordered' })
    hetzner.faults.clear()
    await clouds.pass(610)
    await passes(4, 3)
    const [other] = await madeFor(id)
    await rented.callHome(other as NonNullable<typeof other>)
    await passes(2, 3)
    const [back] = await clouds.list(user)
    expect(back.status).toBe('active')
    expect(back.expires_at - service.clock.now()).toBeGreaterThan(9 * day)
  })

  test('a bridge learns where its exit is now', async () => {
    const user = await rich()
    await service.heartbeat()
    const { id, machine } = await delivered(user)
    const exit = await clouds.call(user, 'POST', `/${id}/configs`, { protocol: 'vless' })
    await service.heartbeat()
    const entry = await service.buy(user)
    const ends = { first_config_id: entry.id, second_config_id: exit.body.data.id, second_type: 'cloud' }
    expect((await service.customer(user, 'POST', '/configs/makeBridge', ends)).status).toBe(201)
    const revision = async () =>
      (
        await service.db
          .selectFrom('placements')
          .select('revision')
          .where('access_id', '=', entry.id)
          .executeTakeFirstOrThrow()
      ).revision
    const before = await revision()
    hetzner.vanish(machine.id)
    rented.silence(machine.name)
    service.clock.advance(100)
    await passes(4, 130)
    await passes(4, 3)
    expect((await madeFor(id))[0]?.address).not.toBe(machine.address)
    expect(await revision()).toBeGreaterThan(before)
  })
})

describe('handed on', () => {
  test('the money of what is not delivered goes to whoever has it now', async () => {
    hetzner.faults.always('create', { kind: 'rate', retryAfterSeconds: 60 })
    const payer = await rich()
    await clouds.order(payer)
    await clouds.pass()
    const heir = await service.createUser()
    const call = (user: TestUser, path: string, body: object) =>
      service.call('POST', `/v1/profile/transfer/${path}`, { token: user.session_token, body })
    const { body } = await call(payer, 'createKey', {})
    await call(heir, 'activateKey', { key: body.data.key ?? body.data })
    const gone = await service.call('DELETE', '/v1/profile', { token: payer.session_token, body: {} })
    expect(gone.status, JSON.stringify(gone.body)).toBe(200)
    hetzner.faults.clear()
    hetzner.faults.always('create', { kind: 'stock' })
    await passes(4, 200)
    expect(await clouds.list(heir)).toEqual([])
    expect(await balanceOf(heir)).toBe(10_000)
  })
})
