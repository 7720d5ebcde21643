import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountOf } from '../../../test/support/people/account.ts'
import {
  startTestService,
  type TestService,
  type TestUser,
  usualOrder,
} from '../../../test/support/service.ts'

const customers = 100
const attemptsOfEach = 100

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

test('check 9: 10 000 purchases for the last slot of a server: one grant', { timeout: 600_000 }, async () => {
  const { db } = service
  const [server] = await db.selectFrom('servers').select('id').where('location_id', '=', 7).execute()
  const serverId = server?.id as number
  await db.updateTable('servers').set({ capacity: 0 }).where('location_id', '=', 7).execute()
  await db.updateTable('servers').set({ capacity: 1 }).where('id', '=', serverId).execute()
  const users = await Promise.all(
    Array.from({ length: customers }, () => service.createUser({ balance: 100_000 })),
  )
  const body = { ...usualOrder, location_id: 7, server_id: serverId }
  const statuses = new Map<number, number>()
  /** A service that is full says so, and customers come again. */
  const insist = async (user: TestUser): Promise<number> => {
    const { status } = await service.call('POST', '/v1/configs', { token: user.api_key, body })
    if (status !== 503) return status
    await sleep(200)
    return insist(user)
  }
  const tryOn = async (user: TestUser) => {
    for (let n = 0; n < attemptsOfEach; n++) {
      const status = await insist(user)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (n % 20 === 0) await service.heartbeat()
    }
  }
  await Promise.all(users.map(tryOn))
  expect(Object.fromEntries(statuses)).toEqual({ 201: 1, 409: customers * attemptsOfEach - 1 })
  const { used_slots } = await db
    .selectFrom('servers')
    .select('used_slots')
    .where('id', '=', serverId)
    .executeTakeFirstOrThrow()
  expect(used_slots).toBe(1)
  const { get, broken } = accountOf(service)
  const balances = await Promise.all(users.map(async (user) => (await get(user, '/profile')).balance))
  expect(balances.filter((balance) => balance !== 100_000)).toEqual([99_800])
  expect(await broken({ isAtRest: false })).toEqual([])
})
