import type { BrowserContext, Page } from 'playwright-core'
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

/** The screen is there and nothing of it is on its way any more. */
export const settled = async (page: Page): Promise<void> => {
  await page.locator('main h1').first().waitFor()
  await expect.poll(() => page.locator('.loading,[aria-busy=true]').count()).toBe(0)
}
