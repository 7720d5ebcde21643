import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Role } from '@sallyport/contract/operation'
import { type Browser, chromium as chromiumBrowser, type Locator, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'

/** A folder for pictures of the screens, for those who change how they look. */
const pictures = process.env.SALLYPORT_PICTURES

const asItComes = { order: [], hidden: [], added: [] }
const noTexts = { welcome_ru: null, welcome_en: null, rules_ru: null, rules_en: null, mirrors: [] }
const quiet = { title: null, announce_ru: null, announce_en: null, support_url: null, happ_routing: null }

const circle = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#0b57d0"/></svg>`

/** What a browser says of requests that are to be refused. */
const refused = /status of (400|409)/

/** What apps are told and offered, and how the cabinet looks, changed by operators at the console. */
describeWith(chromium, 'delivery and brand at the console', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
  })
  beforeEach(async () => {
    await service.operator('PUT', '/delivery/apps', asItComes)
    await service.operator('PATCH', '/delivery/settings', quiet)
    await service.operator('PATCH', '/cabinet/settings', { accent: null, ...noTexts })
    await service.operator('DELETE', '/cabinet/logo')
    for (const kind of ['xray', 'mihomo']) await service.operator('DELETE', `/delivery/templates/${kind}`)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const at = (role: Role = 'owner', sight: Partial<Parameters<typeof signInToConsole>[2]> = {}) =>
    signInToConsole(browser, service, { device: 'desktop', theme: 'light', language: 'en', ...sight }, role)
  const end = async ({ viewer }: AtConsole) => {
    expect(viewer.troubles.filter((trouble) => !refused.test(trouble))).toEqual([])
    await viewer.close()
  }
  const dataOf = async (path: string) => (await service.operator('GET', path)).body.data
  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
  const field = (page: Page | Locator, label: string) => page.getByLabel(label, { exact: true })
  const cardOf = (page: Page, title: string) =>
    page.locator('section.card').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const told = (page: Page, text: string) => page.locator('.toasts').getByText(text).first().waitFor()
  const picture = async ({ viewer }: AtConsole, name: string) => {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await viewer.page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true })
  }

  test('what apps are told is changed, and what is wrong stands beside its field', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/delivery')
    const card = cardOf(page, 'What apps and pages say')
    await field(card, 'Announcement in English').fill('New servers in Finland')
    await field(card, 'Where customers get help').fill('http://help.example')
    await button(card, 'Save').click()
    await card.locator('.problem').waitFor()
    const help = field(card, 'Where customers get help')
    expect(await help.getAttribute('aria-invalid')).toBe('true')
    await help.fill('https://help.example/')
    await field(card, 'Routing in Happ').selectOption('switched on')
    await button(card, 'Save').click()
    await told(page, 'Saved.')
    expect(await dataOf('/delivery/settings')).toMatchObject({
      announce_en: 'New servers in Finland',
      support_url: 'https://help.example/',
      happ_routing_enabled: true,
    })
    await field(card, 'Announcement in English').fill('')
    await field(card, 'Routing in Happ').selectOption('the customer decides')
    await button(card, 'Save').click()
    await page.locator('.toasts p').nth(1).waitFor()
    expect(await dataOf('/delivery/settings')).toMatchObject({
      announce_en: null,
      support_url: 'https://help.example/',
      happ_routing_enabled: null,
    })
    await end(visit)
  })

  test('two at once: the same text is compared, and what is no matter here is no matter', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/delivery')
    const card = cardOf(page, 'What apps and pages say')
    await field(card, 'Name of the service').fill('Mine')
    // One version counts apps, too.
    await service.operator('PUT', '/delivery/apps', { ...asItComes, hidden: ['karing'] })
    await button(card, 'Save').click()
    await told(page, 'Saved.')
    expect((await dataOf('/delivery/settings')).title).toBe('Mine')
    await field(card, 'Name of the service').fill('Mine again')
    await field(card, 'Announcement in Russian').fill('Моё')
    await service.operator('PATCH', '/delivery/settings', { title: 'Theirs' })
    await button(card, 'Save').click()
    await card.getByText('Somebody has changed this meanwhile').waitFor()
    await card.getByLabel('Theirs').check()
    await picture(visit, 'delivery-compare')
    await button(card, 'Save with what I chose').click()
    await card.getByText('Somebody has changed this meanwhile').waitFor({ state: 'detached' })
    expect(await dataOf('/delivery/settings')).toMatchObject({ title: 'Theirs', announce_ru: 'Моё' })
    await end(visit)
  })

  test('routing of Happ is JSON, and its problems stand at their lines', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/delivery')
    const card = cardOf(page, 'Routing profile for Happ')
    const text = field(card, 'Profile as JSON')
    await text.fill('{\n  "Name": "Home",\n}')
    await card.getByText('Line 3, column 1:').waitFor()
    await text.fill('{\n  "Name": "Home",\n  "DirectSites": "geosite:private"\n}')
    await button(card, 'Save').click()
    await card.getByText('Line 3, column 3: must be a list of texts').waitFor()
    await picture(visit, 'delivery-routing-problem')
    await text.fill('{"Name": "Home", "DirectSites": ["geosite:private"]}')
    await button(card, 'Save').click()
    await told(page, 'Saved.')
    const routing = { Name: 'Home', DirectSites: ['geosite:private'] }
    expect((await dataOf('/delivery/settings')).happ_routing).toEqual(routing)
    await text.fill('')
    await service.operator('PATCH', '/delivery/settings', { happ_routing: { Name: 'Other' } })
    await button(card, 'Save').click()
    await card.getByText('"Name": "Other"').waitFor()
    await button(card, 'Save mine instead').click()
    await card.getByText('"Name": "Other"').waitFor({ state: 'detached' })
    expect((await dataOf('/delivery/settings')).happ_routing).toBe(null)
    await end(visit)
  })

  test('a template in JSON is changed, and put back as it was', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/delivery')
    await page.getByRole('link', { name: 'Xray', exact: true }).click()
    await page.getByRole('heading', { name: 'Template: Xray' }).waitFor()
    const text = field(page, 'Template')
    const usual = await text.inputValue()
    await text.fill('{\n  "log": {},\n  "outbounds": 5\n}')
    await button(page, 'Save').click()
    await page.getByText(/^Line 3, column 3: outbounds/).waitFor()
    await picture(visit, 'template-problem')
    expect((await dataOf('/delivery/templates/xray')).is_own).toBe(false)
    await text.fill(usual.replace('"warning"', '"error"'))
    await button(page, 'Save').click()
    await page.locator('.head .badge', { hasText: 'yours' }).waitFor()
    const own = await dataOf('/delivery/templates/xray')
    expect([own.is_own, own.template]).toEqual([true, usual.replace('"warning"', '"error"')])
    await button(page, 'Back to the usual one').click()
    const dialog = page.locator('dialog[open]')
    await dialog.getByText('copy it first').waitFor()
    await button(dialog, 'Back to the usual one').click()
    await page.locator('.head .badge', { hasText: 'the usual one' }).waitFor()
    expect((await dataOf('/delivery/templates/xray')).is_own).toBe(false)
    expect(await text.inputValue()).toBe(usual)
    await end(visit)
  })

  test('a template in YAML, and somebody who was quicker', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/delivery?template=mihomo')
    const text = field(page, 'Template')
    const usual = await text.inputValue()
    await text.fill('mode: rule\nproxy-groups:\n  - name: A\n    type: select\n    proxies: [DIRECT]\n')
    await button(page, 'Save').click()
    await page.getByText('Line 2, column 1: proxy-groups').waitFor()
    await picture(visit, 'yaml-problem')
    await text.fill(`${usual}# mine\n`)
    await service.operator('PUT', '/delivery/templates/mihomo', { template: `${usual}# theirs\n` })
    await button(page, 'Save').click()
    await page.getByRole('region', { name: 'As it is now' }).getByText('# theirs').waitFor()
    await picture(visit, 'yaml-collision')
    expect(await text.inputValue()).toContain('# mine')
    await button(page, 'Save mine instead').click()
    await told(page, 'Saved.')
    expect((await dataOf('/delivery/templates/mihomo')).template).toBe(`${usual}# mine\n`)
    await service.operator('PUT', '/delivery/templates/mihomo', { template: `${usual}# newer\n` })
    await button(page, 'Save').click()
    await button(page, 'Take this one, drop mine').click()
    await page.locator('.notice').waitFor({ state: 'detached' })
    expect(await text.inputValue()).toBe(`${usual}# newer\n`)
    await end(visit)
  })

  const namesIn = (page: Page) => cardOf(page, 'Order').locator('ol.order li .what b').allTextContents()
  const seen = (page: Page) => cardOf(page, 'What customers see').locator('.offered b').allTextContents()

  test('apps are dragged, moved by keys and hidden, and the preview follows', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/apps?platform=android')
    const usual = await namesIn(page)
    expect(usual.slice(0, 3)).toEqual(['Happ', 'INCY', 'v2RayTun'])
    expect(await seen(page)).toEqual(usual)
    const grip = page.getByRole('button', { name: /^Move “Happ”: drag/ })
    const third = page.locator('ol.order li').nth(2)
    const [from, to] = [await grip.boundingBox(), await third.boundingBox()]
    if (!from || !to) throw new Error('nothing to drag')
    await page.mouse.move(from.x + 10, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 10, to.y + to.height - 4, { steps: 8 })
    await page.mouse.up()
    expect((await namesIn(page)).slice(0, 3)).toEqual(['INCY', 'v2RayTun', 'Happ'])
    await button(page, 'Move “v2RayTun” up').click()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('button', { name: /^Move “v2RayTun”: drag/ }).press('ArrowDown')
    await button(page, 'Move “v2RayTun” up').click()
    await button(page, 'Hide INCY').click()
    expect((await namesIn(page)).slice(0, 3)).toEqual(['v2RayTun', 'INCY', 'Happ'])
    expect((await seen(page)).slice(0, 2)).toEqual(['v2RayTun', 'Happ'])
    await page.getByText('not saved: customers see it as it was').waitFor()
    expect(await dataOf('/delivery/apps')).toMatchObject(asItComes)
    await picture(visit, 'apps-moved')
    await button(page, 'Save').click()
    await told(page, 'Saved')
    expect(await dataOf('/delivery/apps')).toMatchObject({ order: ['v2raytun', 'incy'], hidden: ['incy'] })
    await button(page, 'As in the catalogue').click()
    await button(page, 'Save').click()
    await page.getByText('this is what customers see').waitFor()
    expect(await dataOf('/delivery/apps')).toMatchObject(asItComes)
    await end(visit)
  })

  test('what is offered depends on what a customer has', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/apps?platform=android')
    const preview = cardOf(page, 'What customers see')
    await field(preview, 'The customer has').selectOption('AmneziaWG')
    expect(await seen(page)).not.toContain('Happ')
    expect(await seen(page)).toContain('AmneziaWG')
    await field(preview, 'The customer has').selectOption('VLESS')
    await preview.getByRole('switch').check()
    expect(await seen(page)).toEqual(['Happ', 'INCY', 'v2RayTun', 'Karing', 'FlClashX'])
    await preview.getByText('In the cabinet: Happ').waitFor()
    await end(visit)
  })

  test('two who arrange at once lose nothing', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/apps')
    await button(page, 'Hide Karing').click()
    await service.operator('PUT', '/delivery/apps', { ...asItComes, order: ['stash'] })
    await button(page, 'Save').click()
    const notice = page.locator('.notice').filter({ hasText: 'Somebody has arranged' })
    await notice.getByText('As it is now').waitFor()
    expect(await notice.locator('ol').first().locator('li').first().textContent()).toContain('Stash')
    await picture(visit, 'apps-collision')
    await button(notice, 'Save mine instead').click()
    await notice.waitFor({ state: 'detached' })
    expect(await dataOf('/delivery/apps')).toMatchObject({ order: [], hidden: ['karing'] })
    await end(visit)
  })

  test('an app of one’s own is added, corrected where it is wrong, changed and removed', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/apps')
    await button(page, 'Add an app…').click()
    const dialog = page.locator('dialog[open]')
    await field(dialog, 'Name').fill('Our VPN')
    await field(dialog, 'Short name').fill('our-vpn')
    await field(dialog, 'Link that adds a subscription').fill('javascript://{url}')
    await dialog.getByLabel('Android', { exact: true }).first().check()
    await field(dialog, 'VLESS').check()
    await field(dialog, 'Its name').fill('Google Play')
    await field(dialog, 'Address of the app there').fill('https://play.example/our')
    await dialog.getByRole('group', { name: 'Store 1' }).getByLabel('Android').check()
    await picture(visit, 'own-app')
    await button(dialog, 'Save the app').click()
    await dialog.getByText('belongs to browsers, not to an app').waitFor()
    await field(dialog, 'Link that adds a subscription').fill('ourvpn://import/{encodedUrl}')
    await button(dialog, 'Save the app').click()
    await told(page, 'Saved')
    const [added] = (await dataOf('/delivery/apps')).added
    expect(added).toMatchObject({
      id: 'our-vpn',
      platforms: ['android'],
      stores: [{ name: 'Google Play', platforms: ['android'] }],
      import_template: 'ourvpn://import/{encodedUrl}',
      protocols: ['vless'],
    })
    expect((await namesIn(page))[0]).toBe('Our VPN')
    await button(page, 'Change Our VPN').click()
    await field(page.locator('dialog[open]'), 'Name').fill('Our own VPN')
    await button(page.locator('dialog[open]'), 'Save the app').click()
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    expect((await dataOf('/delivery/apps')).added[0]).toEqual({ ...added, name: 'Our own VPN' })
    await button(page, 'Remove…').click()
    await page.locator('dialog[open]').getByText('no longer find it here').waitFor()
    await button(page.locator('dialog[open]'), 'Remove…').click()
    await page.locator('dialog[open]').waitFor({ state: 'detached' })
    expect(await dataOf('/delivery/apps')).toMatchObject(asItComes)
    await end(visit)
  })

  test('a colour that cannot be read is refused with the nearest that can', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/brand')
    const card = cardOf(page, 'Colour')
    const colourOf = () =>
      page.evaluate<string>(
        "getComputedStyle(document.querySelector('.sight.light .button')).backgroundColor",
      )
    await field(card, 'Colour of links and buttons').fill('#ffd400')
    await card.getByText('Contrast 1.28 to 1').waitFor()
    expect(await button(card, 'Save the colour').isDisabled()).toBe(true)
    await picture(visit, 'brand-pale')
    await button(card, 'Take #846d00').click()
    await card.getByText(/Contrast 4\.5\d to 1 on light pages/).waitFor()
    expect(await colourOf()).toBe('rgb(132, 109, 0)')
    await button(card, 'Save the colour').click()
    await told(page, 'Saved')
    expect((await dataOf('/cabinet/settings')).accent).toBe('#846d00')
    await field(card, 'Choose the colour by eye').fill('#0b57d0')
    await service.operator('PATCH', '/cabinet/settings', { accent: '#7a1fa2' })
    await button(card, 'Save the colour').click()
    await card.getByText('It is #7a1fa2 now').waitFor()
    await button(card, 'Save mine instead').click()
    await card.getByText('It is #7a1fa2 now').waitFor({ state: 'detached' })
    expect((await dataOf('/cabinet/settings')).accent).toBe('#0b57d0')
    await end(visit)
  })

  test('texts and mirrors are kept apart from the colour', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/brand')
    const card = cardOf(page, 'Texts and addresses')
    await field(card, 'Welcome in English').fill('<b>Good to see you</b>')
    await field(card, 'Rules in Russian').fill('Не рассылайте спам.\n\nНе передавайте доступ.')
    await field(card, 'Mirrors').fill('https://a.example\nhttps://b.example/path')
    // The colour is saved meanwhile, and nothing that was written goes.
    await field(page, 'Colour of links and buttons').fill('#00506b')
    await button(page, 'Save the colour').click()
    await told(page, 'Saved')
    await button(card, 'Save').click()
    await card.getByText('https://b.example/path must be written as https://b.example').waitFor()
    await field(card, 'Mirrors').fill('https://a.example\nhttps://b.example')
    await card.getByRole('checkbox').check()
    await button(card, 'Save').click()
    await told(page, 'Saved.')
    expect(await dataOf('/cabinet/settings')).toMatchObject({
      accent: '#00506b',
      welcome_en: '<b>Good to see you</b>',
      rules_ru: 'Не рассылайте спам.\n\nНе передавайте доступ.',
      mirrors: ['https://a.example', 'https://b.example'],
      closes_connections: true,
    })
    await end(visit)
  })

  test('a logo is put up, refused where it does more than draw, and removed', async () => {
    const visit = await at()
    const { page } = visit.viewer
    await visit.open('/console/brand')
    const card = cardOf(page, 'Logo')
    const file = (name: string, mimeType: string, text: string) =>
      field(card, 'Picture').setInputFiles({ name, mimeType, buffer: Buffer.from(text) })
    await file('large.png', 'image/png', 'x'.repeat(20_000))
    await button(card, 'Put it up').click()
    await card.getByText('This is 20 KB, and 8 are the most').waitFor()
    await file('evil.svg', 'image/svg+xml', circle.replace('<circle', '<script>1</script><circle'))
    await button(card, 'Put it up').click()
    await card.getByText('must not have <script>').waitFor()
    await file('logo.svg', 'image/svg+xml', circle)
    await button(card, 'Put it up').click()
    await card.getByAltText('The logo on a dark page').waitFor()
    expect((await dataOf('/cabinet/logo')).image).toBe(Buffer.from(circle).toString('base64'))
    await page.locator('.sight img').first().waitFor()
    await picture(visit, 'brand-logo')
    await button(card, 'Remove the logo').click()
    await page.locator('dialog[open]').getByText('The picture is not kept').waitFor()
    await button(page.locator('dialog[open]'), 'Remove the logo').click()
    await card.getByText('customers see the name alone').waitFor()
    expect((await dataOf('/cabinet/logo')).type).toBe(null)
    await end(visit)
  })

  test('who may only look sees no button that changes', async () => {
    const visit = await at('support')
    const { page } = visit.viewer
    for (const path of [
      '/console/delivery',
      '/console/delivery?template=xray',
      '/console/apps',
      '/console/brand',
    ]) {
      await visit.open(path)
      await page.locator('main .card, main .raw').first().waitFor()
      const names = await page.locator('main button:visible').allTextContents()
      expect(
        names.filter((name) => /save|put|remove|add|hide|usual|↑/i.test(name)),
        path,
      ).toEqual([])
      expect(await page.locator('main textarea').count(), path).toBe(0)
      expect(await visit.viewer.axe(), path).toEqual([])
    }
    await end(visit)
  })

  test('all of it is for everybody: problems, dialogs and collisions too', async () => {
    const visit = await at('owner', { device: 'narrow', theme: 'dark', language: 'ru' })
    const { page } = visit.viewer
    await visit.open('/console/brand')
    await field(page, 'Цвет ссылок и кнопок').fill('#ffd400')
    await page.getByText('Контраст 1,28 к 1').waitFor()
    expect(await visit.viewer.axe()).toEqual([])
    expect(await visit.viewer.overflow()).toEqual([])
    await picture(visit, 'brand-pale-narrow')
    await visit.open('/console/apps')
    await button(page, 'Добавить приложение…').click()
    await page.locator('dialog[open] form').waitFor()
    expect(await visit.viewer.axe()).toEqual([])
    await picture(visit, 'own-app-narrow')
    await page.keyboard.press('Escape')
    await button(page, 'Скрыть Happ').click()
    await service.operator('PUT', '/delivery/apps', { ...asItComes, order: ['stash'] })
    await button(page, 'Сохранить').click()
    await page.getByText('Ничего не потеряно').waitFor()
    expect(await visit.viewer.axe()).toEqual([])
    expect(await visit.viewer.overflow()).toEqual([])
    await picture(visit, 'apps-collision-narrow')
    await visit.open('/console/delivery?template=mihomo')
    await field(page, 'Шаблон').fill('- one')
    await button(page, 'Сохранить').click()
    await page.locator('.field .bad').first().waitFor()
    expect(await visit.viewer.axe()).toEqual([])
    expect(await visit.viewer.overflow()).toEqual([])
    await picture(visit, 'yaml-problem-narrow')
    await end(visit)
  })
})
