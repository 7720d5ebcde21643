import { afterAll, beforeAll, expect, test } from 'vitest'
import { drainingOf } from '../../../../test/support/draining.ts'
import type { EnrolledNode } from '../../../../test/support/node.ts'
import {
  openLimiter,
  startTestService,
  type TestService,
  type TestUser,
} from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { type RunningService, startService } from '../../main.ts'

/** A server that two instances empty, while its customers go on buying, renewing, changing and leaving. */

let service: TestService
let other: RunningService
let at: ReturnType<typeof drainingOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  other = await startService(readConfig(service.env), { clock: service.clock, limiter: openLimiter })
  at = drainingOf(service)
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const words = {
  title_ru: 'Опция',
  title_en: 'Option',
  caption_ru: 'Слова',
  caption_en: 'Words',
  description_ru: 'Слова',
  description_en: 'Words',
}

const ask = async (user: TestUser, method: string, path: string, body?: object): Promise<number> => {
  const { status } = await service.call(method, `/v1${path}`, { token: user.api_key, ...(body && { body }) })
  return status
}

test('everybody arrives once, whatever they do meanwhile', async () => {
  const { locationId, nodes, first, second } = await at.setUp(4)
  const third = nodes[2] as EnrolledNode
  const fourth = nodes[3] as EnrolledNode
  const option = (
    await service.operator('POST', '/paid-options', {
      key: 'busy_drain',
      ...words,
      protocol: 'vless',
      server_ids: [first.serverId, fourth.serverId],
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
    })
  ).body.data
  const order = { location_id: locationId, server_id: first.serverId, payment_method_id: 1, tariff_id: 1 }
  const users = await Promise.all(Array.from({ length: 12 }, () => service.createUser({ balance: 100_000 })))
  const configs: number[] = []
  for (const user of users) {
    configs.push((await service.buy(user, { ...order, protocol: 'vless' })).id)
    const bought = { paid_option_id: option.id, payment_method_id: 1, tariff_id: option.tariffs[0].id }
    expect(await ask(user, 'POST', '/paid-options', bought)).toBe(201)
  }
  expect((await at.drain(first.serverId)).status).toBe(200)
  const bustle = users.map(async (user, n) => {
    const id = configs[n] as number
    const statuses = [
      await ask(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1, tariff_id: 1 }),
      await ask(user, 'PATCH', `/configs/${id}/settings`, {
        location_id: locationId,
        protocol: 'vless',
        ...(n % 3 === 0 && { server_id: third.serverId }),
      }),
      n % 4 === 0 ? await ask(user, 'POST', `/configs/${id}/resetCredentials`) : 200,
      n % 4 === 1 ? (await at.fetched(user)).status : 200,
      await ask(user, 'POST', '/paid-options', {
        paid_option_id: option.id,
        payment_method_id: 1,
        tariff_id: option.tariffs[0].id,
      }),
    ]
    expect(statuses.filter((status) => status >= 500)).toEqual([])
  })
  const failing = first.report({
    apply_error: 'port 12345 is taken by another program',
    not_carried: { inbounds: [], accesses: configs.slice(0, 6).map((id) => `a${id}`), unfit: [] },
  })
  await Promise.all([...bustle, failing, other.runJobs(), service.running.runJobs()])
  for (let round = 0; round < 3; round++) {
    service.clock.advance(61)
    await at.alive(...nodes)
    await Promise.all([other.runJobs(), service.running.runJobs()])
  }
  expect(await at.shown(first.serverId)).toMatchObject({ left: 0, failed: [] })
  expect(await at.broken()).toEqual([])
  const twice = await service.db
    .selectFrom('held_accesses')
    .select('access_id')
    .where('server_id', '=', first.serverId)
    .groupBy('access_id')
    .having((eb) => eb.fn.countAll(), '>', 1)
    .execute()
  expect(twice).toEqual([])
  expect(second.serverId).not.toBe(first.serverId)
  for (const user of users) await at.fetched(user)
  for (let round = 0; round < 2; round++) await service.running.runJobs()
  expect((await at.shown(first.serverId)).state).toBe('done')
  expect(await at.broken()).toEqual([])
})

test('stopped amidst its steps, it takes none after the answer', async () => {
  const { first, second, buy } = await at.setUp(2)
  for (let n = 0; n < 30; n++) await buy()
  await at.drain(first.serverId)
  const [stopped] = await Promise.all([
    service.operator('DELETE', `/servers/${first.serverId}/drain`),
    other.runJobs(),
    service.running.runJobs(),
  ])
  expect(stopped.body.data.state).toBe('stopped')
  await at.alive(first, second)
  await Promise.all([other.runJobs(), service.running.runJobs()])
  expect((await at.shown(first.serverId)).moved).toBe(stopped.body.data.moved)
  expect(await at.broken()).toEqual([])
})
