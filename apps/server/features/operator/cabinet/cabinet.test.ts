import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { CabinetSettingsCache } from '../../../core/cabinet/cabinet-settings.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
let cache: CabinetSettingsCache
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { PUBLIC_URL: 'https://vpn.example.com' } })
  cache = new CabinetSettingsCache(service.db)
})
afterAll(() => service.stop())

const usual = {
  accent: null,
  welcome_ru: null,
  welcome_en: null,
  rules_ru: null,
  rules_en: null,
  mirrors: [],
  closes_connections: false,
}
const nothing = { ...usual, name: 'Sallyport', support_url: null, logo_type: null }

beforeEach(async () => {
  await service.operator('PATCH', '/cabinet/settings', usual)
  await service.operator('DELETE', '/cabinet/logo')
  await service.operator('PATCH', '/delivery/settings', { title: null, support_url: null })
})

const change = (body: object) => service.operator('PATCH', '/cabinet/settings', body)
const show = async () => (await service.operator('GET', '/cabinet/settings')).body.data
/** Without the version, which rises with every change. */
const read = async () => {
  const { version: _version, ...settings } = await show()
  return settings
}
const newest = async (action: string) =>
  (await service.operator('GET', `/audit?action=${action}&limit=1`)).body.data[0]

describe('settings', () => {
  test('hold their defaults until changed; what is left out stays, and null takes it away', async () => {
    expect(await read()).toEqual(nothing)
    const first = await change({
      accent: '#7A1FA2',
      welcome_en: 'Good to see you\nagain',
      rules_ru: 'Раз.\n\nДва.',
      mirrors: ['https://a.example', 'https://b.example:8443'],
      closes_connections: true,
    })
    const changed = {
      ...nothing,
      accent: '#7a1fa2',
      welcome_en: 'Good to see you\nagain',
      rules_ru: 'Раз.\n\nДва.',
      mirrors: ['https://a.example', 'https://b.example:8443'],
      closes_connections: true,
    }
    expect([first.status, first.body.data]).toEqual([200, { ...changed, version: expect.any(Number) }])
    await change({ accent: null, mirrors: [] })
    expect(await read()).toEqual({ ...changed, accent: null, mirrors: [] })
  })

  test('show the name and the support link of delivery, which are changed there', async () => {
    const { version } = await show()
    await service.operator('PATCH', '/delivery/settings', {
      title: 'My VPN',
      support_url: 'https://t.me/help',
    })
    expect(await show()).toEqual({
      ...nothing,
      name: 'My VPN',
      support_url: 'https://t.me/help',
      version: version + 1,
    })
    for (const body of [{ name: 'Another' }, { support_url: 'https://t.me/other' }])
      expect((await change(body)).status).toBe(400)
  })

  test('are in force at once, with our own colour and the other language where nothing is said', async () => {
    expect((await cache.latest()).accent).toBe('#0b6e5f')
    await change({ accent: '#0b57d0', welcome_ru: 'Привет', mirrors: ['https://a.example'] })
    expect(await cache.latest()).toMatchObject({
      accent: '#0b57d0',
      welcome: { ru: 'Привет', en: 'Привет' },
      mirrors: ['https://a.example'],
    })
  })

  test('that were changed meanwhile are shown, and nothing is changed', async () => {
    const { version } = await show()
    const taken = await change({ accent: '#0b57d0', version })
    expect(taken.body.data.version).toBe(version + 1)
    const late = await change({ accent: '#7a1fa2', version })
    expect([late.status, late.body.errorCode]).toEqual([409, 6])
    expect(late.body.data).toEqual(taken.body.data)
    expect((await show()).accent).toBe('#0b57d0')
    const same = await change({ accent: '#0b57d0' })
    expect(same.body.data.version).toBe(version + 1)
  })

  test('leave what differs in the log, and of rules only that they changed', async () => {
    await change({ accent: '#0b57d0', rules_en: 'Long.\n\nVery long.' })
    const { subject, details } = await newest('changeCabinetSettings')
    expect([subject, details]).toEqual([
      'cabinet',
      { before: { accent: null }, after: { accent: '#0b57d0' }, changed: ['rules_en'] },
    ])
  })

  test('take rules as long as they may be, in both languages at once', async () => {
    const rules = { rules_ru: 'я'.repeat(20_000), rules_en: `${'x'.repeat(9999)}\n\n${'y'.repeat(9999)}` }
    expect((await change(rules)).status).toBe(200)
    expect(await read()).toMatchObject(rules)
    const escaped = JSON.stringify({ rules_ru: rules.rules_ru, rules_en: rules.rules_ru })
    const body = escaped.replaceAll('я', '\\u044f')
    const { status } = await fetch(`${service.running.url}/operator/v1/cabinet/settings`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${service.operatorToken}`, 'content-type': 'application/json' },
      body,
    })
    expect(status).toBe(200)
  })

  test('take a colour that is read well, and name one where it is not', async () => {
    const { status, body } = await change({ accent: '#00B894' })
    expect([status, body.errorCode]).toEqual([400, 3])
    expect(body.details).toEqual([
      {
        path: 'accent',
        problem:
          'has a contrast of 2.27 to 1 on light pages, and text needs 4.5: the nearest that has it is #007e65',
      },
    ])
    expect((await change({ accent: '#007e65' })).status).toBe(200)
  })

  test.each<[object, string]>([
    [{ accent: '#fff' }, 'accent'],
    [{ accent: 'teal' }, 'accent'],
    [{ accent: '#ffffff' }, 'accent'],
    [{ accent: '' }, 'accent'],
    [{ welcome_ru: '' }, 'welcome_ru'],
    [{ welcome_ru: 'я'.repeat(601) }, 'welcome_ru'],
    [{ welcome_en: '\u202eolleh' }, 'welcome_en'],
    [{ rules_ru: 'я'.repeat(20_001) }, 'rules_ru'],
    [{ rules_en: ' \n ' }, 'rules_en'],
    [{ rules_en: 'one\r\ntwo' }, 'rules_en'],
    [{ mirrors: null }, 'mirrors'],
    [{ mirrors: ['http://a.example'] }, 'mirrors.0'],
    [{ mirrors: ['https://a.example', 'https://b.example/'] }, 'mirrors.1'],
    [{ mirrors: ['https://me:secret@a.example'] }, 'mirrors.0'],
    [{ mirrors: ['https://a.example', 'https://vpn.example.com'] }, 'mirrors.1'],
    [{ mirrors: ['https://a.example', 'https://a.example'] }, 'mirrors'],
    [{ mirrors: [1, 2, 3, 4, 5, 6].map((n) => `https://m${n}.example`) }, 'mirrors'],
    [{ closes_connections: 'yes' }, 'closes_connections'],
    [{ logo_type: null }, 'logo_type'],
  ])('refuse %j', async (body, path) => {
    const { status, body: answer } = await change(body)
    expect([status, answer.errorCode]).toEqual([400, 3])
    expect(answer.details.map((problem: { path: string }) => problem.path)).toContain(path)
    expect(await read()).toEqual(nothing)
  })
})

const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="4"/></svg>'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const put = (body: object) => service.operator('PUT', '/cabinet/logo', body)
const own = { type: 'image/svg+xml', image: base64(drawing) }

describe('the logo', () => {
  test('is not there, is given, is shown, and is taken away', async () => {
    const none = { type: null, image: null, bytes: 0, version: expect.any(Number) }
    const seen = (await service.operator('GET', '/cabinet/logo')).body.data
    expect(seen).toEqual(none)
    const given = await put({ ...own, version: seen.version })
    const logo = { ...own, bytes: drawing.length, version: seen.version + 1 }
    expect([given.status, given.body.data]).toEqual([200, logo])
    expect((await service.operator('GET', '/cabinet/logo')).body.data).toEqual(logo)
    expect(await show()).toMatchObject({ logo_type: 'image/svg+xml', version: seen.version + 1 })
    const served = (await cache.latest()).logo
    expect([served?.type, Buffer.from(served?.bytes ?? []).toString()]).toEqual(['image/svg+xml', drawing])

    const gone = await service.operator('DELETE', '/cabinet/logo')
    expect([gone.status, gone.body.data]).toEqual([200, { ...none, version: seen.version + 2 }])
    expect((await cache.latest()).logo).toBe(null)
    const again = await service.operator('DELETE', '/cabinet/logo')
    expect([again.status, again.body.data]).toEqual([200, gone.body.data])
  })

  test('comes in lines too, as tools write them', async () => {
    const lines = own.image.replaceAll(/.{20}/g, '$&\n')
    expect((await put({ ...own, image: `${lines}\n` })).body.data.image).toBe(own.image)
  })

  test('another of the same size is another one, to caches and to the log', async () => {
    await put(own)
    const { etag } = (await cache.latest()).logo ?? {}
    await put({ ...own, image: base64(drawing.replace('4', '5')) })
    expect((await cache.latest()).logo?.etag).not.toBe(etag)
    const { subject, details } = await newest('changeCabinetLogo')
    expect([subject, Object.keys(details.before)]).toEqual(['cabinet', ['etag']])
    expect(JSON.stringify(details)).not.toContain(own.image)
  })

  test('that was changed meanwhile is shown, and stays', async () => {
    const { version } = (await put(own)).body.data
    const late = await put({ ...own, image: base64(drawing.replace('4', '6')), version: version - 1 })
    expect([late.status, late.body.data]).toEqual([409, { ...own, bytes: drawing.length, version }])
  })

  test.each<[string, object, string]>([
    ['a script', { ...own, image: base64(drawing.replace('<circle r="4"/>', '<script/>')) }, '<script>'],
    ['a handler', { ...own, image: base64(drawing.replace('r="4"', 'onclick="1"')) }, 'onclick'],
    ['another picture', { ...own, type: 'image/png' }, 'is not a whole PNG picture'],
    ['too much', { ...own, image: base64(`${drawing}${' '.repeat(8192)}`) }, 'bytes, and may be 8192'],
    ['half of a letter', { ...own, image: 'AAAAA' }, 'must be Base64'],
    ['signs in the middle', { ...own, image: 'AA==AAAA' }, 'must be Base64'],
  ])('is refused: %s', async (_name, body, problem) => {
    const { status, body: answer } = await put(body)
    expect([status, answer.details]).toEqual([
      400,
      [{ path: 'image', problem: expect.stringContaining(problem) }],
    ])
    expect((await read()).logo_type).toBe(null)
  })

  test.each<[object, string]>([
    [{ ...own, type: 'image/gif' }, 'type'],
    [{ type: own.type }, 'image'],
    [{ ...own, image: '<svg/>' }, 'image'],
    [{ ...own, image: 'A'.repeat(12_001) }, 'image'],
  ])('is refused by its schema: %j', async (body, path) => {
    const { status, body: answer } = await put(body)
    expect([status, answer.details[0].path]).toEqual([400, path])
  })
})

test('owners change it, and every operator of customers looks at it', async () => {
  for (const [role, reads, writes] of [
    ['owner', 200, 200],
    ['finance', 200, 403],
    ['support', 200, 403],
    ['technician', 403, 403],
  ] as const) {
    const token = await createOperator(service.db, { name: role, role, now: service.clock.now() })
    const call = async (method: string, path: string, body?: object) =>
      (await service.call(method, `/operator/v1/cabinet/${path}`, { token, ...(body && { body }) })).status
    expect(await call('GET', 'settings'), role).toBe(reads)
    expect(await call('GET', 'logo'), role).toBe(reads)
    expect(await call('PATCH', 'settings', { accent: '#0b57d0' }), role).toBe(writes)
    expect(await call('PUT', 'logo', own), role).toBe(writes)
    expect(await call('DELETE', 'logo'), role).toBe(writes)
  }
})
