import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { comeUp } from '../../test/support/machines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** Nobody writes a command: the way begins at the front page and ends there, with money. */
describeWith(chromium, 'from an empty service to the first sale', () => {
  let service: TestService
  let browser: Browser
  let at: AtConsole
  let page: Page

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true, content: 'empty' })
    browser = await opening
    at = await signInToConsole(browser, service, sight)
    page = at.viewer.page
    page.setDefaultTimeout(8000)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const press = (name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).click()
  const dialog = () => page.locator('dialog[open]')
  const submit = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const told = (text: string | RegExp) => page.locator('.toasts').getByText(text).waitFor()
  const step = (text: string) => page.locator('ol.list li').filter({ hasText: text })
  const isDone = async (text: string) => (await step(text).innerText()).includes('done')

  test('by the console alone', { timeout: 120_000 }, async () => {
    await at.open('/console')
    expect(await isDone('A way to pay works')).toBe(false)
    await press('Begin with the usual ways to pay')
    await told('The usual ways to pay are there')
    await step('A way to pay works').getByText('done').waitFor()

    await step('A location is offered').getByRole('link').click()
    await press('Add a location')
    await dialog().getByLabel('Code of the country').fill('NL')
    await dialog().getByLabel('Title in Russian').fill('Нидерланды')
    await dialog().getByLabel('Title in English').fill('Netherlands')
    await submit('Add it')
    await page.getByRole('row').filter({ hasText: 'Netherlands' }).waitFor()

    await at.open('/console/nodes')
    await press('Add a machine')
    await dialog().getByLabel('Name').fill('ams-1')
    await dialog().getByLabel('Address').fill('203.0.113.77')
    await submit('Get the line to paste')
    const line = (await dialog().locator('code').textContent()) ?? ''
    const token = /SALLYPORT_ENROL_TOKEN=(\S+)/.exec(line)?.[1] ?? ''
    expect((await comeUp(service, token)).status).toBe(201)
    await dialog().getByRole('link', { name: 'Go to the node' }).click()
    await press('Add a server')
    await dialog().getByLabel('Location').selectOption({ label: 'Netherlands' })
    await submit('Put it on sale')
    await told('The server is on sale')

    await at.open('/console/tariffs')
    await press('Add a length')
    await page.getByLabel('Length of the new one, days').fill('30')
    await page.getByLabel(/^Price: 30\sdays, Balance/).fill('200')
    await press('Save prices')
    await told('The prices are saved')

    await at.open('/console')
    await page.getByRole('heading', { name: 'Sales', exact: true }).waitFor()
    expect(await page.getByText('Before the first sale').count()).toBe(0)

    await service.heartbeat()
    const user = await service.createUser({ email: 'anna@example.com' })
    await at.open(`/console/customers/${user.id}`)
    await press('Change balance…')
    await dialog().getByLabel('Sum, roubles').fill('500')
    await dialog().getByLabel('Reason').fill('paid in cash')
    await submit('Change balance')
    await told('The balance is changed.')
    const [tariff] = (await service.operator('GET', '/config-tariffs')).body.data
    const [location] = (await service.operator('GET', '/locations')).body.data
    const [method] = (await service.operator('GET', '/payment-methods')).body.data.filter(
      ({ key }: { key: string }) => key === 'balance',
    )
    const bought = await service.customer(user, 'POST', '/configs', {
      location_id: location.id,
      protocol: 'vless',
      payment_method_id: method.id,
      tariff_id: tariff.id,
    })
    expect(bought.status).toBe(201)

    await at.open(`/console/customers/${user.id}`)
    await page.getByRole('link', { name: /Order 1/ }).click()
    await page.getByRole('heading', { name: 'Order 1' }).waitFor()
    await page.getByText('200 ₽ go back to the customer.').first().waitFor()
    expect(at.viewer.troubles).toEqual([])
  })
})
