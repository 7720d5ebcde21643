import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { CloudTests } from '../../../../test/support/cloud-servers.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** A configuration whose protocol is a proxy's: Telegram's, which only machines of one's own have. */

let service: TestService
let clouds: CloudTests
let user: TestUser
let id: number
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  clouds = new CloudTests(service)
  user = await service.createUser({ balance: 10_000 })
  id = (await clouds.active(user)).id
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const on = (method: string, path: string, body?: unknown) => clouds.call(user, method, `/${id}${path}`, body)
const made = async (protocol: string) => {
  const answer = await on('POST', '/configs', { protocol })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return answer.body.data
}
const fetched = async (key: string): Promise<string[]> => {
  const { body } = await service.call('GET', `/sub/${key}`)
  return Buffer.from(String(body), 'base64').toString().split('\n')
}

test('is no end of a bridge, for only Telegram goes that way', async () => {
  const [telegram, vless] = [await made('mtproto'), await made('vless')]
  const bridge = async (first: { id: number }, second: { id: number }) => {
    const types = { first_type: 'cloud', second_type: 'cloud' }
    const ends = { first_config_id: first.id, second_config_id: second.id, ...types }
    return (await service.customer(user, 'POST', '/configs/makeBridge', ends)).body
  }
  const refused = (path: string, problem: RegExp) => ({
    statusCode: 400,
    errorCode: 3,
    details: [{ path, problem: expect.stringMatching(problem) }],
  })
  expect(await bridge(telegram, vless)).toMatchObject(refused('first_config_id', /cannot begin/))
  expect(await bridge(vless, telegram)).toMatchObject(refused('second_config_id', /cannot end/))
  expect((await service.customer(user, 'GET', '/configs/bridges')).body.data).toEqual([])
})

test('has no Xray to edit', async () => {
  const { id: config } = await made('mtproto')
  const body = { xray_config: '{}' }
  expect((await on('PATCH', `/configs/${config}/xray`, body)).body).toMatchObject({
    statusCode: 400,
    errorCode: 3,
  })
  expect((await on('PATCH', '/configs/999999/xray', body)).body).toMatchObject({
    statusCode: 404,
    errorCode: 1,
  })
})

test('becomes another where nothing more would fit, for it has its slot', async () => {
  const { id: config } = await made('mtproto')
  const servers = () => service.db.updateTable('servers').where('owner_term_id', 'is not', null)
  await servers()
    .set((eb) => ({ capacity: eb.ref('used_slots') }))
    .execute()
  expect((await on('POST', '/configs', { protocol: 'vless' })).body).toMatchObject({ errorCode: 22 })
  expect((await on('PATCH', `/configs/${config}/protocol`, { protocol: 'vless' })).status).toBe(200)
  await servers().set({ capacity: 1000 }).execute()
})

test('comes with the account’s link among the others, until its machine ends', async () => {
  const owner = await service.createUser({ balance: 10_000 })
  const { id: machine } = await clouds.active(owner)
  const add = async (protocol: string) =>
    (await clouds.call(owner, 'POST', `/${machine}/configs`, { protocol })).body.data.connection_url
  const urls = [await add('mtproto'), await add('trojan'), await add('mtproto')]
  await clouds.call(owner, 'POST', `/${machine}/proxies`, { protocol: 'mtproto' })
  expect(await fetched(owner.subscription_key)).toEqual(urls)
  await clouds.pass(31 * 86_400)
  expect(await fetched(owner.subscription_key)).toEqual([expect.stringMatching(/^vless:.*127\.0\.0\.1:1/)])
})
