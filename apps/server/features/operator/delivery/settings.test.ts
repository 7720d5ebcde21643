import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { readConfig } from '../../../config.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { startService } from '../../../main.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1000 })
  await service.buy(user)
})
const nothing = {
  title: null,
  support_url: null,
  account_url: null,
  unnamed_devices: 'fingerprint',
  announce_ru: null,
  announce_en: null,
  update_interval_hours: 12,
  happ_routing: null,
  happ_routing_enabled: null,
}
beforeEach(async () => {
  await service.heartbeat()
  await service.operator('PATCH', '/delivery/settings', nothing)
})
afterAll(() => service.stop())

/** Without the version, which rises with every change. */
const read = async () => {
  const { version: _version, ...settings } = (await service.operator('GET', '/delivery/settings')).body.data
  return settings
}
const change = (body: object) => service.operator('PATCH', '/delivery/settings', body)
const told = async (language = 'ru', headers: Record<string, string> = {}, key = user.subscription_key) =>
  (await service.call('GET', `/sub/${key}`, { headers: { 'accept-language': language, ...headers } })).headers
const base64 = (text: string) => `base64:${Buffer.from(text).toString('base64')}`
const pageOf = async (query = '') => {
  const headers = { accept: 'text/html', 'accept-language': 'en' }
  return String((await service.call('GET', `/sub/${user.subscription_key}${query}`, { headers })).body)
}

const routing = { Name: 'Дом', GlobalProxy: 'true', DirectSites: ['geosite:private'], DnsHosts: {} }

describe('what is decided', () => {
  test('holds its defaults until changed; what is left out stays, and null takes it away', async () => {
    expect(await read()).toEqual(nothing)
    const first = await change({ title: 'My VPN', happ_routing: routing })
    expect([first.status, first.body.data]).toEqual([
      200,
      { ...nothing, title: 'My VPN', happ_routing: routing, version: expect.any(Number) },
    ])
    await change({ title: null, update_interval_hours: 3 })
    expect(await read()).toEqual({ ...nothing, happ_routing: routing, update_interval_hours: 3 })
    const { body } = await service.operator('GET', '/audit?action=changeDeliverySettings&limit=1')
    expect(body.data[0]).toMatchObject({
      subject: 'delivery',
      details: {
        before: { title: 'My VPN', update_interval_hours: 12 },
        after: { title: null, update_interval_hours: 3 },
      },
    })
  })

  test.each<[object, string]>([
    [{ support_url: 'http://example.com' }, 'support_url'],
    [{ support_url: 'javascript://alert(1)' }, 'support_url'],
    [{ support_url: 'https://user:secret@example.com' }, 'support_url'],
    [{ support_url: 'https://' }, 'support_url'],
    [{ support_url: 'https://example.com/\r\nset-cookie: a=b' }, 'support_url'],
    [{ account_url: 'http://example.com' }, 'account_url'],
    [{ account_url: 'javascript:alert(1)' }, 'account_url'],
    [{ account_url: 'tg://' }, 'account_url'],
    [{ account_url: 'https://user:secret@example.com' }, 'account_url'],
    [{ account_url: 'https://example.com/"><script>' + ' ' }, 'account_url'],
    [{ account_url: `https://example.com/${'x'.repeat(500)}` }, 'account_url'],
    [{ account_url: '' }, 'account_url'],
    [{ unnamed_devices: 'serve' }, 'unnamed_devices'],
    [{ unnamed_devices: null }, 'unnamed_devices'],
    [{ announce_ru: 'я'.repeat(201) }, 'announce_ru'],
    [{ announce_en: 'two\nlines' }, 'announce_en'],
    [{ announce_en: '' }, 'announce_en'],
    [{ title: 'x'.repeat(65) }, 'title'],
    [{ title: '\u202eNPV' }, 'title'],
    [{ update_interval_hours: 0 }, 'update_interval_hours'],
    [{ update_interval_hours: 1.5 }, 'update_interval_hours'],
    [{ happ_routing: [] }, 'happ_routing'],
    [{ happ_routing: { GlobalProxy: 'true' } }, 'happ_routing.Name'],
    [{ happ_routing: { Name: 'x', DirectSites: 'geosite:ru' } }, 'happ_routing.DirectSites'],
    [{ happ_routing: { Name: 'x', ProxyIp: [1] } }, 'happ_routing.ProxyIp'],
    [{ happ_routing: { Name: 'x', DnsHosts: { a: {} } } }, 'happ_routing.DnsHosts'],
    [{ happ_routing: { Name: 'x'.repeat(2048) } }, 'happ_routing'],
    [{ happ_routing_enabled: 1 }, 'happ_routing_enabled'],
  ])('refuses %j', async (body, path) => {
    const { status, body: answer } = await change(body)
    expect([status, answer.errorCode]).toEqual([400, 3])
    expect(answer.details.map((problem: { path: string }) => problem.path)).toContain(path)
    expect(await read()).toEqual(nothing)
  })

  test('is changed by owners and read by every operator', async () => {
    for (const [role, status] of [
      ['owner', 200],
      ['finance', 403],
      ['support', 403],
    ] as const) {
      const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
      const path = '/operator/v1/delivery/settings'
      const body = { announce_en: 'Hello' }
      expect((await service.call('PATCH', path, { token, body })).status, role).toBe(status)
      expect((await service.call('GET', path, { token })).status).toBe(200)
    }
  })
})

describe('what apps are told', () => {
  test('says nothing that was not decided', async () => {
    const headers = await told()
    for (const name of ['support-url', 'announce', 'routing', 'routing-enable'])
      expect(headers.has(name), name).toBe(false)
    expect(headers.get('profile-update-interval')).toBe('12')
    expect(headers.get('profile-title')).toBe(base64('Sallyport'))
  })

  test('is in the next answer, also where nothing else changed', async () => {
    const etag = (await told()).get('etag') as string
    await change({
      title: 'Мой VPN',
      support_url: 'tg://resolve?domain=help',
      announce_ru: 'Новые серверы',
      announce_en: 'New servers',
      update_interval_hours: 3,
      happ_routing: routing,
      happ_routing_enabled: true,
    })
    const headers = await told('ru', { 'if-none-match': etag })
    expect(headers.get('profile-title')).toBe(base64('Мой VPN'))
    expect(headers.get('support-url')).toBe('tg://resolve?domain=help')
    expect(headers.get('announce')).toBe(base64('Новые серверы'))
    expect(headers.get('profile-update-interval')).toBe('3')
    expect(headers.get('routing-enable')).toBe('1')
    const link = headers.get('routing') ?? ''
    expect(link).toMatch(/^happ:\/\/routing\/onadd\/[A-Za-z0-9+/]+=*$/)
    expect(JSON.parse(Buffer.from(link.slice(21), 'base64').toString())).toEqual(routing)
    expect((await told('en')).get('announce')).toBe('New servers')
    await change({ happ_routing_enabled: false })
    expect((await told()).get('routing-enable')).toBe('0')
  })

  test('an announce is said in the other language where there is none, and encoded where it must be', async () => {
    await change({ announce_ru: 'Новости' })
    expect((await told('en')).get('announce')).toBe(base64('Новости'))
    await change({ announce_ru: 'base64:not at all' })
    expect((await told('ru')).get('announce')).toBe(base64('base64:not at all'))
  })

  test('who is refused is told why and not the news', async () => {
    await change({ announce_ru: 'Новости', support_url: 'https://help.example.com/' })
    const strict = await service.createUser()
    await service.customer(strict, 'PATCH', '/profile/devices/settings', { block_unknown_devices: true })
    const headers = await told('ru', { 'x-hwid': 'some-device-1234' }, strict.subscription_key)
    expect(headers.get('announce')).toBe(base64('Новые устройства запрещены: разрешите их в личном кабинете'))
    expect(headers.get('support-url')).toBe('https://help.example.com/')
  })

  test('a subscription that a customer put together keeps its own title', async () => {
    await change({ title: 'My VPN' })
    const { body } = await service.customer(user, 'GET', '/configs')
    const made = await service.customer(user, 'POST', '/profile/custom-subscriptions', {
      title: 'Family',
      items: [{ item_type: 'user_config', item_reference_id: body.data[0].id }],
    })
    const { subscription_key: key } = made.body.data
    expect((await told('ru', {}, key)).get('profile-title')).toBe(base64('Family'))
  })

  test('is the same on every instance, at once', async () => {
    const other = await startService(readConfig(service.env), { clock: service.clock })
    try {
      const both = async () =>
        Promise.all(
          [service.running, other].map(async ({ url }) => {
            const { headers } = await fetch(`${url}/sub/${user.subscription_key}`)
            return headers.get('announce')
          }),
        )
      expect(await both()).toEqual([null, null])
      for (const text of ['one', 'two']) {
        await change({ announce_ru: text })
        expect(await both()).toEqual([text, text])
      }
    } finally {
      await other.stop()
    }
  })
})

describe('the page', () => {
  test('has the name and where to get help, also of an entry and of a link that does not work', async () => {
    await change({ title: 'Мой VPN', support_url: 'https://help.example.com/' })
    const headers = { accept: 'text/html' }
    const lost = String((await service.call('GET', `/sub/${'A'.repeat(32)}`, { headers })).body)
    for (const page of [await pageOf(), await pageOf('?item=1'), lost]) {
      expect(page).toContain('<b>Мой VPN</b>')
      expect(page).toContain('href="https://help.example.com/"')
    }
    const opened = String((await service.call('GET', '/open/happ', { headers })).body)
    expect(opened).toContain(`data-name="${encodeURIComponent('Мой VPN')}"`)
  })
})
