import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { rich } from '../../test/support/owners/customers.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** One customer on one screen: why it does not work, with the button that repairs it, and all that support does. */
describeWith(chromium, 'a customer in the console', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    await service.heartbeat()
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const look = async (user: TestUser, role: 'owner' | 'support' = 'owner') => {
    await service.heartbeat()
    const at = await signInToConsole(browser, service, sight, role)
    onTestFinished(() => at.viewer.close())
    await at.open(`/console/customers/${user.id}`)
    const { page } = at.viewer
    const why = page.locator('section.card', { hasText: 'Why does it not work?' })
    const reason = why.locator('.problem').first()
    return { ...at, page, why, reason }
  }
  const shown = async ({ id }: TestUser) => (await service.operator('GET', `/users/${id}`)).body.data
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const inDialog = (page: Page, name: string) => page.getByRole('dialog', { name })
  const choose = async (page: Page, label: string, value: string) => {
    const field = page.getByLabel(label, { exact: true })
    await field.locator(`option[value="${value}"]`).waitFor({ state: 'attached' })
    await field.selectOption(value)
  }

  test('whoever never bought anything is given something, from the reason itself', async () => {
    const user = await service.createUser({})
    const { page, reason, viewer } = await look(user)
    await reason.getByText('Nothing was ever bought').waitFor()
    await reason.getByRole('button', { name: 'Give something…' }).click()
    const giving = inDialog(page, 'Give something…')
    await giving.getByLabel('What', { exact: true }).selectOption('paid_options')
    await choose(page, 'Which one', '1')
    await giving.getByLabel('What', { exact: true }).selectOption('configs')
    await choose(page, 'Where', '1')
    await giving.getByLabel('Reason').fill('A mistake of ours')
    await giving.getByRole('button', { name: 'Give', exact: true }).click()
    await page.getByText(/^Given until/).waitFor()
    await reason.getByText('No app has ever fetched the subscription').waitFor()
    expect((await shown(user)).terms).toHaveLength(1)
    expect(viewer.troubles).toEqual([])
  })

  test('whoever is blocked is let in again, and the next reason stands there at once', async () => {
    const user = await service.createUser(rich)
    await service.buy(user)
    await service.operator('PATCH', `/users/${user.id}/blocked`, { is_blocked: true })
    const { page, reason, viewer } = await look(user, 'support')
    await reason.getByText('The account is closed by an operator.').waitFor()
    await reason.getByRole('button', { name: 'Unblock' }).click()
    await reason.getByText('No app has ever fetched the subscription').waitFor()
    await reason.getByRole('button', { name: 'Write a message' }).click()
    await inDialog(page, 'Write a message').getByLabel('Text').fill('Open the app once, please')
    await press(page, 'Send')
    await page.getByText('The message is sent.').waitFor()
    const { body } = await service.customer(user, 'GET', '/profile/notifications')
    expect(JSON.stringify(body.data)).toContain('Open the app once')
    expect(viewer.troubles).toEqual([])
  })

  test('what has ended is given days, and traffic that is used up begins anew', async () => {
    const user = await service.createUser(rich)
    await service.buy(user)
    const end = service.clock.now() - 60
    const ended = { state: 'expired', expires_at: end, paused: null } as const
    await service.db.updateTable('terms').set(ended).where('user_id', '=', user.id).execute()
    const { page, reason, open, viewer } = await look(user, 'support')
    await reason.getByText('Everything has ended').waitFor()
    await reason.getByRole('button', { name: 'Days…' }).click()
    await page.getByLabel('How many days').fill('5')
    await page.getByLabel('Reason').fill('Asked nicely')
    await press(page, 'Change')
    await page.getByText(/^It ends/).waitFor()
    expect((await shown(user)).terms[0].state).toBe('active')

    const other = await service.createUser(rich)
    await service.customer(other, 'POST', '/paid-options', {
      paid_option_id: 1,
      payment_method_id: 1,
      tariff_id: 11,
    })
    await service.heartbeat()
    await service.db.updateTable('terms').set({ paused: 'quota' }).where('user_id', '=', other.id).execute()
    await open(`/console/customers/${other.id}`)
    await reason.getByText(/The traffic of term \d+ is used up/).waitFor()
    await reason.getByRole('button', { name: 'Traffic anew…' }).click()
    await inDialog(page, 'Traffic anew…').getByLabel('Reason').fill('Our fault')
    await press(page, 'Begin anew')
    await page.getByText('The option is changed.').waitFor()
    await reason.getByText('is used up').waitFor({ state: 'detached' })
    expect(viewer.troubles).toEqual([])
  })

  test('a machine that is silent leads to its page, and a configuration moves to another one', async () => {
    const user = await service.createUser(rich)
    await service.buy(user, { server_id: 1 })
    const { page, viewer } = await look(user, 'support')
    await press(page, 'Move…')
    const moving = inDialog(page, 'Move…')
    await choose(page, 'Server of the same location', '2')
    await moving.getByRole('button', { name: 'Move', exact: true }).click()
    await page.getByText(/^Moved\. The old link works until/).waitFor()
    expect((await shown(user)).terms[0].place.server_id).toBe(2)

    service.clock.advance(300)
    const later = await signInToConsole(browser, service, sight, 'support')
    onTestFinished(() => later.viewer.close())
    await later.open(`/console/customers/${user.id}`)
    const why = later.viewer.page.locator('.problem').first()
    await why.getByText(/is silent since/).waitFor()
    await why.getByRole('link', { name: /^Open node/ }).click()
    await later.viewer.page.waitForURL(/\/console\/nodes\/\d+$/)
    expect([...viewer.troubles, ...later.viewer.troubles]).toEqual([])
  })

  test('balance, a price of one’s own, sessions, the account: each says what follows', async () => {
    const user = await service.createUser({ ...rich, email: 'vera@example.com' })
    const { page, viewer } = await look(user)
    await press(page, 'Change balance…')
    await page.getByLabel('Sum, roubles').fill('-500')
    await page.getByLabel('Reason').fill('Paid twice')
    await press(page, 'Change balance')
    await page.getByText('The balance is changed.').waitFor()
    await press(page, 'Own price…')
    await page.getByLabel('Percent').fill('-25')
    await press(page, 'Make the price')
    await page.getByText('The price holds from now on.').waitFor()
    await page.getByText(/^25 % off/).waitFor()
    await press(page, 'Sign out everywhere')
    const out = inDialog(page, 'Sign out everywhere?')
    await out.getByText(/session(s)? ends? at once|sessions? end at once/).waitFor()
    await out.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByText('Every session has ended.').waitFor()
    await press(page, 'Block')
    await inDialog(page, 'Block this customer?').getByText('They cannot sign in').waitFor()
    await inDialog(page, 'Block this customer?').getByRole('button', { name: 'Block', exact: true }).click()
    await page.getByText('The account is blocked.').waitFor()
    const now = await shown(user)
    expect([now.balances.wallet, now.is_blocked, now.sessions]).toEqual([rich.balance - 500, true, []])
    expect(now.pricing_rules).toMatchObject([{ type: 'all', percent: -25 }])
    expect(viewer.troubles).toEqual([])
  })
})
