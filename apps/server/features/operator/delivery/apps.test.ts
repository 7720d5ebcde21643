import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1000 })
  await service.buy(user)
})
const asItComes = { order: [], hidden: [], added: [] }
beforeEach(async () => {
  await service.heartbeat()
  await service.operator('PUT', '/delivery/apps', asItComes)
})
afterAll(() => service.stop())

const read = async () => (await service.operator('GET', '/delivery/apps')).body.data
const arrange = (body: object) => service.operator('PUT', '/delivery/apps', { ...asItComes, ...body })
const visit = (path: string) => service.call('GET', path, { headers: { accept: 'text/html' } })
const page = async () => String((await visit(`/sub/${user.subscription_key}`)).body)
const idsOf = (data: { apps: { id: string }[] }) => data.apps.map(({ id }) => id)
const usual = catalogue.map(({ id }) => id)

const ours = {
  id: 'our-vpn',
  name: 'Our VPN',
  platforms: ['android', 'ios'],
  stores: [{ name: 'Site', url: 'https://example.com/app', platforms: ['android'], publisher: 'We' }],
  import_template: 'ourvpn://import/{encodedUrl}#{name}',
  formats: ['base64'],
  protocols: ['vless'],
  hwid: 'always',
  checked_on: '2026-01-01',
}

test('the catalogue as it comes, until it is arranged', async () => {
  const data = await read()
  expect(data).toMatchObject(asItComes)
  expect(idsOf(data)).toEqual(usual)
})

test('what is put first, hidden and added is what customers find from the next visit on', async () => {
  const before = await page()
  expect(before.indexOf('happ://')).toBeLessThan(before.indexOf('karing://'))
  expect((await visit('/open/our-vpn')).status).toBe(404)
  const { status, body } = await arrange({ order: ['karing', 'our-vpn'], hidden: ['happ'], added: [ours] })
  expect([status, body.data]).toEqual([200, await read()])
  expect(body.data).toMatchObject({ order: ['karing', 'our-vpn'], hidden: ['happ'], added: [ours] })
  expect(idsOf(body.data)).toEqual(['karing', 'our-vpn', ...usual.filter((id) => id !== 'karing')])
  expect(body.data.apps.slice(0, 3)).toEqual([
    expect.objectContaining({ id: 'karing', is_added: false, is_hidden: false }),
    { id: 'our-vpn', name: 'Our VPN', platforms: ['android', 'ios'], is_added: true, is_hidden: false },
    expect.objectContaining({ id: 'happ', is_added: false, is_hidden: true }),
  ])
  const after = await page()
  expect(after).not.toContain('happ://')
  expect(after).toContain(`ourvpn://import/${encodeURIComponent(`${service.running.url}/sub/`)}`)
  expect(after.indexOf('karing://')).toBeLessThan(after.indexOf('ourvpn://'))
  expect((await visit('/open/our-vpn')).status).toBe(200)
  expect((await visit('/open/happ')).status).toBe(404)
  await arrange({})
  expect(await page()).toBe(before)
  expect((await visit('/open/happ')).status).toBe(200)
})

test('every change is in the audit log, with what was before', async () => {
  await arrange({ hidden: ['happ'] })
  const { body } = await service.operator('GET', '/audit?action=arrangeApps&limit=1')
  expect(body.data[0]).toMatchObject({
    subject: 'apps',
    details: { before: { hidden: [] }, after: { hidden: ['happ'] } },
  })
})

test.each<[object, string]>([
  [{ order: ['nothing'] }, 'order.0'],
  [{ hidden: ['happ', 'nothing'] }, 'hidden.1'],
  [{ added: [{ ...ours, id: 'happ' }] }, 'added.0.id'],
  [{ added: [ours, ours] }, 'added.1.id'],
  [{ added: [{ ...ours, id: 'Bad Id' }] }, 'added.0.id'],
  [{ added: [{ ...ours, import_template: 'javascript://{url}' }] }, 'added.0.import_template'],
  [{ added: [{ ...ours, import_template: 'ourvpn://import' }] }, 'added.0.import_template'],
  [{ added: [{ ...ours, checked_on: 'yesterday' }] }, 'added.0.checked_on'],
  [
    { added: [{ ...ours, stores: [{ ...ours.stores[0], url: 'data:text/html,x' }] }] },
    'added.0.stores.0.url',
  ],
  [{ added: [{ ...ours, protocols: [] }] }, 'added.0.protocols'],
])('%j is refused by its place, and nothing is kept', async (body, path) => {
  const { status, body: answer } = await arrange(body)
  expect([status, answer.errorCode]).toEqual([400, 3])
  expect(answer.details.map((problem: { path: string }) => problem.path)).toEqual([path])
  expect(await read()).toMatchObject(asItComes)
})

test('what is no arrangement at all is refused', async () => {
  for (const body of [
    {},
    { order: [], hidden: [] },
    { ...asItComes, added: [{ ...ours, hwid: 'perhaps' }] },
    { ...asItComes, added: [{ ...ours, opens: { scheme: 'vless', platforms: [] } }] },
    { ...asItComes, added: Array.from({ length: 21 }, (_, at) => ({ ...ours, id: `our-${at}` })) },
  ]) {
    expect((await service.operator('PUT', '/delivery/apps', body)).status, JSON.stringify(body)).toBe(400)
  }
})

test('owners arrange, every operator looks', async () => {
  for (const [role, status] of [
    ['owner', 200],
    ['finance', 403],
    ['support', 403],
  ] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    const path = '/operator/v1/delivery/apps'
    expect((await service.call('PUT', path, { token, body: asItComes })).status, role).toBe(status)
    expect((await service.call('GET', path, { token })).status).toBe(200)
  }
})
