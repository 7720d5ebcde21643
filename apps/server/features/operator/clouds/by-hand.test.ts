import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type CloudOrder,
  comeUp,
  localOrder,
  orderMachine,
  sellByHand,
} from '../../../../../test/support/machines.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

const day = 86_400

let service: TestService
let order: CloudOrder
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  order = (await sellByHand(service)).order
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const round = async () => {
  // Longer than between two looks at one machine.
  service.clock.advance(3)
  await service.running.runJobs()
}
const buy = async (what: CloudOrder = order) => {
  const bought = await orderMachine(service, what)
  await round()
  return bought
}
const tell = (id: number, address: string) =>
  service.operator('POST', `/cloud-servers/${id}/address`, { address })
const retry = (id: number) => service.operator('POST', `/cloud-servers/${id}/retry`)
const list = async (query = '') => (await service.operator('GET', `/cloud-servers?${query}`)).body.data
const show = async (id: number) => (await list()).find((machine: { id: number }) => machine.id === id)
const own = async (user: TestUser) => (await service.customer(user, 'GET', '/cloud-servers')).body.data[0]
let told = 0
const fresh = (): string => `198.51.100.${++told}`
const wantedAlerts = async (id: number) =>
  (await service.operator('GET', '/alerts?is_open=true')).body.data.filter(
    ({ kind, subject }: { kind: string; subject: string }) =>
      kind === 'machine_wanted' && subject.startsWith(`machine:${id}:`),
  )

describe('a machine that a person finds', () => {
  test('from the order to a working configuration', async () => {
    const { user, id } = await buy()
    expect(await own(user)).toMatchObject({ status: 'ordered', url: null })
    expect(await wantedAlerts(id)).toHaveLength(1)
    const address = fresh()
    const { status, body } = await tell(id, address)
    expect(status, JSON.stringify(body)).toBe(200)
    const { enrolment_token: token, expires_at: expiresAt, install } = body.data
    expect(expiresAt).toBe(service.clock.now() + day)
    const fetched = `curl -fsSL ${service.running.url}/install/agent`
    expect(install).toBe(`${fetched} | SALLYPORT_ENROL_TOKEN=${token} sh`)
    expect(await wantedAlerts(id)).toEqual([])
    expect(await own(user)).toMatchObject({ status: 'purchased', url: address })

    await round()
    expect(await own(user)).toMatchObject({ status: 'purchased', is_online: false })
    const machine = await comeUp(service, token)
    await round()
    expect(await own(user)).toMatchObject({ status: 'active', url: address, is_online: true })
    expect(await show(id)).toMatchObject({ node_id: machine.nodeId, attempt: 1, problem: null, ref: address })

    const path = `/cloud-servers/${id}/configs`
    const made = await service.customer(user, 'POST', path, { protocol: 'vless' })
    expect(made.body.data.connection_url).toContain(`@${address}:`)
    expect(made.body.data.connection_url).toContain('www.example.com')
    const state = (await machine.poll?.())?.body.data
    expect(state.inbounds.length).toBeGreaterThan(5)
    expect(state.accesses).toHaveLength(1)
  })

  test('another address replaces the first until its agent has called home', async () => {
    const { user, id } = await buy()
    const first = (await tell(id, fresh())).body.data
    const address = fresh()
    const second = (await tell(id, address)).body.data
    expect(second.enrolment_token).not.toBe(first.enrolment_token)
    expect((await comeUp(service, first.enrolment_token)).status).toBe(401)
    const { nodeId } = await comeUp(service, second.enrolment_token)
    const called = await tell(id, fresh())
    expect([called.status, called.body.details[0].problem]).toEqual([
      409,
      expect.stringContaining('called home'),
    ])
    await round()
    expect(await own(user)).toMatchObject({ status: 'active', url: address })
    expect((await tell(id, fresh())).status).toBe(409)
    const servers = await service.db
      .selectFrom('servers')
      .select('domain')
      .where('node_id', '=', nodeId as number)
      .execute()
    expect(servers).toEqual([{ domain: `${address.replaceAll('.', '-')}.sslip.io` }])
  })

  test('with a name, or an address of six, it is reached there', async () => {
    for (const [address, kept] of [
      ['Box-7.Example.com', 'box-7.example.com'],
      ['2001:DB8::7', '2001:db8::7'],
    ] as const) {
      const { user, id } = await buy()
      await comeUp(service, (await tell(id, address)).body.data.enrolment_token)
      await round()
      expect(await own(user)).toMatchObject({ status: 'active', url: kept })
    }
  })

  test.each([
    'localhost',
    '203.0.113.5:22',
    '203.0.113.256',
    '-a.example.com',
    '[::1]',
    'fe80::1%eth0',
    'a b.c',
  ])('%s is no address', async (address) => {
    const { status, body } = await tell((await buy()).id, address)
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'address'])
  })

  test('a machine serves one customer', async () => {
    const [one, other] = [await buy(), await buy()]
    const address = fresh()
    await tell(one.id, address)
    const { status, body } = await tell(other.id, address)
    expect([status, body.details[0].path]).toEqual([409, 'address'])
    expect((await tell(one.id, address)).status).toBe(200)
  })

  test('nobody is waited for where none was asked for, or none is wanted', async () => {
    const refused = async (id: number, problem: string) => {
      const { status, body } = await tell(id, fresh())
      expect([status, body.errorCode, body.details]).toEqual([
        409,
        6,
        [{ path: 'id', problem: expect.stringContaining(problem) }],
      ])
    }
    const put = (id: number, change: object) =>
      service.db.updateTable('machines').set(change).where('id', '=', id).execute()
    expect((await tell(999_999, fresh())).status).toBe(404)
    await refused((await buy(localOrder)).id, 'has its machine already')
    const { id } = await buy()
    const { cloud_id } = await show(id)
    await put(id, { cloud_id: null, next_step_at: null })
    await refused(id, 'does not wait for a person')
    await put(id, { cloud_id, is_abandoned: true })
    await refused(id, 'given up')
    await put(id, { is_abandoned: false })
    service.clock.advance(31 * day)
    await round()
    await refused(id, 'is being removed, or gone')
    service.clock.advance(4 * day)
    await round()
    await round()
    expect(await show(id)).toMatchObject({ wanted: 'gone', gone_at: expect.any(Number) })
    await refused(id, 'is being removed, or gone')
    expect((await retry(id)).status).toBe(409)
  })

  test('one that never calls home within a day is given up, and the money goes back', async () => {
    const { user, id } = await buy()
    const { enrolment_token: token } = (await tell(id, fresh())).body.data
    service.clock.advance(day - 60)
    await round()
    expect(await own(user)).toMatchObject({ status: 'purchased' })
    service.clock.advance(120)
    await round()
    await round()
    expect(await own(user)).toBeUndefined()
    expect((await service.customer(user, 'GET', '/profile')).body.data.balance).toBe(5000)
    expect((await comeUp(service, token)).status).toBe(401)
  })

  test('the token is good once, and in no log', async () => {
    const { id } = await buy()
    const { enrolment_token: token } = (await tell(id, fresh())).body.data
    await comeUp(service, token)
    expect((await comeUp(service, token)).status).toBe(401)
    const log = await service.db.selectFrom('audit_log').selectAll().execute()
    expect(JSON.stringify(log)).not.toContain(token)
    expect(log.at(-1)).toMatchObject({
      action: 'setMachineAddress',
      subject: `cloud_server:${id}`,
      details: { attempt: 1 },
    })
  })

  test('a repeated request with its key is answered as before', async () => {
    const { id } = await buy()
    const call = () =>
      service.call('POST', `/operator/v1/cloud-servers/${id}/address`, {
        token: service.operatorToken,
        body: { address: '192.0.2.200' },
        headers: { 'idempotency-key': `address-of-${id}` },
      })
    const [first, again] = [await call(), await call()]
    expect(again.body).toEqual(first.body)
    expect(await show(id)).toMatchObject({ attempt: 1 })
  })

  test('two people at once: one after the other, and the last word counts', async () => {
    const { id } = await buy()
    const answers = await Promise.all([tell(id, fresh()), tell(id, fresh()), round()])
    expect(answers.slice(0, 2).map((answer) => answer?.status)).toEqual([200, 200])
    const machine = await show(id)
    expect(machine).toMatchObject({ attempt: 2, status: 'purchased' })
    const servers = await service.db
      .selectFrom('servers')
      .select('id')
      .where('node_id', '=', machine.node_id)
      .execute()
    expect(servers).toHaveLength(1)
  })
})
