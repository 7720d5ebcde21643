import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

let service: TestService
let owner: TestUser
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' }
  service = await startTestService({ withoutLimits: true, content: 'demo', env })
})
afterAll(() => service.stop())
beforeEach(async () => {
  await service.heartbeat()
  owner = await service.createUser({ balance: 5000 })
  await service.db.deleteFrom('security_counters').execute()
})

const hour = 3600
const notFound = { status: false, errorCode: 1, message: 'NOT_FOUND' }

const create = (config_id: number, who = owner) =>
  service.customer(who, 'POST', '/one-time-links', { config_id })
const keyOf = (url: string): string => new URL(url).hash.slice(1)

/** A link to a new configuration, and what its owner sees of that. */
const made = async (wish: object = {}) => {
  const config = await service.buy(owner, wish)
  const { status, body } = await create(config.id)
  expect(status, JSON.stringify(body)).toBe(201)
  return { config, link: body.data, key: keyOf(body.data.url) }
}

const open = (key: string, more: object = {}, ip?: string) =>
  service.call('POST', '/v1/one-time-links/open', {
    body: { key, ...more },
    headers: { 'accept-language': 'en', ...(ip !== undefined && { 'x-forwarded-for': ip }) },
  })

const usedAtOf = async (id: number): Promise<number | null> => {
  const links = (await service.customer(owner, 'GET', '/one-time-links')).body.data
  return links.find((link: { id: number }) => link.id === id).used_at
}

describe('a link shows its connection once', () => {
  test('to whoever opens it first, with apps for the platform; the next hears when', async () => {
    const { config, link, key } = await made()
    const now = service.clock.now()
    expect(link).toEqual({
      id: expect.any(Number),
      config_id: config.id,
      url: expect.stringMatching(/^https?:\/\/[^/]+\/once#[0-9A-Za-z]{27}$/),
      created_at: now,
      expires_at: now + 24 * hour,
    })
    const { status, body } = await open(key, { platform: 'android' })
    expect(status).toBe(200)
    const { apps, ...rest } = body.data
    expect(rest).toEqual({
      title: 'Netherlands',
      protocol: 'vless',
      connection_url: config.connection_url,
      expires_at: config.expires_at,
    })
    expect(apps).toHaveLength(3)
    expect(apps[0]).toMatchObject({ id: 'happ', is_first: true })
    service.clock.advance(60)
    const second = await open(key)
    expect([second.status, second.body.errorCode, second.body.data]).toEqual([409, 6, { used_at: now }])
    expect(JSON.stringify(second.body)).not.toContain('vless:')
    expect(await usedAtOf(link.id)).toBe(now)
  })

  test('of AmneziaWG with the file, and apps that read one', async () => {
    const { config, key } = await made({ protocol: 'amnezia-wg-2', location_id: 12 })
    const { data } = (await open(key, { platform: 'android' })).body
    expect(data.awg_config).toBe(config.awg_config)
    expect(data.apps.map(({ id }: { id: string }) => id)).toEqual(['amneziawg', 'amnezia-vpn'])
  })

  test('of an option and of a cloud server too, by the name that its owner gave', async () => {
    await service.customer(owner, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    const [option] = (await service.customer(owner, 'GET', '/paid-options')).body.data
    const order = { location_id: 1, payment_method_id: 1, tariff_id: 31 }
    const cloud = (await service.customer(owner, 'POST', '/cloud-servers', order)).body.data
    await service.running.runJobs()
    await service.heartbeat()
    const path = `/cloud-servers/${cloud.id}`
    const wish = { protocol: 'vless', use_extended_settings: true }
    const config = (await service.customer(owner, 'POST', `${path}/configs`, wish)).body.data
    const titled = await service.customer(owner, 'PATCH', `${path}/configs/${config.id}/title`, {
      title: 'Mum',
    })
    expect(titled.status, JSON.stringify(titled.body)).toBe(200)
    const shown = async (id: number) => (await open(keyOf((await create(id)).body.data.url))).body.data
    const [first] = option.configs
    expect(await shown(first.id)).toMatchObject({ connection_url: first.connection_url })
    const [endpoint] = config.connection_url.split('#')
    expect(await shown(config.id)).toMatchObject({ title: 'Mum', connection_url: `${endpoint}#Mum` })
  })

  test('to one of ten who come at once', async () => {
    const { key } = await made()
    const answers = await Promise.all(Array.from({ length: 10 }, () => open(key)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(9).fill(409)])
  })

  test('again to the same attempt, whose answer may have been lost, for a quarter of an hour', async () => {
    const { key } = await made()
    const attempt = crypto.randomUUID()
    const { data } = (await open(key, { attempt })).body
    service.clock.advance(14 * 60)
    await service.heartbeat()
    expect((await open(key, { attempt })).body.data).toEqual(data)
    expect((await open(key, { attempt: crypto.randomUUID() })).status).toBe(409)
    expect((await open(key)).status).toBe(409)
    service.clock.advance(2 * 60)
    expect((await open(key, { attempt })).status).toBe(409)
  })

  test('and nothing but that press spends it: neither the page nor an operation that is read', async () => {
    const { link, key } = await made()
    const bots = ['TelegramBot (like TwitterBot)', 'WhatsApp/2.24', 'facebookexternalhit/1.1']
    for (const agent of bots)
      for (const method of ['GET', 'HEAD'])
        for (const path of ['/once', `/once?key=${key}`])
          await service.call(method, path, { headers: { 'user-agent': agent } })
    expect((await service.call('GET', '/v1/one-time-links/open')).status).toBe(405)
    expect(await usedAtOf(link.id)).toBeNull()
    expect((await open(key)).status).toBe(200)
  })
})

describe('a link is dead', () => {
  const expectDead = async (key: string) => expect((await open(key)).body).toMatchObject(notFound)

  test('a day later', async () => {
    const { key } = await made()
    service.clock.advance(24 * hour)
    await service.heartbeat()
    await expectDead(key)
  })

  test('when it is taken back, which only its owner can', async () => {
    const { link, key } = await made()
    const stranger = await service.createUser()
    const path = `/one-time-links/${link.id}`
    expect((await service.customer(stranger, 'DELETE', path)).body).toMatchObject(notFound)
    expect((await service.customer(owner, 'DELETE', path)).status).toBe(200)
    expect((await service.customer(owner, 'DELETE', path)).body).toMatchObject(notFound)
    await expectDead(key)
  })

  test('with new credentials, of the configuration or of everything', async () => {
    const { config, key } = await made()
    await service.customer(owner, 'POST', `/configs/${config.id}/resetCredentials`)
    await expectDead(key)
    const again = keyOf((await create(config.id)).body.data.url)
    await service.call('POST', '/v1/profile/resetCredentials', { token: owner.session_token })
    await expectDead(again)
  })

  test('while the account is blocked or the term is over, and then it is not spent', async () => {
    const { config, key } = await made()
    const block = (is_blocked: boolean) =>
      service.operator('PATCH', `/users/${owner.id}/blocked`, { is_blocked })
    await block(true)
    await expectDead(key)
    await block(false)
    const term = service.db.updateTable('terms').where('item_id', '=', config.id)
    await term.set({ expires_at: service.clock.now() - 1 }).execute()
    await expectDead(key)
    const { status, body } = await create(config.id)
    expect([status, body.errorCode, body.details[0].path]).toEqual([409, 6, 'config_id'])
    await term.set({ expires_at: config.expires_at }).execute()
    expect((await open(key)).status).toBe(200)
  })

  test('when everything goes to another account, and when the account is deleted', async () => {
    const { key } = await made()
    const heir = await service.createUser()
    const transfer = await service.call('POST', '/v1/profile/transfer/createKey', {
      token: owner.session_token,
    })
    const moved = await service.call('POST', '/v1/profile/transfer/activateKey', {
      token: heir.session_token,
      body: { key: transfer.body.data.key },
    })
    expect(moved.body.data.configs).toBe(1)
    await expectDead(key)
    const [config] = (await service.customer(heir, 'GET', '/configs')).body.data
    const own = keyOf((await create(config.id, heir)).body.data.url)
    await service.call('DELETE', '/v1/profile', { token: heir.session_token })
    await expectDead(own)
    const left = await service.db
      .selectFrom('one_time_links')
      .select('id')
      .where('user_id', 'in', [owner.id, heir.id])
      .execute()
    expect(left).toEqual([])
  })
})

describe('what strangers and the careless can do is bounded', () => {
  test('nobody makes a link to what is not theirs, or to what is no configuration', async () => {
    const { config } = await made()
    const proxy = await service.customer(owner, 'POST', `/configs/${config.id}/subconfig`, {
      protocol: 'http',
    })
    const stranger = await service.createUser()
    const answers = [
      await create(config.id, stranger),
      await create(999_999_999),
      await create(proxy.body.data.id),
    ]
    for (const { status, body } of answers) {
      expect(status).toBe(404)
      expect(body).toMatchObject(notFound)
    }
    expect((await service.customer(stranger, 'GET', '/one-time-links')).body.data).toEqual([])
  })

  test('wrong keys are counted, a hundred an hour of a network; a right one opens all the same', async () => {
    const { key } = await made()
    const ip = '203.0.113.9'
    expect((await open('A'.repeat(27), {}, ip)).body).toMatchObject(notFound)
    expect((await open('x', {}, ip)).body).toMatchObject(notFound)
    const counters = service.db.updateTable('security_counters').where('key', 'like', 'one-time-link:%')
    const counted = await counters.set({ count: 100 }).returningAll().execute()
    expect(counted).toHaveLength(1)
    const refused = await open('A'.repeat(27), {}, ip)
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true])
    expect((await open('A'.repeat(27), {}, '198.51.100.9')).status).toBe(404)
    expect((await open(key, {}, ip)).status).toBe(200)
  })

  test('twenty wait at a time, also when all are asked for at once', async () => {
    const { config } = await made()
    const answers = await Promise.all(Array.from({ length: 25 }, () => create(config.id)))
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(19)
    expect(statuses.filter((status) => status === 409)).toHaveLength(6)
    const right = answers.find(({ status }) => status === 201)?.body.data
    await open(keyOf(right.url))
    expect((await create(config.id)).status).toBe(201)
  })

  test('all that wait are listed to be taken back, however many were opened since, and rows stay few', async () => {
    const { config, link } = await made()
    const kept = service.db.selectFrom('one_time_links').where('user_id', '=', owner.id)
    const { id: _id, key_hash: _key, ...row } = await kept.selectAll().executeTakeFirstOrThrow()
    const used_at = service.clock.now()
    const spent = Array.from({ length: 60 }, () => ({ ...row, key_hash: randomBytes(32), used_at }))
    await service.db.insertInto('one_time_links').values(spent).execute()
    const last = keyOf((await create(config.id)).body.data.url)
    expect((await open(last)).status).toBe(200)
    const listed = (await service.customer(owner, 'GET', '/one-time-links')).body.data
    expect(listed.filter(({ used_at }: { used_at: number | null }) => used_at === null)).toMatchObject([
      { id: link.id },
    ])
    expect((await kept.select('id').execute()).length).toBeLessThanOrEqual(50)
    expect((await open(last)).status).toBe(409)
    const path = `/one-time-links/${link.id}`
    expect((await service.customer(owner, 'DELETE', path)).status).toBe(200)
  })

  test('a request that is sent again makes one link', async () => {
    const config = await service.buy(owner)
    const send = () =>
      service.call('POST', '/v1/one-time-links', {
        token: owner.session_token,
        body: { config_id: config.id },
        headers: { 'idempotency-key': 'same-0123456789' },
      })
    const [one, two] = [await send(), await send()]
    expect(two.body.data).toEqual(one.body.data)
    expect((await service.customer(owner, 'GET', '/one-time-links')).body.data).toHaveLength(1)
  })

  test('the key is kept nowhere, and rows go a week after their end', async () => {
    const { link, key } = await made()
    const rows = () => service.db.selectFrom('one_time_links').selectAll().where('id', '=', link.id).execute()
    expect(JSON.stringify(await rows())).not.toContain(key)
    const exported = await service.call('GET', '/v1/profile/export', { token: owner.session_token })
    expect(exported.body.data.one_time_links).toMatchObject([{ id: link.id, used_at: null }])
    expect(JSON.stringify(exported.body)).not.toContain(key)
    service.clock.advance(8 * 24 * hour - 1)
    await service.running.runJobs()
    expect(await rows()).toHaveLength(1)
    service.clock.advance(600)
    await service.running.runJobs()
    expect(await rows()).toHaveLength(0)
  })
})
