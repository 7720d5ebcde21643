import { Confinement } from '@sallyport/agent/engines/isolation/confinement'
import { defaultTemplate } from '@sallyport/domain/delivery/templates/template'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { CustomTests, configItem } from '../../../../test/support/custom-subscriptions.ts'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { xray } from '../../../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { findEnabledTemplate } from '../../core/custom-subscriptions/templates.ts'

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

const rule = (fields: object) => ({ routing: { rules: [{ outboundTag: 'proxy', ...fields }] } })

test('whose it is is asked before the template is looked at', async () => {
  const { id } = await start()
  const template = at({ user: await custom.customer(), id })
  const checked = vi.spyOn(service.running.services.xray, 'refusalOf')
  onTestFinished(() => checked.mockRestore())
  for (const text of ['[]', `[${Array(150_000).fill('{}').join()}]`, '', { outbounds: [] }, own]) {
    expect(await template.write(text)).toMatchObject({ status: 404, body: { errorCode: 1 } })
  }
  // What is refused is missing either way; what is asked of the engine tells which came first.
  expect(checked).not.toHaveBeenCalled()
})

test('lists as many names, hosts and rules as it has room for', async () => {
  const template = at(await start())
  const many = Array.from({ length: 2500 }, (_, n) => n)
  const hosts = Object.fromEntries(many.map((n) => [`host-${n}.example.com`, '192.0.2.1']))
  const rules = many.slice(0, 20).map((n) => ({ outboundTag: 'proxy', domain: [`d${n}.org`] }))
  expect((await template.write(JSON.stringify({ dns: { hosts }, routing: { rules } }))).status).toBe(200)
})

test('its regular expressions have an end', async () => {
  const template = at(await start())
  const usual = Array.from({ length: 1000 }, (_, n) => `regexp:^(.+\\.)?ads?[0-9]{1,3}\\.site-${n}\\.com$`)
  expect((await template.write(JSON.stringify(rule({ domain: usual })))).status).toBe(200)
  const bombs = Array.from({ length: 300 }, (_, n) => `regexp:(x{900}|y{900}|z{900})${n}`)
  const { status, body } = await template.write(JSON.stringify(rule({ domain: bombs })))
  expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'template'])
  expect(body.details[0].problem).toMatch(
    /^routing\.rules\[0\]\.domain\[\d+\]: regular expressions are too much/,
  )
})

describeWith(xray, 'the engine beside the service', () => {
  test.each<[string, object, RegExp]>([
    ['a protocol that does not exist', { outbounds: [{ protocol: 'vles' }] }, /unknown config id: vles/],
    ['a network that is none', rule({ ip: ['10.0.0.0/99'] }), /10\.0\.0\.0\/99/],
    ['a rule that matches nothing', rule({}), /no effective fields/],
    ['a list of sites without a name', rule({ domain: ['geosite:'] }), /failed to load geosite/],
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

  test('never reads two of one customer at once', async () => {
    const template = at(await start())
    const spawn = Confinement.prototype.spawn
    let [running, most] = [0, 0]
    const spawned = vi.spyOn(Confinement.prototype, 'spawn').mockImplementation(function (
      this: Confinement,
      ...given
    ) {
      const child = spawn.apply(this, given)
      running += 1
      most = Math.max(most, running)
      child.once('exit', () => {
        running -= 1
      })
      return child
    })
    onTestFinished(() => spawned.mockRestore())
    const answers = await Promise.all(Array.from({ length: 3 }, () => template.write(own)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect([spawned.mock.calls.length >= 3, most]).toEqual([true, 1])
  })

  test('reads one of a customer at a time, and a few wait; nobody else waits for all of them', async () => {
    const [greedy, other] = [at(await start()), at(await start())]
    const asked = Array.from({ length: 16 }, () => greedy.write(own))
    const between = Array.from({ length: 3 }, () => other.write(own))
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect((await Promise.all(between)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await greedy.write(own)).status).toBe(200)
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
