import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { rich } from '../../test/support/owners/customers.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { moneyArrived } from '../../test/support/providers/sandbox-money.ts'
import { startTestService, type TestService, type TestUser, usualOrder } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** Money goes back, is put where it belongs, or leaves: nobody does it without seeing what follows. */
describeWith(chromium, 'orders and withdrawals in the console', () => {
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

  const enter = async (role: 'owner' | 'finance' | 'support') => {
    const at = await signInToConsole(browser, service, sight, role)
    onTestFinished(() => at.viewer.close())
    return { ...at, page: at.viewer.page }
  }
  const orderOf = async ({ id }: TestUser) =>
    (await service.operator('GET', `/orders?user_id=${id}`)).body.data[0].id
  const balanceOf = async ({ id }: TestUser) =>
    (await service.operator('GET', `/users/${id}`)).body.data.balances.wallet

  test('a refund says what it takes back before the button, and is in the ledger after it', async () => {
    const user = await service.createUser(rich)
    await service.buy(user)
    const paid = rich.balance - (await balanceOf(user))
    const id = await orderOf(user)
    const support = await enter('support')
    await support.open(`/console/orders/${id}`)
    await support.page.getByText('go back to the customer.').waitFor()
    expect(await support.page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)

    const finance = await enter('finance')
    await finance.open(`/console/orders/${id}`)
    const { page } = finance
    await page.getByText('It ends 30 days earlier.').waitFor()
    await page.getByRole('button', { name: 'Refund…' }).click()
    const asked = page.getByRole('dialog', { name: `Refund order ${id}?` })
    await asked.getByLabel('Reason').fill('Does not work at work')
    await asked.getByRole('button', { name: /^Give/ }).click()
    await page.getByText('The refund is on its way.').waitFor()
    expect(await balanceOf(user)).toBe(rich.balance)
    const books = page.getByRole('group', { name: 'In the ledger' })
    await books
      .getByRole('link', { name: `user:${user.id}:wallet` })
      .nth(1)
      .waitFor()
    expect(paid).toBeGreaterThan(0)
    expect([...support.viewer.troubles, ...finance.viewer.troubles]).toEqual([])
  })

  test('money of another sum is put aside, found from the customer, and credited', async () => {
    const user = await service.createUser({})
    const order = { ...usualOrder, payment_method_id: 2 }
    const { body } = await service.customer(user, 'POST', '/configs', order)
    const before = await balanceOf(user)
    await moneyArrived(service, body.data.link, { receiptId: 'r-1', amount: 100 })
    const { page, open, viewer } = await enter('finance')
    await open(`/console/customers/${user.id}`)
    await page.getByText('All that was looked at').click()
    await page.getByRole('link', { name: `Open order ${await orderOf(user)}`, exact: true }).click()
    await page.getByRole('button', { name: 'Credit…' }).click()
    const asked = page.getByRole('dialog', { name: /^Credit / })
    await asked.getByLabel('Reason').fill('Typed another sum')
    await asked.getByRole('button', { name: 'Credit', exact: true }).click()
    await page.getByText('The money is on the customer’s balance.').waitFor()
    expect(await balanceOf(user)).toBe(before + 100)
    expect(viewer.troubles).toEqual([])
  })

  test('a large withdrawal takes two people, and neither of them alone', async () => {
    const user = await service.createUser(rich)
    await service.operator('PATCH', '/settings', { two_person_amount: 1000 })
    const card = { amount: 2000, card_number: '4111111111111111' }
    expect((await service.customer(user, 'POST', '/profile/referral/withdraw/card', card)).status).toBe(201)
    const approve = async (role: 'owner' | 'finance') => {
      const at = await enter(role)
      await at.open('/console/withdrawals')
      await at.page.getByRole('button', { name: 'Approve…' }).click()
      const asked = at.page.getByRole('dialog', { name: /^Has 2,000/ })
      await asked.getByText('this only writes down that it has left').waitFor()
      await asked.getByRole('button', { name: 'The money is sent' }).click()
      return at
    }
    const first = await approve('finance')
    await first.page.getByText('Another person has to approve it, too.').waitFor()
    await first.page.getByText('approved by one, another person is needed').waitFor()
    const second = await approve('owner')
    await second.page.getByText('Written down as paid.').waitFor()
    const { body } = await service.operator('GET', '/withdrawals')
    expect(body.data[0]).toMatchObject({ status: 'paid' })
    expect([...first.viewer.troubles, ...second.viewer.troubles]).toEqual([])
  })
})
