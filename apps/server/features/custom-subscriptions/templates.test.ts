import { defaultTemplate } from '@sallyport/domain/delivery/templates/template'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CustomTests, configItem } from '../../../../test/support/custom-subscriptions.ts'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { xray } from '../../../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { findEnabledTemplate } from '../../core/subscriptions/templates.ts'

let service: TestService
let custom: CustomTests
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  custom = new CustomTests(service)
})
afterAll(() => service.stop())

const start = async () => {
  const user = await custom.customer()
  const { id } = await custom.made(user, configItem((await service.buy(user)).id))
  return { user, id: id as number }
}

const at = ({ user, id }: { user: TestUser; id: number }) => ({
  read: async () => (await custom.call(user, 'GET', `/${id}/xray-template`)).body.data,
  write: (template: unknown) => custom.call(user, 'PUT', `/${id}/xray-template`, { template }),
  reset: () => custom.call(user, 'DELETE', `/${id}/xray-template`),
  isOn: async () => (await custom.call(user, 'GET', `/${id}/xray-template/settings`)).body.data,
  turn: async (enabled: unknown) => custom.call(user, 'PATCH', `/${id}/xray-template/settings`, { enabled }),
  delivered: () => findEnabledTemplate(service.db, id),
})

const own =
  '{\n  "log": {"loglevel": "none"},\n  "outbounds": [{"tag": "proxy"}, {"tag": "Прямо", "protocol": "freedom"}]\n}\n'

test('begins as the usual one, is off, and is kept as it was written', async () => {
  const template = at(await start())
  expect(JSON.parse(await template.read())).toEqual(defaultTemplate('xray'))
  expect(await template.isOn()).toEqual({ enabled: false })
  expect((await template.write(own)).body).toEqual({ status: true, statusCode: 200, data: true })
  expect(await template.read()).toBe(own)
  expect([await template.isOn(), await template.delivered()]).toEqual([{ enabled: false }, undefined])
  expect((await template.turn(true)).body.data).toEqual({ enabled: true })
  expect([await template.isOn(), await template.delivered()]).toEqual([{ enabled: true }, own])
  expect((await template.turn(false)).body.data).toEqual({ enabled: false })
  expect([await template.read(), await template.delivered()]).toEqual([own, undefined])
})

test('resetting it gives the usual one back and leaves the switch where it was', async () => {
  const template = at(await start())
  await template.turn(true)
  expect(await template.delivered()).toBeUndefined()
  await template.write(own)
  for (let n = 0; n < 2; n++) expect((await template.reset()).body.data).toBe(true)
  expect(JSON.parse(await template.read())).toEqual(defaultTemplate('xray'))
  expect([await template.isOn(), await template.delivered()]).toEqual([{ enabled: true }, undefined])
})

test('what the service gives may be given back', async () => {
  const template = at(await start())
  expect((await template.write(await template.read())).status).toBe(200)
})

test.each<[string, unknown, string]>([
  ['nothing', '', 'must'],
  ['no text', { outbounds: [] }, 'must be'],
  ['no JSON', 'outbounds: []', ''],
  ['a list', '[]', 'must be a JSON object'],
  ['a file of the device', '{"log":{"access":"/etc/passwd"}}', 'log.access: files of the device'],
  ['the same name twice', '{"dns":{},"dns":{}}', 'twice'],
  ['what is no client’s', '{"api":{}}', "api: is not part of a client's config"],
])('%s is refused, and what was there stays', async (_what, text, problem) => {
  const template = at(await start())
  await template.write(own)
  const { status, body } = await template.write(text)
  expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'template'])
  expect(body.details[0].problem).toContain(problem)
  expect(await template.read()).toBe(own)
})

test('a request of 512 KiB is taken, and nothing larger', async () => {
  const template = at(await start())
  const bare = { template: '{"remarks":""}' }
  const room = 512 * 1024 - JSON.stringify(bare).length
  const sized = (length: number) => `{"remarks":"${'x'.repeat(length)}"}`
  // Each quote of the template takes a character more in the request; both have four.
  const most = await template.write(sized(room))
  expect([most.status, most.body]).toEqual([200, { status: true, statusCode: 200, data: true }])
  expect(await template.read()).toBe(sized(room))
  const more = await template.write(sized(room + 1))
  expect([more.status, more.body.errorCode]).toEqual([413, 7])
  expect(await template.read()).toBe(sized(room))
})

test('a switch that is none is refused', async () => {
  const template = at(await start())
  for (const enabled of ['true', 1, null, undefined]) expect((await template.turn(enabled)).status).toBe(400)
  expect(await template.isOn()).toEqual({ enabled: false })
})

test('both kinds of change at once stay', async () => {
  const template = at(await start())
  await Promise.all([template.turn(true), template.write(own)])
  expect([await template.isOn(), await template.delivered()]).toEqual([{ enabled: true }, own])
})

describeWith(xray, 'the engine beside the service', () => {
  const bombs = Array.from({ length: 5000 }, (_, n) => `regexp:(x{900}|y{900}|z{900})${n}`)
  const rule = (fields: object) => ({ routing: { rules: [{ outboundTag: 'proxy', ...fields }] } })

  test.each<[string, object, RegExp]>([
    ['a protocol that does not exist', { outbounds: [{ protocol: 'vles' }] }, /unknown config id: vles/],
    ['a network that is none', rule({ ip: ['10.0.0.0/99'] }), /10\.0\.0\.0\/99/],
    ['a rule that matches nothing', rule({}), /no effective fields/],
    ['a list of sites without a name', rule({ domain: ['geosite:'] }), /failed to load geosite/],
    ['more memory or time than it may have', rule({ domain: bombs }), /memory|killed|more than 10 s/],
    ['a number in place of a name', { log: { loglevel: 7 } }, /cannot unmarshal number/],
  ])('refuses %s, in words without a path', async (_what, given, said) => {
    const template = at(await start())
    await template.write(own)
    const { status, body } = await template.write(JSON.stringify(given))
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'template'])
    expect(body.details[0].problem).toMatch(/^Xray refuses it: /)
    expect(body.details[0].problem).toMatch(said)
    expect(body.details[0].problem).not.toMatch(/\/(root|home|tmp|usr|proc|var)\b/)
    expect(await template.read()).toBe(own)
  })

  test('takes lists that only the app has, and a template of thousands of lines', async () => {
    const template = at(await start())
    const domain = ['geosite:category-ads-all', 'ext.example.com']
    const lists = {
      dns: { hosts: { 'geosite:google': '127.0.0.1', 'geosite:youtube': '127.0.0.2' } },
      ...rule({ ip: ['geoip:!ru', 'geoip:private'], domain }),
    }
    expect((await template.write(JSON.stringify(lists))).status).toBe(200)
    const many = Array.from({ length: 12_000 }, (_, n) => `domain:site-${n}.example.com`)
    expect((await template.write(JSON.stringify(rule({ domain: many })))).status).toBe(200)
  })

  test('is not asked about a stranger’s subscription', async () => {
    const { id } = await start()
    const template = at({ user: await custom.customer(), id })
    expect((await template.write('{"outbounds":[{"protocol":"vles"}]}')).status).toBe(404)
  })

  test('reads a few at once; who comes then is asked to come again', async () => {
    const template = at(await start())
    const answers = await Promise.all(Array.from({ length: 16 }, () => template.write(own)))
    const statuses = answers.map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await template.write(own)).status).toBe(200)
  })

  test('is looked for where a setting says, and without it the checks of ours are all', async () => {
    const wrong = '{"outbounds":[{"protocol":"vles"}]}'
    const statuses = []
    for (const path of [xrayPath() ?? '', '/nowhere/xray']) {
      const other = await startTestService({ withoutLimits: true, env: { SALLYPORT_XRAY: path } })
      const there = new CustomTests(other)
      const user = await there.customer()
      const { id } = await there.made(user, configItem((await other.buy(user)).id))
      const answer = await there.call(user, 'PUT', `/${id}/xray-template`, { template: wrong })
      statuses.push(answer.status)
      await other.stop()
    }
    expect(statuses).toEqual([400, 200])
  })
})
