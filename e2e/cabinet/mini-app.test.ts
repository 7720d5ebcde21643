import type { Browser, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { signInitData } from '../../test/support/people/telegram.ts'
import { chromium } from '../../test/support/pieces.ts'
import { deliver } from '../../test/support/providers/stand-in.ts'
import { StarsStandIn } from '../../test/support/providers/stars.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { launchBrowser, phone } from '../support/cabinet/person.ts'
import { TelegramWeb, telegramWebArgs } from '../support/telegram-web.ts'

const stars = 6

/** The cabinet as Telegram's own web page opens it: in a frame of another site, where cookies do not come along. */
describeWith(chromium, 'the cabinet as a Mini App', () => {
  const telegram = new StarsStandIn(() => service.clock.now())
  const requests: Request[] = []
  let service: TestService
  let browser: Browser
  let web: TelegramWeb

  beforeAll(async () => {
    const opening = launchBrowser(telegramWebArgs)
    await telegram.start()
    service = await startTestService({ withoutLimits: true, env: telegram.env })
    await service.operator('PATCH', `/payment-methods/${stars}`, { provider: 'stars' })
    browser = await opening
    const page = await (await phone(browser)).newPage()
    page.on('request', (request) => requests.push(request))
    const fields = { user: JSON.stringify({ id: 77, first_name: 'Anna' }), auth_date: service.clock.now() }
    const initData = signInitData(fields, telegram.token)
    web = await TelegramWeb.open(page, { url: `${service.running.url}/`, initData })
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await telegram.stop()
  })

  const heading = (name: string) => web.app.getByRole('heading', { level: 1, name, exact: true }).waitFor()

  test('signs in by what Telegram gave, without cookies', async () => {
    await heading('Home')
    await web.app.getByText('Welcome!').waitFor()
    await web.heard('web_app_ready')
    const asked = requests.filter((request) => /\/v1\/(profile|configs)/.test(request.url()))
    expect(asked.length).toBeGreaterThan(0)
    for (const request of asked) {
      const headers = await request.allHeaders()
      expect(headers.authorization).toMatch(/^Bearer /)
      expect(headers.cookie).toBeUndefined()
    }
    const address = await web.app.locator('body').evaluate('location.href')
    expect(String(address), 'what Telegram gave stays out of the address').not.toContain('tgWebApp')
  })

  test('goes back by the button of Telegram', async () => {
    expect(await web.hasBackButton()).toBe(false)
    await web.app.getByRole('link', { name: 'Shop', exact: true }).click()
    await heading('Shop')
    await expect.poll(() => web.hasBackButton()).toBe(true)
    await web.app.getByRole('link', { name: 'Choose: VPN in one country' }).click()
    await heading('VPN in one country')
    await web.pressBack()
    await heading('Shop')
    expect(await web.hasBackButton()).toBe(true)
    await web.pressBack()
    await heading('Home')
    await expect.poll(() => web.hasBackButton()).toBe(false)
  })

  test('pays with stars by an invoice, and follows how it ends', async () => {
    await web.app.getByRole('link', { name: 'Shop', exact: true }).click()
    await web.app.getByRole('link', { name: 'Choose: VPN in one country' }).click()
    await web.app.getByRole('radio', { name: /Stars/ }).check()
    await web.app.getByRole('button', { name: /^Pay/ }).click()
    const { slug } = await web.heard('web_app_open_invoice')
    await web.app.getByText('waiting for the payment').waitFor()

    await web.send('invoice_closed', { slug, status: 'cancelled' })
    await web.app.getByRole('button', { name: 'Open the payment page' }).click()
    expect(await web.heard('web_app_open_invoice', 1)).toEqual({ slug })
    const answer = await deliver(service.running.url, telegram.pay(`$${slug}`))
    expect(answer.status).toBe(200)
    await web.send('invoice_closed', { slug, status: 'paid' })
    await web.app.getByText('All done. Now connect your device.').waitFor()
  })

  test('pays elsewhere in the outside browser, while its own screen waits for it', async () => {
    await web.app.getByRole('link', { name: 'Balance', exact: true }).click()
    await web.app.getByRole('radio', { name: /SBP/ }).check()
    await web.app.getByRole('button', { name: /^Pay/ }).click()
    const { url } = await web.heard('web_app_open_link')
    await web.app.getByText('waiting for the payment').waitFor()
    const outside = await (await phone(browser)).newPage()
    await outside.goto(String(url))
    await outside.getByRole('button', { name: 'Pay', exact: true }).click()
    await web.app.getByText('All done.').waitFor()
    await outside.context().close()
    await web.pressBack()
    await heading('Balance')
  })

  test('leaves what leads out to Telegram', async () => {
    await web.app.getByRole('link', { name: 'Home', exact: true }).click()
    await web.app.getByRole('link', { name: 'Connect', exact: true }).click()
    await heading('Connect this device')
    const store = web.app.locator('.steps li .acts a').first()
    const href = await store.getAttribute('href')
    await store.click()
    expect(await web.heard('web_app_open_link', 1)).toEqual({ url: href })
    // Apps are opened by a page in the outside browser: Telegram opens no links of theirs.
    await web.app.getByRole('link', { name: /^Add to/ }).click()
    const { url } = await web.heard('web_app_open_link', 2)
    expect(url).toMatch(new RegExp(`^${service.running.url}/open/\\w+#\\w+$`))
    await heading('Connect this device')
  })
})
