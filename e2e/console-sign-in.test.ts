import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../test/support/pieces.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { addAuthenticator, browserArgs } from './support/browser.ts'
import { type Sight, Viewer } from './support/viewer.ts'

/** A folder for pictures of the page, for those who change how it looks. */
const pictures = process.env.SALLYPORT_PICTURES

const desktop: Sight = { device: 'desktop', theme: 'light', language: 'en' }

/** The page that links of operators lead to, as they meet it. */
describeWith(chromium, 'signing in as an operator in a browser', () => {
  let service: TestService
  let browser: Browser
  const viewers: Viewer[] = []

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const newOperator = async (name = 'Olga'): Promise<{ id: number; sign_in_link: string }> =>
    (await service.operator('POST', '/operators', { name, role: 'owner' })).body.data

  const localhost = () => service.running.url.replace('127.0.0.1', 'localhost')

  const viewerAs = async (sight: Sight = desktop) => {
    const viewer = await Viewer.open(browser, sight, new URL(localhost()).host)
    viewers.push(viewer)
    await viewer.page.clock.install({ time: service.clock.now() * 1000 })
    return viewer
  }

  const visible = (page: Page, selector: string) => page.locator(selector).waitFor({ state: 'visible' })
  const says = (page: Page) => page.locator('#say').innerText()
  const picture = async (page: Page, name: string) => {
    if (!pictures) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `console-${name}.png`) })
  }

  /** What a page of the console would ask for. */
  const asks = (page: Page, path: string, body?: object): Promise<number> =>
    page.evaluate(`fetch('/operator/v1${path}', { method: '${body ? 'POST' : 'GET'}',
      headers: { 'X-Sallyport-Console': '1', 'Idempotency-Key': crypto.randomUUID(), ${body ? "'Content-Type': 'application/json'" : ''} },
      ${body ? `body: ${JSON.stringify(JSON.stringify(body))}` : ''} }).then(({ status }) => status)`)

  test('by the link, then with a passkey; what needs a proof asks for one', async () => {
    const { sign_in_link: link } = await newOperator()
    const { page, troubles } = await viewerAs()
    await addAuthenticator(page)
    await page.goto(link)
    await visible(page, '#enter')
    // At a name that passkeys know, and without the secret.
    expect(page.url()).toBe(`${localhost()}/console/sign-in`)
    await picture(page, 'link')
    await page.click('#enter')
    await visible(page, '#me')
    expect(await page.locator('#name').innerText()).toBe('Olga')
    expect(await page.locator('#role').innerText()).toBe('owner')
    expect(await page.locator('#prove').isVisible()).toBe(false)
    expect(await asks(page, '/operators', { name: 'Early', role: 'support' })).toBe(403)

    await page.click('#add')
    await visible(page, '#prove')
    expect(await says(page)).toContain('The passkey is added')
    expect(await page.locator('#passkeys').innerText()).toBe('Passkey 1')
    expect(await page.locator('#proof').innerText()).toMatch(/^until /)
    expect(await asks(page, '/operators', { name: 'New', role: 'support' })).toBe(201)
    await picture(page, 'me')

    await page.click('#out')
    await visible(page, '#sign')
    expect(await says(page)).toBe('You are signed out.')
    expect(await asks(page, '/me')).toBe(401)

    await page.click('#sign')
    await visible(page, '#me')
    expect(await asks(page, '/operators', { name: 'Next', role: 'support' })).toBe(201)

    service.clock.advance(301)
    await page.clock.runFor(301_000)
    expect(await page.locator('#proof').innerText()).toBe('not in the last five minutes')
    expect(await asks(page, '/operators', { name: 'Late', role: 'support' })).toBe(403)
    await page.click('#add')
    await expect.poll(() => says(page)).toBe('First confirm with a passkey that it is you.')
    await page.click('#prove')
    await expect.poll(() => says(page)).toBe('Confirmed for five minutes.')
    expect(await asks(page, '/operators', { name: 'Late', role: 'support' })).toBe(201)
    await page.click('#add')
    await expect.poll(() => says(page)).toBe('This device has a passkey of yours already.')
    await picture(page, 'refused')

    await page.reload()
    await visible(page, '#me')
    // The link itself names the address.
    const expected = /status of (401|403)|^asked 127\.0\.0\.1/
    expect(troubles.filter((trouble) => !expected.test(trouble))).toEqual([])
  })

  test('a link is used by whoever presses, and by nobody who only looks', async () => {
    const { sign_in_link: link } = await newOperator()
    const scanner = await viewerAs()
    await scanner.look(link)
    await visible(scanner.page, '#enter')
    await scanner.close()

    const { page } = await viewerAs({ ...desktop, language: 'ru' })
    await page.goto(link)
    await visible(page, '#enter')
    // The other language keeps the secret.
    await page.click('#lang')
    await page.waitForURL(/lang=en$/)
    await page.getByText('Sign in by the link').click()
    await visible(page, '#me')

    const late = await viewerAs()
    await late.page.goto(link)
    await late.page.click('#enter')
    await visible(late.page, '#sign')
    expect(await says(late.page)).toContain('Ask an owner for a new one:')
    expect(await says(late.page)).toContain('sallyport operator sign-in-link')
    await picture(late.page, 'used')
  })

  test('whoever has nothing is told what to do, where there are no passkeys as well', async () => {
    const { page } = await viewerAs()
    await page.goto(`${localhost()}/console/sign-in`)
    await visible(page, '#sign')
    await addAuthenticator(page)
    await page.click('#sign')
    await expect.poll(() => says(page)).toContain('The passkey did not answer')

    const old = await viewerAs()
    await old.page.addInitScript('delete window.PublicKeyCredential')
    await old.page.goto(`${localhost()}/console/sign-in`)
    await expect.poll(() => says(old.page)).toContain('This browser has no passkeys')
    expect(await old.page.locator('#sign').isVisible()).toBe(false)
  })

  test.each<Sight>([
    { device: 'phone', theme: 'light', language: 'ru' },
    { device: 'phone', theme: 'dark', language: 'ru' },
    { device: 'desktop', theme: 'dark', language: 'en' },
  ])('fits and can be read: $device, $theme, $language', async (sight) => {
    const { sign_in_link: link } = await newOperator('Константин Константинопольский-Александрийский')
    const viewer = await viewerAs(sight)
    const { page } = viewer
    const fine = async (name: string) => {
      await picture(page, `${name}-${sight.device}-${sight.theme}`)
      expect([...(await viewer.overflow()), ...(await viewer.axe())]).toEqual([])
    }
    await page.goto(`${localhost()}/console/sign-in`)
    await visible(page, '#sign')
    await fine('key')
    await addAuthenticator(page)
    await page.goto(link)
    await page.click('#enter')
    await visible(page, '#me')
    await fine('link-me')
    await page.click('#add')
    await visible(page, '#prove')
    await fine('me')
  })

  test('one small answer that asks nobody else and is kept nowhere', async () => {
    for (const language of ['en', 'ru']) {
      const answer = await fetch(`${service.running.url}/console/sign-in`, {
        headers: { 'accept-language': language },
      })
      expect(answer.status).toBe(200)
      expect(Number(answer.headers.get('content-length'))).toBeLessThan(10_000)
      expect(await answer.text()).toContain(`<html lang="${language}">`)
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; connect-src 'self'/,
        ),
      })
    }
  })
})
