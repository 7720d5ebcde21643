import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** Whether an option works is seen in the list, and heard of when the operator decides it. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const call = (user: TestUser, method: string, path = '', body?: unknown) =>
  service.customer(user, method, `/paid-options${path}`, body)
const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
const customer = async () => {
  const user = await service.createUser({ balance: 10_000 })
  const { body } = await call(user, 'POST', '', order)
  return { user, option: body.data }
}
const shown = async (user: TestUser) => {
  const [option] = (await call(user, 'GET')).body.data
  const online = option.configs.map((config: { is_online: boolean }) => config.is_online)
  return [option.status, online]
}
const disable = async (user: TestUser, isDisabled: boolean) => {
  const body = { is_disabled: isDisabled, reason: 'a complaint nobody else should read' }
  const answer = await service.operator('PATCH', `/users/${user.id}/paid-options/1`, body)
  expect(answer.status).toBe(200)
}
const carry = async (user: TestUser, bytes: number) => {
  await service.db
    .updateTable('meters')
    .set({ up: bytes })
    .where('access_id', '=', (await call(user, 'GET')).body.data[0].configs[0].id)
    .execute()
}
const notices = async (user: TestUser, headers = {}): Promise<string[]> => {
  const { body } = await service.customer(user, 'GET', '/profile/notifications', undefined, headers)
  return body.data.map((notice: { content: string }) => notice.content)
}

describe('GET /paid-options', () => {
  test('tells one that works from one whose traffic is used up', async () => {
    const { user, option } = await customer()
    expect(option.status).toBe('active')
    expect(await shown(user)).toEqual(['active', [true, true, true]])
    await carry(user, 1000)
    await call(user, 'PATCH', '/1/limits', { traffic_limit: 1000 })
    expect(await shown(user)).toEqual(['limited', [false, false, false]])
    await call(user, 'PATCH', '/1/limits', { traffic_limit: 2000 })
    expect(await shown(user)).toEqual(['active', [true, true, true]])
  })

  test('and from one that the operator has switched off', async () => {
    const { user } = await customer()
    await disable(user, true)
    expect(await shown(user)).toEqual(['disabled', [false, false, false]])
    await disable(user, false)
    expect(await shown(user)).toEqual(['active', [true, true, true]])
  })
})

describe('an option that the operator switches off', () => {
  test('is told to its customer, and so is that it is on again; each once', async () => {
    const { user } = await customer()
    await disable(user, true)
    await disable(user, true)
    expect(await notices(user)).toEqual([
      'Сервис отключил пакет серверов «Белый интернет». Чтобы узнать причину, напишите в поддержку.',
    ])
    service.clock.advance(60)
    await disable(user, false)
    await disable(user, false)
    expect(await notices(user, { 'accept-language': 'en' })).toEqual([
      'The server pack “White internet” is turned on again.',
    ])
    service.clock.advance(60)
    await disable(user, true)
    expect(await notices(user)).toHaveLength(1)
  })

  test('whose limit cannot be raised is not said to come back by that', async () => {
    const user = await service.createUser({ balance: 10_000 })
    const other = { paid_option_id: 2, payment_method_id: 1, tariff_id: 21 }
    const { body } = await call(user, 'POST', '', other)
    const [config] = body.data.configs
    const path = `/users/${user.id}/paid-options/2`
    await service.db
      .updateTable('meters')
      .set({ up: 500_000_000_000 })
      .where('access_id', '=', config.id)
      .execute()
    await call(user, 'PATCH', '/2/limits', { traffic_limit: 500_000_000_000 })
    expect(await notices(user)).toEqual([
      'Трафик «Вокруг света» на эти 30 дней закончился (500 ГБ), пакет серверов приостановлен до начала следующих 30 дней.',
    ])
    await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
    await notices(user)
    await service.operator('PATCH', path, { is_disabled: false, reason: 'sorry' })
    expect(await notices(user, { 'accept-language': 'en' })).toEqual([
      'The server pack “Around the world” is no longer turned off by the service, but its traffic for these 30 days is used up: it is paused until the next 30 days begin.',
    ])
  })

  test('is said to wait for traffic or a renewal where it does', async () => {
    const { user } = await customer()
    await disable(user, true)
    await carry(user, 1000)
    await call(user, 'PATCH', '/1/limits', { traffic_limit: 1000 })
    await notices(user)
    await disable(user, false)
    expect(await notices(user)).toEqual([
      'Сервис снова разрешил пакет серверов «Белый интернет», но трафик на эти 30 дней закончился. Увеличьте ограничение в личном кабинете, и пакет включится.',
    ])
    service.clock.advance(60)
    await disable(user, true)
    service.clock.advance(31 * 86_400)
    await service.running.runJobs()
    await notices(user)
    await disable(user, false)
    expect(await notices(user)).toEqual([
      'Сервис снова разрешил пакет серверов «Белый интернет», но его срок истёк. Продлите пакет, и он включится.',
    ])
  })
})
