import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { choose, enterByMail, heading, launchBrowser, phone, termsOf } from '../support/cabinet/person.ts'

/** Thirty days cost 200 roubles from the balance. */
const price = 200

/** Whoever pays and hears nothing must neither pay twice nor be left without what was paid for. */
describeWith(chromium, 'a purchase whose answer is lost', () => {
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
  /** At the button that buys, with everything chosen. */
  const ready = async (balance: number) => {
    const email = `lost${++people}@example.com`
    const user = await service.createUser({ email, balance })
    const context = await phone(browser)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    await page.goto(`${service.running.url}/shop/config`)
    await enterByMail(page, service, email)
    await heading(page, 'VPN in one country')
    await choose(page, /Germany/)
    await choose(page, /1.month/)
    await choose(page, /Balance/)
    return { user, email, context, page }
  }
  const buy = (page: Page) => page.getByRole('button', { name: /^Buy for/ }).click()
  const again = (page: Page) => page.getByRole('button', { name: 'Try again' }).click()

  /** Happens to the first purchases that are sent, one after the other; the rest pass. */
  const befall = (context: BrowserContext, fates: ((route: Route) => Promise<void>)[]): Promise<unknown> =>
    context.route('**/v1/configs', async (route) => {
      const fate = route.request().method() === 'POST' ? fates.shift() : undefined
      await (fate ? fate(route) : route.continue())
    })
  /** The service does it, and its answer gets lost. */
  const lose = async (route: Route): Promise<void> => {
    const answer = await route.fetch()
    expect(answer.status()).toBe(201)
    await route.abort('connectionreset')
  }
  const busy = (route: Route): Promise<void> =>
    route.fulfill({
      status: 503,
      headers: { 'retry-after': '1' },
      json: { status: false, statusCode: 503, errorCode: 41, message: 'UNAVAILABLE' },
    })

  const boughtOnce = async ({ user, email }: { user: TestUser; email: string }, opening: number) => {
    expect(await termsOf(service, email)).toHaveLength(1)
    const { body } = await service.customer(user, 'GET', '/profile')
    expect(body.data.balance).toBe(opening - price)
  }

  test('is sent again by a press, and happens once', async () => {
    const one = await ready(1000)
    const { page } = one
    await befall(one.context, [lose, lose])
    await buy(page)
    await page.getByText('You will not be charged twice').waitFor()
    await boughtOnce(one, 1000)
    await again(page)
    await page.getByText('You will not be charged twice').waitFor()
    await again(page)
    await heading(page, 'Connect this device')
    await boughtOnce(one, 1000)
  })

  test('is sent again after a reload, and happens once', async () => {
    const one = await ready(1000)
    const { page } = one
    await befall(one.context, [lose])
    await buy(page)
    await page.getByText('You will not be charged twice').waitFor()
    await page.reload()
    await expect.poll(() => page.getByRole('radio', { name: /Germany/ }).isChecked()).toBe(true)
    await buy(page)
    await heading(page, 'Connect this device')
    await boughtOnce(one, 1000)
    // What is asked for afterwards is another purchase.
    await page.goto(`${service.running.url}/shop/config`)
    await choose(page, /Germany/)
    await choose(page, /1.month/)
    await choose(page, /Balance/)
    await buy(page)
    await heading(page, 'Connect this device')
    expect(await termsOf(service, one.email)).toHaveLength(2)
  })

  test('took the last money, and nobody is asked to pay again for it', async () => {
    const one = await ready(price)
    const { page } = one
    await befall(one.context, [lose])
    await buy(page)
    await page.getByText('You will not be charged twice').waitFor()
    const order = page.url()
    service.clock.advance(30)
    await page.reload()
    await page.getByText('The answer to your last purchase got lost').waitFor()
    await page.getByRole('button', { name: 'Check the purchase' }).click()
    await page.getByRole('link', { name: 'Open the payment' }).click()
    await page.getByText('All done. Now connect your device.').waitFor()
    // It is told once.
    await page.goto(order)
    await page.getByRole('button', { name: /^Pay/ }).waitFor()
    expect(await page.getByText('The answer to your last purchase').count()).toBe(0)
    await boughtOnce(one, price)
  })

  test('that is still worked on is asked about again', async () => {
    const one = await ready(1000)
    const { page } = one
    await befall(one.context, [lose, busy])
    await buy(page)
    await page.getByText('You will not be charged twice').waitFor()
    await again(page)
    await page.getByText('Something went wrong on our side').waitFor()
    await page.getByText('You will not be charged twice').waitFor()
    await again(page)
    await heading(page, 'Connect this device')
    await boughtOnce(one, 1000)
  })

  test('is sent again by whoever had to sign in in between, and happens once', async () => {
    const one = await ready(1000)
    const { page, user } = one
    await befall(one.context, [lose])
    await buy(page)
    await page.getByText('You will not be charged twice').waitFor()
    await service.call('POST', '/v1/auth/logoutAll', { token: user.session_token })
    // The page asks for other things as well, and may notice before the press.
    await Promise.any([again(page), heading(page, 'Sign in or sign up')])
    await heading(page, 'Sign in or sign up')
    await enterByMail(page, service, one.email)
    await buy(page)
    await heading(page, 'Connect this device')
    await boughtOnce(one, 1000)
  })
})
