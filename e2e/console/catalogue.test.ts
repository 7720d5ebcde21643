import { type Browser, chromium as chromiumBrowser, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HetznerStandIn, startHetzner } from '../../test/support/clouds/hetzner.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'

const providerToken = 'a-token-of-the-provider'

/** What is sold, where and for what, by the console alone. */
describeWith(chromium, 'the catalogue in the console', () => {
  let service: TestService
  let hetzner: HetznerStandIn
  let browser: Browser
  let at: AtConsole
  let page: Page

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    hetzner = await startHetzner({ token: providerToken })
    service = await startTestService({ withoutLimits: true, env: { HETZNER_URL: hetzner.url } })
    browser = await opening
    at = await signInToConsole(browser, service, { device: 'desktop', theme: 'light', language: 'en' })
    page = at.viewer.page
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await hetzner?.close()
  })

  const button = (name: string | RegExp, within: Page | Locator = page): Locator =>
    within.getByRole('button', { name, exact: typeof name === 'string' })
  const dialog = (): Locator => page.locator('dialog[open]')
  const card = (title: string): Locator =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const toast = (text: string | RegExp) => page.locator('.toasts').getByText(text).first().waitFor()
  const read = async (path: string) => (await service.operator('GET', path)).body.data
  const found = async (path: string, id: number) =>
    (await read(path)).find((row: { id: number }) => row.id === id)

  test('a location is added, changed, switched off and on, and deleted when nothing is left there', async () => {
    await at.open('/console/locations')
    await button('Add a location').click()
    await dialog().getByLabel('Code of the country').fill('SE')
    await dialog().getByLabel('Title in English').fill('Sweden')
    await dialog().getByLabel('Title in Russian').fill('Швеция')
    await dialog().getByLabel('Domains of the country').fill('se\n nu ')
    await button('Add it', dialog()).click()
    const row = page.getByRole('row').filter({ hasText: 'Sweden' })
    await row.getByText('It has no servers, and no cloud servers are offered there.').waitFor()
    const [made] = (await read('/locations')).filter((one: { code: string }) => one.code === 'SE')
    expect(made).toMatchObject({
      title_ru: 'Швеция',
      home_domains: ['se', 'nu'],
      is_active: true,
      ping_ip: null,
    })

    await button('Change Sweden').click()
    expect(await at.viewer.axe()).toEqual([])
    await dialog().getByLabel('Networks of the country').fill('192.0.2.0/24')
    await dialog().getByLabel('Address to measure the distance to').fill('203.0.113.10')
    await button('Save', dialog()).click()
    await toast(/^Saved\.$/)
    expect(await found('/locations', made.id)).toMatchObject({
      home_domains: ['se', 'nu'],
      home_networks: ['192.0.2.0/24'],
      ping_ip: '203.0.113.10',
    })

    await button('Take off sale: Sweden').click()
    await button('Put on sale: Sweden').waitFor()
    expect(await found('/locations', made.id)).toMatchObject({ is_active: false })
    await button('Put on sale: Sweden').click()
    await button('Take off sale: Sweden').waitFor()

    await button('Delete', row).click()
    await button('Delete', dialog()).click()
    await toast('Sweden is deleted.')
    await row.waitFor({ state: 'detached' })
    expect(await found('/locations', made.id)).toBeUndefined()
  })

  test('a location that customers are in says how many, and stays', async () => {
    const user = await service.createUser({ balance: 1000 })
    await service.heartbeat()
    await service.buy(user)
    await at.open('/console/locations')
    const row = page.getByRole('row').filter({ hasText: 'Netherlands' })
    await button('Delete', row).click()
    await button('Delete', dialog()).click()
    await dialog()
      .getByText(/^Not yet: 1\scustomer depends on it, and it has 2\sservers/)
      .waitFor()
    await page.keyboard.press('Escape')
    expect(await found('/locations', 1)).toMatchObject({ is_active: true })
  })

  test('prices are changed, a length comes and one goes, and a customer’s are seen with their rule', async () => {
    const user = await service.createUser({ balance: 1000 })
    const rule = { type: 'configs', percent: -20, comment: 'Regulars' }
    await service.operator('POST', `/users/${user.id}/pricing-rules`, rule)
    await at.open('/console/tariffs')
    const sheet = card('VPN configurations')
    await sheet.getByLabel(/^Price: 30\sdays, Balance/).fill('210,5')
    await button('Save prices', sheet).click()
    // Money of the balance is whole roubles.
    await sheet
      .locator('[role=alert]')
      .filter({ hasText: /30\sdays, Balance/ })
      .waitFor()
    await sheet.getByLabel(/^Price: 30\sdays, Balance/).fill('210')
    await button('Add a length', sheet).click()
    await sheet.getByLabel('Length of the new one, days').fill('60')
    await button('Save prices', sheet).click()
    await sheet.getByText(/60\sdays: write at least one price/).waitFor()
    await sheet.getByLabel(/^Price: 60\sdays, Balance/).fill('400')
    await sheet.getByRole('button', { name: /^Remove 365\sdays/ }).click()
    await sheet.getByText(/No longer sold once you save: 365\sdays/).waitFor()
    await button('Save prices', sheet).click()
    await toast('The prices are saved')
    const tariffs = await read('/config-tariffs')
    expect(tariffs.map(({ days }: { days: number }) => days)).toEqual([30, 60, 90, 180])
    expect(tariffs[0].prices[0]).toEqual({ payment_method_id: 1, price: 210 })
    expect(tariffs[1].prices).toEqual([{ payment_method_id: 1, price: 400 }])
    expect(tariffs[2].prices[0]).toEqual({ payment_method_id: 1, price: 540, old_price: 600 })

    await page.getByLabel('Customer’s number').fill(String(user.id))
    await page.keyboard.press('Enter')
    await page.getByText(/^Rule \d+: 20 % off · Regulars$/).waitFor()
    const seen = page.getByRole('group', { name: 'VPN configurations' }).last()
    const cell = seen
      .getByRole('row')
      .filter({ hasText: /60\sdays/ })
      .getByRole('cell')
      .nth(1)
    expect((await cell.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^320 ₽ 400 ₽ rule \d+$/)
  })

  test('whoever was quicker loses no price', async () => {
    await at.open('/console/tariffs')
    const sheet = card('VPN configurations')
    await sheet.getByLabel(/^Price: 30\sdays, Balance/).fill('222')
    await sheet.getByLabel(/^Price: 90\sdays, Balance/).fill('555')
    const before = await read('/config-tariffs')
    const asSent = before.map(({ days, prices }: { days: number; prices: { price: number }[] }) => ({
      days,
      prices: prices.map((price, n) =>
        days !== 60 && n === 0 ? { ...price, price: price.price + 7 } : price,
      ),
    }))
    await service.operator('PUT', '/config-tariffs', { tariffs: asSent })
    await button('Save prices', sheet).click()
    await sheet.getByText('Somebody has changed this meanwhile').waitFor()
    expect(await at.viewer.axe()).toEqual([])
    const row = sheet.getByRole('row').filter({ hasText: /90\sdays, Balance/ })
    await row.getByRole('radio').first().check()
    await button('Save with what I chose', sheet).click()
    await toast('The prices are saved')
    const prices = (await read('/config-tariffs')).map(
      ({ days, prices: [first] }: { days: number; prices: { price: number }[] }) => [days, first?.price],
    )
    // One is mine, one is theirs, and what I had not touched is theirs too.
    expect(prices).toEqual([
      [30, 222],
      [60, 400],
      [90, 547],
      [180, 997],
    ])
  })

  test('an option is made, gets its servers by keys and by drag, a price, limits, and goes on sale', async () => {
    await at.open('/console/options')
    await button('Make an option').click()
    await dialog().getByLabel('Key').fill('quick')
    for (const [label, text] of [
      ['Title in English', 'Quick'],
      ['Title in Russian', 'Быстро'],
      ['Caption in English', 'Fast ones'],
      ['Caption in Russian', 'Быстрые'],
      ['Description in English', 'Fast servers'],
      ['Description in Russian', 'Быстрые серверы'],
    ] as const)
      await dialog().getByLabel(label).fill(text)
    await dialog().getByLabel('First server').selectOption('2')
    await button('Make it', dialog()).click()
    await page.getByRole('heading', { name: 'Quick', level: 1 }).waitFor()
    const [made] = (await read('/paid-options')).filter((one: { key: string }) => one.key === 'quick')
    expect(made).toMatchObject({ is_active: false, servers: [{ server_id: 2, index: 0 }], tariffs: [] })

    const servers = card('Servers')
    for (const id of ['4', '6', '8']) {
      await servers.getByLabel(/^Add a server/).selectOption(id)
      await button('Add', servers).click()
    }
    const joining = servers.locator('ol.order').last()
    const order = () => joining.locator('li b').allInnerTexts()
    expect(await order()).toEqual(['Server 4, Germany', 'Server 6, Finland', 'Server 8, United States'])
    await button('Move “Server 8, United States” up').click()
    expect(await order()).toEqual(['Server 4, Germany', 'Server 8, United States', 'Server 6, Finland'])
    const grip = joining.locator('li').nth(2).locator('.grip')
    const top = await joining.locator('li').first().boundingBox()
    await grip.scrollIntoViewIfNeeded()
    const from = await grip.boundingBox()
    if (!top || !from) throw new Error('The rows are not there')
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(from.x + from.width / 2, top.y - 20, { steps: 8 })
    await page.mouse.up()
    expect(await order()).toEqual(['Server 6, Finland', 'Server 4, Germany', 'Server 8, United States'])
    await button('Take out: Server 2, Netherlands').click()
    await servers.getByText(/customers lose Server 2, Netherlands/).waitFor()
    expect(await at.viewer.axe()).toEqual([])
    await button('Save servers', servers).click()
    await toast('Saved. Customers’ configurations follow within a minute.')
    expect((await found('/paid-options', made.id)).servers).toEqual([
      { server_id: 6, index: 0 },
      { server_id: 4, index: 1 },
      { server_id: 8, index: 2 },
    ])

    const prices = card('Prices')
    await button('Add a length', prices).click()
    await prices.getByLabel('Length of the new one, days').fill('30')
    await prices.getByLabel(/^Price: 30\sdays, Balance/).fill('150')
    const limits = card('Protocol and limits')
    await limits.getByLabel('Traffic in 30 days, GB').fill('250')
    await button('Save', limits).click()
    await toast(/^Saved\.$/)
    // What was written beside it is still there.
    await button('Save prices', prices).click()
    await toast('The prices are saved')
    await button('Put on sale').click()
    await toast('It is on sale.')
    expect(await found('/paid-options', made.id)).toMatchObject({
      is_active: true,
      problem: null,
      traffic_limit: 250_000_000_000,
      most_traffic: 250_000_000_000,
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 150 }] }],
    })
    await card('As customers see it').getByText('Быстрые серверы').waitFor()
  })

  test('a cloud configuration gets a machine type of a provider, a price, an order, and goes on sale', async () => {
    const clouds = [
      { kind: 'hetzner', title: 'Hetzner, main', token: providerToken },
      { kind: 'manual', title: 'By hand' },
    ]
    for (const cloud of clouds) expect((await service.operator('POST', '/clouds', cloud)).status).toBe(201)
    await at.open('/console/cloud-configurations')
    await button('Make a configuration').click()
    await dialog().getByLabel('Title in English').fill('Might')
    await dialog().getByLabel('Title in Russian').fill('Мощь')
    await dialog().getByLabel('Description in English').fill('2 cores')
    await dialog().getByLabel('Description in Russian').fill('2 ядра')
    await button('Make it', dialog()).click()
    await page.getByRole('heading', { name: 'Might', level: 1 }).waitFor()
    await page.getByText('No machine is offered for it: say below where it comes from.').waitFor()
    const id = Number(new URL(page.url()).searchParams.get('id'))

    const offers = card('Where machines come from')
    await button('Offer a machine', offers).click()
    await dialog().getByLabel('Location').selectOption({ label: 'Germany' })
    await dialog().getByLabel('Cloud').selectOption({ label: 'By hand (by hand)' })
    await button('Take it into the list', dialog()).click()
    await button('Offer a machine', offers).click()
    await dialog().getByLabel('Location').selectOption({ label: 'Germany' })
    await dialog().getByLabel('Cloud').selectOption({ label: 'Hetzner, main (Hetzner)' })
    await dialog().getByLabel('Machine type').selectOption('fsn1/cx23')
    expect(await at.viewer.axe()).toEqual([])
    await button('Take it into the list', dialog()).click()
    await button('Move “Hetzner, main · fsn1 · cx23” up').click()
    await button('Save where machines come from', offers).click()
    await toast('Saved. New machines come from there')
    const stored = await found('/cloud-configurations', id)
    expect(
      stored.offers.map(({ region, machine_type, image }: Record<string, string>) => [
        region,
        machine_type,
        image,
      ]),
    ).toEqual([
      ['fsn1', 'cx23', 'debian-13'],
      ['', '', ''],
    ])

    const prices = card('Prices')
    await button('Add a length', prices).click()
    await prices.getByLabel('Length of the new one, days').fill('30')
    await prices.getByLabel(/^Price: 30\sdays, Balance/).fill('900')
    await button('Save prices', prices).click()
    await toast('The prices are saved')
    await button('Put on sale').click()
    await toast('It is on sale where a machine can be had.')
    expect(await found('/cloud-configurations', id)).toMatchObject({
      is_active: true,
      tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 900 }] }],
    })
    await button('Take off sale').click()
    await toast('It is off sale.')
    expect(await found('/cloud-configurations', id)).toMatchObject({ is_active: false })
  })

  test('pages had nothing to complain about', () => {
    // Browsers tell of refusals by themselves.
    expect(at.viewer.troubles.filter((text) => !/status of (400|409)/.test(text))).toEqual([])
  })
})
