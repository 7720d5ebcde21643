import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { describeWith } from '../../../../../test/support/engines/engines.ts'
import { xray } from '../../../../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1000 })
  await service.buy(user)
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const kinds = ['xray', 'mihomo', 'stash', 'clash', 'sing-box', 'sing-box-1.11'] as const
const isJson = (kind: string) => kind === 'xray' || kind.startsWith('sing-box')
const path = (kind: string) => `/delivery/templates/${kind}`
const show = async (kind: string) => (await service.operator('GET', path(kind))).body.data
const write = (kind: string, template: string) => service.operator('PUT', path(kind), { template })
const reset = (kind: string) => service.operator('DELETE', path(kind))
const delivered = async (kind: string, key = user.subscription_key) => {
  const format = kind === 'sing-box-1.11' ? 'sing-box' : kind
  const headers = { 'user-agent': kind === 'sing-box-1.11' ? 'SFA/1.11.4' : 'curl/8' }
  const { body } = await service.call('GET', `/sub/${key}?format=${format}`, { headers })
  if (typeof body === 'string') return parse(body)
  return Array.isArray(body) ? body[0] : body
}
/** Each has a level of its log somewhere. */
const levelIn = (config: Record<string, unknown>) => {
  const log = config.log as { loglevel?: string; level?: string } | undefined
  return log?.loglevel ?? log?.level ?? config['log-level']
}
const withLevel = (text: string, level: string) => text.replace(/(level"?: "?)warn(ing)?/, `$1${level}`)

test('all are listed, none of them the operator’s at first', async () => {
  const { body } = await service.operator('GET', '/delivery/templates')
  expect(body.data).toEqual(
    kinds.map((kind) => ({ kind, is_own: false, changed_at: null, version: expect.any(Number) })),
  )
})

test.each(
  kinds,
)('%s: what is written is delivered from the next fetch on, and can be taken back', async (kind) => {
  const usual = await show(kind)
  expect(usual).toMatchObject({ kind, is_own: false })
  const before = await delivered(kind)
  const text = withLevel(usual.template, 'error')
  expect(text).not.toBe(usual.template)
  const written = await write(kind, text)
  expect([written.status, written.body.data]).toEqual([
    200,
    { kind, is_own: true, template: text, version: expect.any(Number) },
  ])
  expect(written.body.data.version).toBeGreaterThan(usual.version)
  expect(levelIn(await delivered(kind))).toBe('error')
  expect(await show(kind)).toEqual(written.body.data)
  const { body } = await service.operator('GET', '/delivery/templates')
  expect(body.data.filter((row: { is_own: boolean }) => row.is_own)).toEqual([
    { kind, is_own: true, changed_at: service.clock.now(), version: (await show(kind)).version },
  ])
  expect((await reset(kind)).body.data).toEqual({ ...usual, version: expect.any(Number) })
  expect(await delivered(kind)).toEqual(before)
  expect((await reset(kind)).status).toBe(200)
  const usually = { is_own: false, bytes: Buffer.byteLength(usual.template) }
  const own = { is_own: true, bytes: Buffer.byteLength(text) }
  const log = await service.operator('GET', `/audit?subject=template:${kind}`)
  expect(
    log.body.data.map((entry: { action: string; details: object }) => [entry.action, entry.details]),
  ).toEqual([
    ['resetDeliveryTemplate', { before: {}, after: {} }],
    ['resetDeliveryTemplate', { before: own, after: usually }],
    ['changeDeliveryTemplate', { before: usually, after: own }],
  ])
})

test('what is refused to a device is said in the operator’s template too', async () => {
  const strict = await service.createUser()
  await service.customer(strict, 'PATCH', '/profile/devices/settings', { device_limit: 1 })
  await write('mihomo', withLevel((await show('mihomo')).template, 'silent'))
  expect(levelIn(await delivered('mihomo', strict.subscription_key))).toBe('silent')
  await reset('mihomo')
})

describe('what is no template', () => {
  test.each<[string, string, RegExp]>([
    ['xray', '{"outbounds":', /JSON|expected|end/i],
    ['xray', '[]', /must be a JSON object/],
    ['sing-box', '{"nonsense":1}', /nonsense/],
    ['mihomo', 'proxy-groups: 5', /proxy-groups/],
    ['clash', 'a: b: c', /./],
    ['stash', '- one', /must be a mapping/],
  ])('%s %j is refused with the problem', async (kind, template, problem) => {
    const { status, body } = await write(kind, template)
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'template'])
    expect(body.details[0].problem).toMatch(problem)
    expect((await show(kind)).is_own).toBe(false)
  })

  test('nor is what is larger than a request may be, or of another name', async () => {
    const room = 512 * 1024 - JSON.stringify({ template: '{"remarks":""}' }).length
    const sized = (length: number) => `{"remarks":"${'x'.repeat(length)}"}`
    expect((await write('xray', sized(room + 1))).status).toBe(413)
    expect((await write('xray', sized(room))).status).toBe(200)
    await reset('xray')
    for (const [method, body] of [['GET'], ['PUT', { template: '{}' }], ['DELETE']] as const) {
      const answer = await service.operator(method, path('surge'), body)
      expect([answer.status, answer.body.errorCode], method).toEqual([404, 1])
    }
  })
})

describe('a customer’s own Xray template', () => {
  test('goes before the operator’s, which goes before the usual one', async () => {
    const { body } = await service.customer(user, 'GET', '/configs')
    const custom = '/profile/custom-subscriptions'
    const items = [{ item_type: 'user_config', item_reference_id: body.data[0].id }]
    const made = (await service.customer(user, 'POST', custom, { title: 'Mine', items })).body.data
    const at = `${custom}/${made.id}/xray-template`
    const level = async () => levelIn(await delivered('xray', made.subscription_key))
    const usual = (await show('xray')).template
    await write('xray', withLevel(usual, 'error'))
    expect(await level()).toBe('error')
    // What customers begin with is what they would get.
    expect((await service.customer(user, 'GET', at)).body.data).toBe(withLevel(usual, 'error'))
    await service.customer(user, 'PUT', at, { template: withLevel(usual, 'debug') })
    expect(await level()).toBe('error')
    await service.customer(user, 'PATCH', `${at}/settings`, { enabled: true })
    expect(await level()).toBe('debug')
    await service.customer(user, 'DELETE', at)
    expect(await level()).toBe('error')
    await reset('xray')
    expect(await level()).toBe('warning')
  })
})

test('owners write templates, every operator reads them', async () => {
  for (const [role, status] of [
    ['owner', 200],
    ['finance', 403],
    ['support', 403],
  ] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    const at = `/operator/v1${path('xray')}`
    const put = await service.call('PUT', at, { token, body: { template: '{}' } })
    expect([put.status, (await service.call('DELETE', at, { token })).status], role).toEqual([status, status])
    expect((await service.call('GET', at, { token })).status).toBe(200)
  }
})

test('every kind of the usual ones can be written back as it is read', async () => {
  for (const kind of kinds) {
    const { template } = await show(kind)
    if (isJson(kind)) expect(() => JSON.parse(template)).not.toThrow()
    const before = await delivered(kind)
    expect((await write(kind, template)).status, kind).toBe(200)
    expect(await delivered(kind)).toEqual(before)
    await reset(kind)
  }
})

describeWith(xray, 'the engine beside the service', () => {
  test('reads what every customer would get first', async () => {
    const { status, body } = await write('xray', '{"outbounds":[{"protocol":"vles"}]}')
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'template'])
    expect(body.details[0].problem).toMatch(/^Xray refuses it: .*unknown config id: vles/)
    expect((await show('xray')).is_own).toBe(false)
  })
})
