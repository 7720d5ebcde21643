import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { countStatementsDuring } from '../../../../../test/support/statements.ts'
import { tellMoved } from '../../../core/fleet/changed-traffic-message.ts'

/** What a page says of what there is, and what it costs to say it. */

const day = 86_400
const browser = { accept: 'text/html', 'accept-language': 'ru', 'user-agent': 'Mozilla/5.0 (iPhone)' }

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const visit = (user: TestUser, query = '', headers: Record<string, string> = {}) =>
  service.call('GET', `/sub/${user.subscription_key}${query}`, { headers: { ...browser, ...headers } })
const pageOf = async (user: TestUser, query = '', headers: Record<string, string> = {}): Promise<string> =>
  String((await visit(user, query, headers)).body).replaceAll('\u00a0', ' ')
/** Without markup. */
const wordsOf = async (user: TestUser, query = '', headers: Record<string, string> = {}): Promise<string> =>
  (await pageOf(user, query, headers))
    .replaceAll(/<(style|script)[\s\S]*?<\/\1>|<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

const buyOption = async (user: TestUser, id: 1 | 2 = 1) => {
  const order = { paid_option_id: id, payment_method_id: 1, tariff_id: id * 10 + 1 }
  expect((await service.customer(user, 'POST', '/paid-options', order)).status).toBeLessThan(300)
}
const limit = (user: TestUser, limits: object) =>
  service.customer(user, 'PATCH', '/paid-options/1/limits', limits)
const newcomer = () => service.createUser({ balance: 100_000 })
const noticesOf = async (user: TestUser): Promise<string[]> =>
  (await service.customer(user, 'GET', '/profile/notifications')).body.data.map(
    ({ content }: { content: string }) => content.replaceAll('\u00a0', ' '),
  )

describe('the page', () => {
  test('gives each thing a line with its own end, the first to end first', async () => {
    const user = await newcomer()
    await buyOption(user)
    service.clock.advance(28 * day)
    await service.heartbeat()
    const config = await service.buy(user)
    const words = await wordsOf(user)
    const lines = [
      /Белый интернет Осталось 1 день, до \d+ \S+ \d{4} г\. До 5 устройств/,
      new RegExp(`Нидерланды · ${config.id} Осталось (29|30) дней, до \\d+ \\S+ \\d{4} г\\.`),
    ]
    for (const line of lines) expect(words).toMatch(line)
    expect(words.search(lines[0] as RegExp)).toBeLessThan(words.search(lines[1] as RegExp))
    expect(await wordsOf(user, '?lang=en')).toMatch(
      /White internet 1 day left, until .{8,20} Up to 5 devices/,
    )
  })

  test('promises no traffic that would come after the end, and says when it comes before', async () => {
    const user = await newcomer()
    await buyOption(user)
    await limit(user, { traffic_limit: 10_000_000 })
    expect(await wordsOf(user)).not.toContain('Обновится')
    await buyOption(user)
    expect(await wordsOf(user)).toMatch(/Осталось 10 МБ из 10 МБ Обновится \d/)
    service.clock.advance(40 * day)
    await service.heartbeat()
    expect(await wordsOf(user)).not.toContain('Обновится')
  })

  test('is open where devices are counted, and leaves servers to apps', async () => {
    const user = await newcomer()
    await buyOption(user)
    const page = await pageOf(user)
    expect(page).toContain('happ://add/')
    expect(page).toContain('hiddify://import/')
    expect(page).toContain('До 5 устройств')
    expect(page).toContain('серверы видны только в приложении')
    expect(page).not.toMatch(/item=1|vless:/)
    await service.buy(user)
    const both = await pageOf(user)
    expect(both).toContain('item=1')
    expect(both).toContain('Серверы, для которых ограничено число устройств')
    await service.customer(user, 'PATCH', '/profile/devices/settings', { device_limit: 3 })
    const limited = await pageOf(user)
    expect(limited).not.toMatch(/item=1|vless:/)
    expect(limited).toContain('До 3 устройств')
    expect(await wordsOf(user, '?format=page&item=1')).toContain('Нужно приложение')
    expect(await noticesOf(user)).toEqual([])
  })

  test('says of an option that the operator switched off just that', async () => {
    const user = await newcomer()
    await buyOption(user)
    const path = `/users/${user.id}/paid-options/1`
    await service.operator('PATCH', path, { is_disabled: true, reason: 'abuse' })
    expect(await wordsOf(user)).toContain('Отключено сервисом')
    expect(await wordsOf(user)).not.toContain('Здесь пока ничего нет')
  })

  test('leads to the operator’s own site or bot where there is one', async () => {
    const user = await newcomer()
    const [expired, lost] = [await newcomer(), { ...user, subscription_key: 'A'.repeat(32) }]
    await service.buy(user)
    const before = await pageOf(user)
    const own = `href="${service.running.url}/subscription#${user.subscription_key}"`
    expect(before).toContain(own)
    expect(await pageOf(expired)).toContain(`/subscription#${expired.subscription_key}" rel="noreferrer">`)
    expect(await pageOf(lost)).toContain(`href="${service.running.url}/"`)
    for (const account_url of [
      'https://t.me/example_bot?start=a&b="c"'.replaceAll('"', "'"),
      'tg://resolve?domain=bot',
    ]) {
      const changed = await service.operator('PATCH', '/delivery/settings', { account_url })
      expect(changed.body.data.account_url).toBe(account_url)
      const href = `href="${account_url.replaceAll('&', '&amp;').replaceAll("'", '&#39;')}"`
      for (const one of [user, expired, lost]) {
        const page = await pageOf(one)
        expect(page).toContain(href)
        expect(page).not.toContain(`href="${service.running.url}`)
        expect(page).not.toContain('/subscription#')
      }
    }
    await service.operator('PATCH', '/delivery/settings', { account_url: null })
    expect(await pageOf(user)).toBe(before)
  })
})

describe('a page that was made', () => {
  const countReads = (user: TestUser, query = '') => countStatementsDuring(service, () => visit(user, query))

  test('is made once: another visit asks for the key, and for the traffic of options', async () => {
    const user = await newcomer()
    await service.buy(user)
    await pageOf(user)
    expect(await countReads(user)).toBe(1)
    await pageOf(user, '?format=page&item=1')
    expect(await countReads(user, '?format=page&item=1')).toBe(1)
    expect(await countReads(user)).toBe(1)
    await buyOption(user)
    await pageOf(user)
    expect(await countReads(user)).toBe(2)
  })

  test('is kept while traffic changes no word of it, and no longer', async () => {
    const user = await newcomer()
    const { id } = await service.buy(user)
    const carry = async (up: number) => {
      const { term_id } = await service.db
        .updateTable('meters')
        .set({ up })
        .where('access_id', '=', id)
        .returning('term_id')
        .executeTakeFirstOrThrow()
      service.running.services.bus.deliver(tellMoved([term_id]) as string)
    }
    await carry(5_010_000_000)
    const page = await pageOf(user)
    expect(page).toContain('5 ГБ')
    await carry(5_020_000_000)
    expect(await countReads(user)).toBe(1)
    await carry(5_030_000_000)
    expect(await pageOf(user)).toBe(page)
    await carry(5_060_000_000)
    expect(await pageOf(user)).toContain('5,1 ГБ')
  })

  test('is kept until it would say another number of days', async () => {
    const user = await newcomer()
    await service.buy(user)
    expect(await wordsOf(user)).toContain('Осталось 30 дней')
    service.clock.advance(1)
    await service.heartbeat()
    expect(await wordsOf(user)).toContain('Осталось 29 дней')
    service.clock.advance(day - 1)
    await service.heartbeat()
    expect(await countReads(user)).toBe(1)
    expect(await wordsOf(user)).toContain('Осталось 29 дней')
    service.clock.advance(1)
    expect(await wordsOf(user)).toContain('Осталось 28 дней')
  })

  test('is another one for each language, platform and choice', async () => {
    const user = await newcomer()
    await service.buy(user)
    const asked: [string, Record<string, string>][] = [
      ['', {}],
      ['?lang=ru', {}],
      ['?lang=en', {}],
      ['?offline=hide', {}],
      ['?item=1', {}],
      ['', { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0)' }],
    ]
    const pages = []
    for (const [query, headers] of asked) pages.push(await pageOf(user, query, headers))
    expect(new Set(pages).size).toBe(asked.length)
    for (const [at, [query, headers]] of asked.entries())
      expect(await pageOf(user, query, headers)).toBe(pages[at])
  })

  test('is made anew with whatever it says', async () => {
    const user = await newcomer()
    await buyOption(user)
    const changes: [string, () => Promise<unknown>, RegExp][] = [
      ['a purchase', () => service.buy(user), /item=1/],
      ['a limit of devices', () => limit(user, { device_limit: 2 }), /До 2 устройств/],
      ['a limit of traffic', () => limit(user, { traffic_limit: 5e9 }), /из 5 ГБ/],
      ['a title', () => service.operator('PATCH', '/delivery/settings', { title: 'Мой VPN' }), /Мой VPN/],
      [
        'settings of devices',
        () => service.customer(user, 'PATCH', '/profile/devices/settings', { block_unknown_devices: true }),
        /Новые устройства запрещены/,
      ],
      ['a day', async () => service.clock.advance(day), /Осталось 28 дней/],
    ]
    for (const [name, change, said] of changes) {
      expect(await pageOf(user), name).not.toMatch(said)
      await change()
      expect(await pageOf(user), name).toMatch(said)
    }
    await service.operator('PATCH', '/delivery/settings', { title: null })
  })

  test('never shows a key that was replaced', async () => {
    const user = await newcomer()
    await service.buy(user)
    await pageOf(user)
    const { body } = await service.customer(user, 'PATCH', '/profile/subscriptionLink')
    const renewed = { ...user, subscription_key: body.data as string }
    const page = await pageOf(renewed)
    expect(page).toContain(renewed.subscription_key)
    expect(page).not.toContain(user.subscription_key)
  })
})

test('one key is shown sixty pages a minute, and apps fetch on', async () => {
  const strict = await startTestService()
  try {
    const user = await strict.createUser({ balance: 1000 })
    await strict.buy(user)
    const ask = (query: string, headers: Record<string, string>) =>
      strict.call('GET', `/sub/${user.subscription_key}${query}`, { headers })
    const statuses = []
    for (let n = 0; n < 61; n++) statuses.push((await ask(n % 2 ? '' : '?item=1', browser)).status)
    expect(statuses).toEqual([...Array(60).fill(200), 429])
    expect(Number((await ask('', browser)).headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await ask('', { 'user-agent': 'v2rayNG/1.10.2' })).status).toBe(200)
  } finally {
    await strict.stop()
  }
})
