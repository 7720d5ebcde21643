import type { BrowserContext, Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { TestService, TestUser } from '../../../test/support/service.ts'

/** Lets a browser in as a customer: by the cookie that signing in gives. */
export const signInBrowser = async (
  context: BrowserContext,
  service: TestService,
  user: TestUser,
): Promise<void> => {
  const { url } = service.running
  const made = await service.call('POST', '/v1/profile/signInCode', { token: user.session_token })
  const answer = await service.call('POST', '/v1/auth/signInCode', {
    body: { code: made.body.data.code },
    headers: { 'x-sallyport-cabinet': '1' },
  })
  const [pair = ''] = (answer.headers.get('set-cookie') ?? '').split(';')
  const at = pair.indexOf('=')
  if (at < 0) throw new Error(`No cookie: ${JSON.stringify(answer.body)}`)
  await context.addCookies([{ name: pair.slice(0, at), value: pair.slice(at + 1), url, httpOnly: true }])
}

export const speak = (context: BrowserContext, service: TestService, language: 'ru' | 'en'): Promise<void> =>
  context.addCookies([{ name: 'lang', value: language, url: service.running.url }])

const onTheirWay = new WeakMap<Page, Set<Request>>()

/** From now on `settled` waits for answers too. */
export const watchRequests = (page: Page): void => {
  const open = new Set<Request>()
  onTheirWay.set(page, open)
  page.on('request', (request) => open.add(request))
  page.on('requestfinished', (request) => open.delete(request))
  page.on('requestfailed', (request) => open.delete(request))
  // Of what a page that was left had asked for, nothing more may be heard.
  page.on('framenavigated', () => open.clear())
}

const isAtRest = async (page: Page): Promise<boolean> =>
  (onTheirWay.get(page)?.size ?? 0) === 0 && (await page.locator('.loading,[aria-busy=true]').count()) === 0

/** The screen is there and nothing of it is on its way any more: a part that has come may ask for the next. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main h1').first().waitFor()
  await expect
    .poll(async () => {
      if (!(await isAtRest(page))) return false
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done, 30)))')
      return isAtRest(page)
    })
    .toBe(true)
}

/** What the worker has of the page and of the link's screen; it begins when the page has come to rest. */
export const isKept = (page: Page, isSignedIn: boolean): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate<boolean>(`Promise.all([
        caches.match('/', { cacheName: 'shell' }).then((shell) => shell?.text()),
        caches.open('files').then((files) => files.keys()),
      ]).then(([shell, files]) => shell?.includes('"isSignedIn":${isSignedIn}') === true &&
        files.some(({ url }) => url.includes('/connect-')))`),
    )
    .toBe(true)
