import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInProcess } from '../../../../../test/support/in-process.ts'
import { enrolNode } from '../../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

test('two instances that look at once move each customer once, and take one slot for each', async () => {
  const [failing, good] = [await enrolNode(service, 2), await enrolNode(service, 2)]
  await failing.report()
  await good.report()
  const user = await service.createUser({ balance: 100_000 })
  for (let at = 0; at < 12; at++) {
    await service.buy(user, { location_id: 2, server_id: failing.serverId })
  }
  const inbounds = [{ tag: `vless-${failing.serverId}`, reason: 'port 443 is taken' }]
  const said = { not_carried: { inbounds, accesses: [], unfit: [] } }
  await failing.report(said)
  service.clock.advance(120)
  await good.report()
  await failing.report(said)
  const other = await startInProcess(service.env, service.clock)
  try {
    const rounds = [service.running, other, service.running, other].map((one) => one.runJobs())
    await Promise.all(rounds)
  } finally {
    await other.stop()
  }
  const { body } = await service.call('GET', '/v1/configs', { token: user.api_key })
  expect(new Set(body.data.map((one: { server_id: number }) => one.server_id))).toEqual(
    new Set([good.serverId]),
  )
  const slots = await service.db
    .selectFrom('servers')
    .select('used_slots')
    .where('id', 'in', [failing.serverId, good.serverId])
    .orderBy('id')
    .execute()
  expect(slots.map((row) => row.used_slots)).toEqual([0, 12])
  const told = await service.customer(user, 'GET', '/profile/notifications')
  expect(told.body.data).toHaveLength(12)
})
