import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { settled, signInBrowser, speak } from '../support/cabinet/visit.ts'

/** Screens of what somebody owns, when something is the matter with it. */
describeWith(chromium, 'what one owns', () => {
  let service: TestService
  let browser: Browser
  let user: TestUser
  let configId: number

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    user = await service.createUser({ email: 'owner@example.com', balance: 5000 })
    configId = (await service.buy(user, { protocol: 'vless', location_id: 1 })).id
    await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    await service.heartbeat()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const visit = async (path: string, prepare?: (page: Page) => Promise<unknown>): Promise<Page> => {
    const context = await browser.newContext()
    await speak(context, service, 'en')
    await signInBrowser(context, service, user)
    const page = await context.newPage()
    onTestFinished(async () => {
      await page.unrouteAll({ behavior: 'ignoreErrors' })
      await context.close()
    })
    await prepare?.(page)
    await page.goto(service.running.url + path)
    return page
  }

  /** What the service answers, with something else in it. */
  const changed = (page: Page, address: string, change: (data: object) => object) =>
    page.route(address, async (route) => {
      const headers = { ...route.request().headers(), 'x-sallyport-cabinet': '1' }
      const response = await route.fetch({ headers })
      const body = await response.json()
      await route.fulfill({ response, json: { ...body, data: change(body.data) } })
    })

  const focused = (page: Page) => page.evaluate('document.activeElement.textContent')

  test('an address with #move opens where a connection is moved, and so does the link beside a server that is down', async () => {
    const led = await visit(`/configs/${configId}#move`)
    await led.getByRole('combobox', { name: 'Server' }).waitFor()
    expect(await focused(led)).toBe('Country, protocol, settings')
    const page = await visit(`/configs/${configId}`, (one) =>
      changed(one, '**/v1/configs?*', (all) =>
        (all as object[]).map((config) => ({ ...config, is_online: false })),
      ),
    )
    await settled(page)
    await page.getByRole('link', { name: 'move to another server' }).click()
    await page.getByRole('button', { name: 'Save changes' }).waitFor()
    expect(await focused(page)).toBe('Country, protocol, settings')
  })

  test('a first visit shows grey lines where names will stand, and then the names', async () => {
    const gate = Promise.withResolvers<void>()
    const held = (address: string) => (one: Page) =>
      one.route(address, async (route) => {
        await gate.promise
        await route.continue()
      })
    const page = await visit('/', async (one) => {
      await held('**/v1/locations')(one)
      await held('**/v1/paid-options/tariffs')(one)
    })
    const names = page.locator('.tiles h2')
    await names.nth(1).waitFor()
    expect(await names.locator('.unnamed').count()).toBe(2)
    gate.resolve()
    await page.getByRole('heading', { name: 'White internet' }).waitFor()
    await page.getByRole('heading', { name: 'Netherlands' }).waitFor()
    expect(await names.locator('.unnamed').count()).toBe(0)
  })

  test('a server pack whose traffic is used up says when it works again, and leads to its limits', async () => {
    const gigabyte = 2 ** 30
    const page = await visit('/options/1', (one) =>
      changed(one, '**/v1/paid-options/1/subscription', (usage) => ({
        ...usage,
        status: 'limited',
        used_traffic_bytes: gigabyte,
        traffic_limit_bytes: gigabyte,
        period_ends_at: service.clock.now() + 86_400,
      })),
    )
    await page.getByText(/It starts working again by itself on/).waitFor()
    await page.getByRole('link', { name: /^raise the limit/ }).click()
    await page.getByLabel('Traffic per 30 days, GB').waitFor()
    expect(await focused(page)).toBe('Limits')
  })

  test('a name stands as a grey line until it is known, and never as another one', async () => {
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const page = await visit('/options/1', (one) =>
      one.route('**/v1/paid-options/tariffs', async (route) => {
        await held
        await route.continue()
      }),
    )
    await page.getByText('What is inside').waitFor()
    expect(await page.locator('h1').innerText()).toBe('Loading the name…')
    release()
    await page.getByRole('heading', { level: 1, name: 'White internet' }).waitFor()
  })
})
