import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { choose, heading, launchBrowser, payAtSandbox, phone } from '../support/cabinet/person.ts'
import { settled, signInBrowser } from '../support/cabinet/visit.ts'

/** What somebody sees who has never bought a VPN and holds a small phone. */
describeWith(chromium, 'the shop on a small phone', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    await service.heartbeat()
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (
    path: string,
    given: { balance?: number; earned?: number; timezoneId?: string },
    before: (context: BrowserContext) => Promise<unknown> = async () => undefined,
  ): Promise<Page> => {
    const { balance = 0, earned = 0, timezoneId = 'Europe/Moscow' } = given
    const user = await service.createUser({ balance, referral_balance: earned })
    const context = await phone(browser, { viewport: { width: 360, height: 640 }, timezoneId })
    onTestFinished(() => context.close())
    await signInBrowser(context, service, user)
    await before(context)
    const page = await context.newPage()
    await page.goto(service.running.url + path)
    await settled(page)
    return page
  }
  const country = (page: Page, name: RegExp) =>
    page.locator('label', { has: page.getByRole('radio', { name }) })

  test('has the button in sight from the first moment, and it hides nothing that has the focus', async () => {
    const page = await open('/shop/config', { balance: 1000 })
    const button = page.getByRole('button', { name: /^Buy for/ })
    const box = await button.boundingBox()
    expect(box && box.y + box.height).toBeLessThan(640)
    const covered: string[] = []
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate<string | null>(`(() => {
        const focused = document.activeElement
        if (!focused || focused === document.body || focused.closest('.buy, .sections')) return null
        const box = (focused.closest('label') ?? focused).getBoundingClientRect()
        const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
        return over?.closest('.buy, .sections') ? focused.outerHTML.slice(0, 120) : null
      })()`)
      if (name !== null) covered.push(name)
    }
    expect(covered).toEqual([])
    // At the end of the page it stands beneath the last thing, not over it.
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    const last = await page.getByRole('button', { name: 'I have an activation code' }).boundingBox()
    const end = await button.boundingBox()
    expect(last && end && last.y + last.height <= end.y).toBe(true)
  })

  test('tells free slots and about how far each country is', async () => {
    const page = await open('/shop/config', {})
    await country(page, /Netherlands/)
      .getByText(/free slot.* · ≈ 45 ms/)
      .waitFor()
    await country(page, /United States/)
      .getByText(/≈ 140 ms/)
      .waitFor()
    expect(await page.getByText('nearest').count()).toBe(1)
    // Of the others, too, one after another.
    await country(page, /Germany/)
      .getByText(/free slot/)
      .waitFor()
  })

  test('tells no distance where it does not know from where', async () => {
    const page = await open('/shop/config', { timezoneId: 'UTC' })
    await country(page, /Netherlands/)
      .getByText(/free slot/)
      .waitFor()
    expect(await page.getByText('≈').count()).toBe(0)
  })

  test('does not wait for ever for free slots', async () => {
    const page = await open('/shop/config', { balance: 1000 }, (context) =>
      context.route('**/available-servers*', (route) => route.abort('connectionreset')),
    )
    await country(page, /Netherlands/)
      .getByText('free slots unknown')
      .waitFor()
    expect(await page.getByRole('button', { name: /^Buy for/ }).isEnabled()).toBe(true)
  })

  test('folds what few people pay with', async () => {
    const page = await open('/shop/config', { earned: 50 })
    expect(await page.getByRole('radio', { name: /USDT|Balance|Earnings/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'More ways to pay' }).press('Enter')
    await page.getByRole('radio', { name: /Earnings from friends/ }).waitFor()
    expect(await page.evaluate('document.activeElement?.type')).toBe('radio')
  })

  test('speaks of the purse that lacks money, and the top-up leads back to the purchase', async () => {
    const page = await open('/shop/config?pay=referral&days=90', { balance: 100, earned: 50 })
    await page.getByText(/Your earnings from friends are .* short/).waitFor()
    await page.getByRole('link', { name: 'Top up the balance' }).click()
    await heading(page, 'Balance')
    expect(page.url()).toMatch(/\/balance\?sum=440$/)
    expect(await page.getByLabel('How much, in roubles').inputValue()).toBe('440')
    await choose(page, /SBP/)
    await page.getByRole('button', { name: /^Pay 440/ }).click()
    await payAtSandbox(page)
    await page.getByRole('link', { name: 'Back to the purchase' }).click()
    await heading(page, 'VPN in one country')
    expect(page.url()).toContain('days=90')
  })

  test.each([
    ['20000', '15000'],
    ['0.4', '1'],
    ['many', '500'],
  ])('takes a top-up of %s for %s', async (sum, taken) => {
    const page = await open(`/balance?sum=${sum}`, {})
    expect(await page.getByLabel('How much, in roubles').inputValue()).toBe(taken)
  })
})
