import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 100_000 })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const buy = (body: object = {}) => service.buy(user, { protocol: 'amnezia-wg-2', ...body })
const tune = (id: number, body: object) => service.customer(user, 'PATCH', `/configs/${id}/awgConfig`, body)
const numberOf = (conf: string, name: string) => Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(conf)?.[1])
const portOf = (conf: string) => Number(/^Endpoint = .*:(\d+)$/m.exec(conf)?.[1])

test('every parameter is applied, and shows in conf and link', async () => {
  const config = await buy()
  const wanted = { jc: 7, jmin: 50, jmax: 900, s1: 100, s2: 120, s3: 40, s4: 20 }
  const headers = { h1: 11, h2: 4_294_967_295, h3: 33, h4: 44 }
  const { status, body } = await tune(config.id, { port: 45_001, ...wanted, ...headers })
  expect(status).toBe(200)
  expect(Object.keys(body.data).sort()).toEqual(['awg_config', 'connection_url', 'server_id'])
  for (const [name, value] of Object.entries({ ...wanted, ...headers })) {
    expect(numberOf(body.data.awg_config, name[0]?.toUpperCase() + name.slice(1)), name).toBe(value)
  }
  expect(portOf(body.data.awg_config)).toBe(45_001)
  expect(body.data.connection_url).not.toBe(config.connection_url)
  const listed = (await service.customer(user, 'GET', '/configs')).body.data
  expect(listed.find((row: { id: number }) => row.id === config.id)).toMatchObject(body.data)
})

test('what is not given stays as it was', async () => {
  const config = await buy()
  const { body } = await tune(config.id, { jc: 9 })
  const strip = (conf: string) => conf.replace(/^Jc = .*$/m, '')
  expect(strip(body.data.awg_config)).toBe(strip(config.awg_config))
  expect((await tune(config.id, {})).body.data.awg_config).toBe(body.data.awg_config)
})

test.each([
  ['port', 9999],
  ['port', 65_536],
  ['jc', 0],
  ['jc', 129],
  ['jmin', 0],
  ['jmax', 1281],
  ['s1', -1],
  ['s2', 4_294_967_296],
  ['h1', 0],
  ['h4', 4_294_967_296],
  ['jc', 1.5],
  ['jc', '5'],
  ['i1', 5],
])('%s = %s is outside its range or unknown: 400 that names it', async (name, value) => {
  const config = await buy()
  const { body } = await tune(config.id, { [name]: value })
  expect(body).toMatchObject({ statusCode: 400, errorCode: 3 })
  expect(body.details[0].path).toBe(name)
})

test.each([
  ['jmin above jmax', { jmin: 900, jmax: 100 }, 'jmin'],
  ['equal headers', { h1: 77, h2: 77 }, 'h'],
  ['equal packet sizes', { s1: 0, s2: 56 }, 's'],
  ['an init packet larger than a datagram', { s1: 70_000 }, 's1'],
  ['transport packets without room for data', { s4: 4_294_967_295 }, 's4'],
])('%s is within the ranges but cannot work: 400, and nothing changes', async (_what, change, path) => {
  const config = await buy()
  const { body } = await tune(config.id, change)
  expect(body).toMatchObject({ statusCode: 400, errorCode: 3, message: 'BAD_REQUEST' })
  expect(body.details.some((detail: { path: string }) => detail.path.startsWith(path))).toBe(true)
  expect((await tune(config.id, {})).body.data.awg_config).toBe(config.awg_config)
})

test('a port belongs to one; taken is 409, and the old one is kept', async () => {
  const [one, other] = [await buy({ server_id: 1 }), await buy({ server_id: 1 })]
  expect((await tune(one.id, { port: 45_777 })).status).toBe(200)
  const taken = await tune(other.id, { port: 45_777 })
  expect(taken.body).toMatchObject({ statusCode: 409, errorCode: 6, details: [{ path: 'port' }] })
  expect(portOf((await tune(other.id, {})).body.data.awg_config)).toBe(portOf(other.awg_config))
  expect((await tune(one.id, { port: 45_778 })).status).toBe(200)
  expect((await tune(other.id, { port: 45_777 })).status).toBe(200)
})

test('20 who want one port at once: one gets it', async () => {
  const configs = await Promise.all(Array.from({ length: 20 }, () => buy({ server_id: 1 })))
  const answers = await Promise.all(configs.map((config) => tune(config.id, { port: 46_000 })))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)])
})

test('other protocols have no such parameters', async () => {
  const wg = await buy({ protocol: 'wg' })
  expect(wg.awg_config).not.toMatch(/^Jc/m)
  expect((await tune(wg.id, { jc: 5 })).body.details[0].problem).toContain('only amnezia-wg-2')
})
