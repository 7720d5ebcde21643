import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { choose, enterByMail, heading, launchBrowser, phone, termsOf } from '../support/cabinet/person.ts'
import { signInBrowser } from '../support/cabinet/visit.ts'

const signIn = 'Sign in or sign up'
const hasEnded = 'Your session has ended. Sign in again.'

/** Sessions that begin and end while a tab is open. */
describeWith(chromium, 'tabs of the cabinet', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  let people = 0
  const person = async (balance = 1000): Promise<{ user: TestUser; email: string }> => {
    const email = `tabs${++people}@example.com`
    return { user: await service.createUser({ email, balance }), email }
  }
  const browserOf = async (user: TestUser): Promise<BrowserContext> => {
    const context = await phone(browser)
    onTestFinished(() => context.close())
    await signInBrowser(context, service, user)
    return context
  }
  const tab = async (context: BrowserContext, path: string, title: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(service.running.url + path)
    await heading(page, title)
    return page
  }

  test('signed out in one, the other asks to sign in and shows nothing of the account', async () => {
    const { user, email } = await person()
    const context = await browserOf(user)
    const other = await tab(context, '/balance', 'Balance')
    await other
      .getByText(/1,000\s₽/)
      .first()
      .waitFor()
    const one = await tab(context, '/settings', 'Settings')
    await one.getByText(email).waitFor()
    await one.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(one, signIn)
    await heading(other, signIn)
    for (const page of [one, other]) {
      expect(await page.locator('body').innerText()).not.toMatch(/1,000|tabs\d/)
      expect(await page.getByText(hasEnded).count()).toBe(0)
      const kept = await page.evaluate<string[]>('Object.keys(localStorage)')
      expect(kept.filter((name) => !name.startsWith('sallyport:device:'))).toEqual([])
    }
  })

  test('another account in one is the account of both', async () => {
    const [first, second] = [await person(1111), await person(2222)]
    const context = await browserOf(first.user)
    const other = await tab(context, '/balance', 'Balance')
    await other
      .getByText(/1,111\s₽/)
      .first()
      .waitFor()
    const one = await tab(context, '/settings', 'Settings')
    await one.getByRole('button', { name: 'Sign out', exact: true }).click()
    await heading(one, signIn)
    await enterByMail(one, service, second.email)
    await heading(one, 'Home')
    await other
      .getByText(/2,222\s₽/)
      .first()
      .waitFor()
    expect(await other.locator('body').innerText()).not.toContain('1,111')
    // Nothing of the first comes back where the network is away either.
    await context.setOffline(true)
    await other.getByRole('link', { name: 'Home' }).click()
    await other.getByRole('link', { name: 'Balance' }).click()
    await heading(other, 'Balance')
    expect(await other.locator('body').innerText()).not.toContain('1,111')
  })

  const endFromElsewhere = async (user: TestUser) => {
    const token = user.session_token
    const { body } = await service.call('GET', '/v1/profile/sessions', { token })
    const theirs = body.data.find((session: { is_current: boolean }) => !session.is_current)
    return service.call('DELETE', `/v1/profile/sessions/${theirs.id}`, { token })
  }

  test.each([
    ['itself alone', endFromElsewhere],
    [
      'with all the others',
      (user: TestUser) => service.call('POST', '/v1/auth/logoutAll', { token: user.session_token }),
    ],
  ])('ended elsewhere %s, the next step says so, asks to sign in and goes on where it was', async (_, end) => {
    const { user, email } = await person()
    const context = await phone(browser)
    onTestFinished(() => context.close())
    const page = await tab(context, '/shop/config', signIn)
    expect(await page.getByText(hasEnded).count()).toBe(0)
    await enterByMail(page, service, email)
    await heading(page, 'VPN in one country')
    await choose(page, /Germany/)
    await choose(page, /3.months/)
    await choose(page, /Balance/)
    expect((await end(user)).status).toBeLessThan(300)
    // Whichever asks first meets it: this press, or something that the page asks by itself.
    const press = page.getByRole('button', { name: /^Buy for/ }).click({ timeout: 3000 })
    await press.catch(() => undefined)
    await heading(page, signIn)
    await page.getByText(hasEnded).waitFor()
    expect(await termsOf(service, email)).toHaveLength(0)
    await enterByMail(page, service, email)
    await heading(page, 'VPN in one country')
    for (const chosen of [/Germany/, /3.months/, /Balance/])
      await expect.poll(() => page.getByRole('radio', { name: chosen }).first().isChecked()).toBe(true)
    expect(await page.getByText('The answer to your last purchase').count()).toBe(0)
    await page.getByRole('button', { name: /^Buy for/ }).click()
    await heading(page, 'Connect this device')
    expect(await termsOf(service, email)).toHaveLength(1)
  })
})
