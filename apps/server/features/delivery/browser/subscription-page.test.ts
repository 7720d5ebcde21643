import { brotliCompressSync, constants } from 'node:zlib'
import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'

const browser = {
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'user-agent':
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
  'accept-language': 'ru',
}

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 100_000 })
  for (let n = 0; n < 10; n++) await service.buy(user)
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const visit = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.running.url}${path}`, { headers: { ...browser, ...headers } })
const pageOf = async (who: TestUser, query = '', headers: Record<string, string> = {}) =>
  (await visit(`/sub/${who.subscription_key}${query}`, headers)).text()

const brotli = (text: string): number =>
  brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length

describe('the page a browser gets', () => {
  test('is one small document that asks nobody for anything and keeps its key to itself', async () => {
    const answer = await visit(`/sub/${user.subscription_key}`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const text = await answer.text()
    expect(brotli(text)).toBeLessThan(8192)
    expect(/<title>(.*?)<\/title>/s.exec(text)?.[1]).not.toContain(user.subscription_key)
    expect(text).not.toMatch(/<(link|img|script|iframe)[^>]+(src|href)="(?!data:|\/favicon\.ico")/)
    expect(text).toContain(`happ://add/${service.running.url}/sub/${user.subscription_key}`)
    expect(text.match(/\?format=page&amp;item=\d+/g)).toHaveLength(10)
  })

  test('says how much is left of an option, and leaves one that counts devices to apps', async () => {
    const owner = await service.createUser({ balance: 1000 })
    const order = { paid_option_id: 1, payment_method_id: 1, tariff_id: 11 }
    await service.customer(owner, 'POST', '/paid-options', order)
    const limits = { device_limit: 0, traffic_limit: 10e9 }
    await service.customer(owner, 'PATCH', '/paid-options/1/limits', limits)
    const free = await pageOf(owner)
    expect(free).toContain('Осталось 10\u00a0ГБ из 10\u00a0ГБ')
    expect(free).toContain('item=1')
    expect(free).not.toContain('Без ограничений')
    await service.buy(owner)
    expect(await pageOf(owner)).toContain('Всего использовано 0\u00a0Б')
    const counted = await service.createUser({ balance: 1000 })
    await service.customer(counted, 'POST', '/paid-options', order)
    await service.customer(counted, 'PATCH', '/paid-options/1/limits', { device_limit: 2 })
    const page = await pageOf(counted)
    expect(page).toContain('До 2\u00a0устройств')
    expect(page).toContain('happ://add/')
    expect(page).not.toContain('item=1')
  })

  test('speaks the language of the visitor, or the one in the address', async () => {
    expect(await pageOf(user)).toContain('<html lang="ru"')
    expect(await pageOf(user, '', { 'accept-language': 'en' })).toContain('<html lang="en"')
    expect(await pageOf(user, '?lang=en')).toContain('<html lang="en"')
  })

  test('shows an entry alone, with its link', async () => {
    const links = await pageOf(user, '?format=links')
    const page = await pageOf(user, '?format=page&item=3')
    const third = links.split('\n')[2] as string
    expect(page).toContain(third.replaceAll('&', '&amp;'))
    expect(await pageOf(user, '?format=links&item=3')).toBe(third)
    expect((await visit(`/sub/${user.subscription_key}?item=11`)).status).toBe(404)
    expect((await visit(`/sub/${user.subscription_key}?format=links&item=11`)).status).toBe(404)
    for (const item of ['0', '-1', 'x', '1.5', '99999', '']) {
      expect((await visit(`/sub/${user.subscription_key}?item=${item}`)).status, item).toBe(400)
    }
  })

  test('says what to do when there is nothing, when it has ended, and when the device may not have it', async () => {
    const empty = await service.createUser()
    const { subscription_key: key } = empty
    const nothing = await pageOf(empty, '', { 'accept-language': 'en' })
    // Only where no server is sent it.
    expect(nothing).toContain(`href="${service.running.url}/subscription#${key}"`)
    expect(nothing.replace(`/subscription#${key}`, '')).not.toContain(key)
    const strict = await service.createUser({ balance: 1000 })
    await service.buy(strict)
    await service.customer(strict, 'PATCH', '/profile/devices/settings', { device_limit: 1 })
    const refused = await pageOf(strict, '', { 'accept-language': 'en' })
    expect(refused).toContain(`happ://add/${service.running.url}/sub/${strict.subscription_key}`)
    expect(refused).not.toMatch(/vless:|item=1/)
  })

  test('is the same 404 for a key that never was, was replaced or was deleted', async () => {
    const gone = await service.createUser()
    await service.customer(gone, 'PATCH', '/profile/subscriptionLink')
    const pages = []
    for (const key of [gone.subscription_key, 'A'.repeat(32), 'x']) {
      const answer = await visit(`/sub/${key}`)
      pages.push([answer.status, await answer.text()])
    }
    expect(pages[0]).toEqual([404, expect.stringContaining('<html')])
    expect(new Set(pages.map((page) => JSON.stringify(page))).size).toBe(1)
  })
})

describe('/open/<app>', () => {
  test.each(
    catalogue.map(({ id, importTemplate }) => [id, importTemplate === null ? 404 : 200] as const),
  )('%s is %i', async (id, status) => {
    const answer = await visit(`/open/${id}`)
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-security-policy')).toMatch(/script-src 'sha256-/)
  })

  test('of nothing that the catalogue has is 404', async () => {
    for (const id of ['nothing', '__proto__', 'javascript:alert(1)']) {
      expect((await visit(`/open/${encodeURIComponent(id)}`)).status).toBe(404)
    }
  })
})
