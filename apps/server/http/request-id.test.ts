import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolNode } from '../../../test/support/node.ts'
import { startTestService, type TestService, usualOrder } from '../../../test/support/service.ts'

/** One name for a request, from whoever sends it to the node that it changes. */

let service: TestService
const lines: string[] = []
beforeAll(async () => {
  service = await startTestService({
    withoutLimits: true,
    env: { LOG_LEVEL: 'info', MAX_WAITING_REQUESTS: '8' },
    onLog: (line) => lines.push(line),
  })
})
afterAll(() => service.stop())

const header = 'x-request-id'
const idOf = async (path: string, given?: string) => {
  const answer = await service.call('GET', path, given === undefined ? {} : { headers: { [header]: given } })
  return answer.headers.get(header)
}
const made = /^[\w-]{12}$/

test.each([
  ['an operation', '/v1/locations'],
  ['a refusal', '/v1/profile'],
  ['an address that is not there', '/v1/nowhere'],
  ['a page that is not there', '/nowhere'],
  ['an address that cannot be read', '/v1/%zz'],
  ['health', '/healthz'],
  ['the docs', '/docs'],
])('%s answers with the name that was given, or with one of its own', async (_what, path) => {
  expect(await idOf(path, 'abcdEFGH_-123')).toBe('abcdEFGH_-123')
  const own = await idOf(path)
  expect(own).toMatch(made)
  expect(await idOf(path)).not.toBe(own)
})

test.each([
  ['too short', 'abc'],
  ['too long', 'a'.repeat(65)],
  ['with a quote', "abcdefgh'; drop table users; --"],
  ['with a blank', 'abcd efgh'],
])('a name that is %s is replaced', async (_what, given) => {
  expect(await idOf('/healthz', given)).toMatch(made)
})

test('what is no HTTP has a name too', async () => {
  const { hostname, port } = new URL(service.running.url)
  const socket = connect(Number(port), hostname)
  socket.end('NONSENSE\r\n\r\n')
  expect(await text(socket)).toMatch(/^x-request-id: [\w-]{12}\r$/m)
})

test('the log names the request that failed, and nothing of another one', async () => {
  await service.db.schema.alterTable('rates').renameTo('rates_away').execute()
  const { status } = await service.call('GET', '/operator/v1/rates', {
    token: service.operatorToken,
    headers: { [header]: 'rates-that-fail' },
  })
  await service.db.schema.alterTable('rates_away').renameTo('rates').execute()
  expect(status).toBe(500)
  const told = lines
    .map((line) => JSON.parse(line))
    .filter(({ request_id }) => request_id === 'rates-that-fail')
  expect(told).toMatchObject([{ msg: 'request failed' }])
})

test('what a node is told names the requests that changed it', async () => {
  const node = await enrolNode(service, 2)
  await node.report()
  const before = await node.poll(0)
  const user = await service.createUser({ balance: 1000 })
  for (const id of ['first-purchase', 'second-purchase']) {
    const bought = await service.customer(
      user,
      'POST',
      '/configs',
      { ...usualOrder, location_id: 2, server_id: node.serverId },
      { [header]: id },
    )
    expect([bought.status, bought.headers.get(header)]).toEqual([201, id])
  }
  const delta = await node.poll(before.revision)
  expect(delta).toMatchObject({ kind: 'delta', caused_by: ['first-purchase', 'second-purchase'] })
  expect(await node.poll(0)).toMatchObject({ kind: 'snapshot', caused_by: ['second-purchase'] })
  expect(await node.poll(delta.revision)).not.toHaveProperty('caused_by')
})

test('a job has a name of its own, on nodes as in the log', async () => {
  const node = await enrolNode(service, 2)
  await node.report()
  const user = await service.createUser({ balance: 1000 })
  await service.buy(user, { location_id: 2, server_id: node.serverId })
  const { revision } = await node.poll(0)
  service.clock.advance(31 * 86_400)
  const { kick } = service.running.services
  const { renewAndExpireJob } = await import('../core/terms/expiry.ts')
  kick(renewAndExpireJob as never)
  await expect.poll(async () => (await node.poll(revision)).caused_by?.[0]).toMatch(/^job-[\w-]{12}$/)
})
