import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.running.url}${path}`, { headers, method })

test.each([
  ['/whatever', 'ru', 'Такой страницы нет'],
  ['/whatever', 'en', 'There is no such page'],
  ['/whatever?lang=en', 'ru', 'There is no such page'],
  ['/sub', 'ru', 'Такой страницы нет'],
  ['/sub/<script>alert(1)</script>/x?lang="><b>', 'ru', 'Такой страницы нет'],
  ['/v1x', 'ru', 'Такой страницы нет'],
  ['/docs/ru/nothing', 'ru', 'Такой страницы нет'],
])('%s in a browser is a page in %s', async (path, language, heading) => {
  const answer = await get(path, { ...browser, 'accept-encoding': 'br', 'accept-language': language })
  const text = await answer.text()
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*img-src 'self' data:/)
  expect(answer.headers.get('content-encoding')).toBe('br')
  expect(text).toContain(heading)
  expect(text).toContain('href="/"')
  expect(text).not.toMatch(/alert\(1\)|\?lang="><b>|Sallyport/)
})

test.each([
  ['/v1/whatever', browser, 'application/json; charset=utf-8'],
  ['/operator/v1/whatever', browser, 'application/json; charset=utf-8'],
  ['/agent/v1/whatever', browser, 'application/json; charset=utf-8'],
  ['/whatever', {}, 'text/plain; charset=utf-8'],
  ['/whatever', { accept: 'application/json' }, 'text/plain; charset=utf-8'],
])('%s with %j is not', async (path, headers, type) => {
  const answer = await get(path, headers)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, type])
})

test('the icon is small, ours and kept by browsers', async () => {
  const answer = await get('/favicon.ico', browser)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/x-icon'])
  expect(answer.headers.get('cache-control')).toBe('public, max-age=604800')
  expect(bytes.length).toBeLessThan(1024)
  expect(bytes.subarray(22, 26).toString('latin1')).toBe('\u0089PNG')
  const etag = answer.headers.get('etag') as string
  expect((await get('/favicon.ico', { 'if-none-match': etag })).status).toBe(304)
  for (const path of ['/whatever', '/docs', `/sub/${'A'.repeat(32)}`, '/open/happ']) {
    const page = await get(path, browser)
    expect(await page.text(), path).toContain('<link rel="icon" href="/favicon.ico">')
    expect(page.headers.get('content-security-policy'), path).toContain("img-src 'self' data:")
  }
})
