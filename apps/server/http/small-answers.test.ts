import { request as ask } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'

/** What the cabinet reads, as it goes over the line: networks that freeze a connection after 16 KB must let it through. */

const mostBytes = 8 * 1024

let service: TestService
let user: TestUser
let machine: number
let composed: number

const post = async (path: string, body: object) => {
  await service.heartbeat()
  const answer = await service.customer(user, 'POST', path, body)
  if (answer.status > 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
  return answer.body.data
}

const each = async <T>(count: number, work: (at: number) => Promise<T>): Promise<T[]> => {
  const done: T[] = []
  for (let at = 0; at < count; at++) done.push(await work(at))
  return done
}

/** As long as titles may be, and no two alike. */
const titleOf = (at: number): string => `Телефон бабушки ${crypto.randomUUID()} ${at}`.slice(0, 40)

const buyConfigs = () =>
  each(20, async (at) => {
    const config = await service.buy(user, { location_id: 1 + (at % 2), use_extended_settings: true })
    await service.customer(user, 'PATCH', `/configs/title/${config.id}`, { title: titleOf(at) })
    return config.id as number
  })

/** Twenty that the customer added, each with a title of its own. */
const buyOption = async () => {
  await post('/paid-options', { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 })
  await each(20, async (at) => {
    const { id } = await post('/paid-options/1/configs', { protocol: 'vless', use_extended_settings: true })
    await service.customer(user, 'PATCH', `/paid-options/1/configs/${id}/title`, { title: titleOf(at) })
  })
}

const buyClouds = () =>
  each(3, async () => {
    const { id } = await post('/cloud-servers', { location_id: 1, payment_method_id: 1, tariff_id: 31 })
    await service.running.runJobs()
    const wish = { protocol: 'vless', use_extended_settings: true }
    await each(3, () => post(`/cloud-servers/${id}/configs`, wish))
    return id as number
  })

const fetchByDevices = (key: string) =>
  each(20, (at) =>
    service.call('GET', `/sub/${key}`, {
      headers: {
        'user-agent': 'Happ/3.10.0',
        'x-hwid': crypto.randomUUID(),
        'x-device-os': ['iOS', 'Android', 'Windows'][at % 3] as string,
        'x-ver-os': `1${at}.2`,
        'x-device-model': `Model ${crypto.randomUUID()}`,
      },
    }),
  )

const earn = async () => {
  const withdrawals = Array.from({ length: 20 }, (_, at) => ({
    user_id: user.id,
    method: 'card' as const,
    amount: 1000 + at,
    account_masked: `•••• ${1000 + at}`,
    status: 'paid' as const,
    created_at: service.clock.now() - at * 10_000,
  }))
  await service.db.insertInto('withdrawals').values(withdrawals).execute()
}

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1_000_000 })
  const configs = await buyConfigs()
  await buyOption()
  machine = (await buyClouds())[0] as number
  await each(20, () => post('/configs', { as_key: true, payment_method_id: 1, tariff_id: 1 }))
  const items = configs.map((id) => ({ item_type: 'user_config', item_reference_id: id }))
  const made = await each(10, (at) => post('/profile/custom-subscriptions', { title: titleOf(at), items }))
  composed = made[0].id
  await fetchByDevices(user.subscription_key)
  await fetchByDevices(made[0].subscription_key)
  await earn()
})
afterAll(() => service.stop())

interface Raw {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** Fetch would unpack it. */
const raw = (path: string, headers: Record<string, string>, method = 'GET', sent = ''): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const authorization = `Bearer ${user.session_token}`
    const url = `${service.running.url}/v1${path}`
    const request = ask(url, { method, headers: { authorization, ...headers } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    request.on('error', reject)
    request.end(sent)
  })

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const

describe('every list of the cabinet is small, with', () => {
  const lists: readonly [name: string, path: () => string, atLeast: number][] = [
    ['20 configurations', () => '/configs?limit=20', 20],
    ['an option of 20 configurations and more', () => '/paid-options', 1],
    ['3 cloud servers', () => '/cloud-servers', 3],
    ['configurations of one', () => `/cloud-servers/${machine}/configs`, 3],
    ['20 devices', () => '/profile/devices?limit=20', 20],
    ['20 devices of a subscription', () => `/profile/custom-subscriptions/${composed}/devices?limit=20`, 20],
    ['devices of an option', () => '/paid-options/1/devices', 5],
    ['20 payments', () => '/profile/payments-history?limit=20', 20],
    ['20 earnings and withdrawals', () => '/profile/referral?limit=20', 20],
    ['20 activation keys', () => '/profile/promocodes?limit=20', 20],
    ['locations', () => '/locations', 6],
    ['locations of clouds', () => '/cloud-servers/locations', 1],
    ['prices of configurations', () => '/configs/tariffs', 1],
    ['prices of options', () => '/paid-options/tariffs', 1],
    ['prices of clouds', () => '/cloud-servers/tariffs', 1],
    ['10 composed subscriptions', () => '/profile/custom-subscriptions', 10],
    ['one of 20 items', () => `/profile/custom-subscriptions/${composed}`, 20],
    ['what one may be composed of', () => '/profile/custom-subscriptions/available-items', 20],
    ['the profile', () => '/profile', 0],
  ]

  const countOf = (data: unknown): number => {
    if (Array.isArray(data)) return data.length
    const inner = Object.values(data as object).filter(Array.isArray)
    return Math.max(0, ...inner.map((list) => list.length))
  }

  test.each(lists)('%s', async (_name, pathOf, atLeast) => {
    for (const encoding of ['br', 'gzip'] as const) {
      const { status, headers, body } = await raw(pathOf(), { 'accept-encoding': encoding })
      expect(status).toBe(200)
      const isPacked = headers['content-encoding'] === encoding
      const text = (isPacked ? unpack[encoding](body) : body).toString()
      expect(isPacked).toBe(text.length >= 1024)
      const { data } = JSON.parse(text)
      expect(countOf(data)).toBeGreaterThanOrEqual(atLeast)
      expect(body.length).toBeLessThanOrEqual(mostBytes)
    }
  })
})

describe('an answer', () => {
  const list = '/configs?limit=20'

  test('comes as the caller can read it, and says by what that was decided', async () => {
    const plain = await raw(list, {})
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    for (const [accepted, expected] of [
      ['br, gzip', 'br'],
      ['gzip, deflate', 'gzip'],
      ['gzip;q=1, br;q=0', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['br;q=0', undefined],
      ['zstd', undefined],
    ] as const) {
      const { headers, body } = await raw(list, { 'accept-encoding': accepted })
      expect([accepted, headers['content-encoding']]).toEqual([accepted, expected])
      expect(headers).toMatchObject({ vary: 'accept-encoding', 'content-length': String(body.length) })
      expect(expected ? unpack[expected](body) : body).toEqual(plain.body)
    }
  })

  test('of any length', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({
      user_id: user.id,
      product: 'balance' as const,
      state: 'expired',
      payment_method_id: 2,
      days: 0,
      price: at,
      value_rub: at,
      price_steps: '{}',
      purchase: '{}',
      created_at: service.clock.now(),
    }))
    await service.db.insertInto('orders').values(many).execute()
    const token = service.operatorToken
    const path = '/operator/v1/orders?limit=200'
    const { headers, body } = await service.call('GET', path, { token })
    expect(headers.get('content-encoding')).toBe('gzip')
    expect(body.data.length).toBeGreaterThan(100)
  })

  test('to a write is never packed: it may be a secret beside what the request said', async () => {
    const headers = { 'accept-encoding': 'br', 'content-type': 'application/json' }
    const order = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
    const body = JSON.stringify({ ...order, use_extended_settings: true })
    await service.heartbeat()
    const bought = await raw('/configs', headers, 'POST', body)
    expect(bought.status).toBe(201)
    expect(bought.body.length).toBeGreaterThan(1024)
    expect(bought.headers).not.toHaveProperty('content-encoding')
    expect(bought.headers).not.toHaveProperty('vary')
  })
})
