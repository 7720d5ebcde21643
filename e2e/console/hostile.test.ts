import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { signInToConsole } from '../support/console/signed-in.ts'

/** As short as names may be, and one that would run in each place where text becomes markup. */
const hostile = '<img src=x onerror=document.title=1>'
const device = '"><script>document.title=1</script>'

/** What customers write is text wherever an operator reads it. */
describeWith(chromium, 'texts of customers in the console', () => {
  let service: TestService
  let browser: Browser
  let user: TestUser

  const does = async (method: string, path: string, body?: object) => {
    const answer = await service.customer(user, method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    user = await service.createUser({ email: 'anna@example.com', balance: 5000, referral_balance: 5000 })
    const config = await service.buy(user)
    await does('PATCH', `/configs/title/${config.id}`, { title: hostile })
    await does('POST', '/profile/custom-subscriptions', {
      title: hostile,
      items: [{ item_type: 'user_config', item_reference_id: config.id }],
    })
    await service.call('GET', `/sub/${user.subscription_key}`, {
      headers: {
        'user-agent': `${device}/1.0`,
        'x-hwid': 'phone-0123456789',
        'x-device-os': device,
        'x-ver-os': device,
        'x-device-model': device,
      },
    })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('stand there as they were written, and do nothing', async () => {
    const at = await signInToConsole(browser, service, { device: 'desktop', theme: 'light', language: 'en' })
    const { page, troubles } = at.viewer
    await at.open(`/console/customers/${user.id}`)
    const text = await page.locator('main').innerText()
    expect(text).toContain(hostile)
    expect(await page.locator('main img, main script').count()).toBe(0)
    for (const path of [
      '/console/customers',
      '/console/orders',
      '/console/audit',
      `/console/search?for=${encodeURIComponent(hostile)}`,
      `/console/customers?search=${encodeURIComponent(device)}`,
    ]) {
      await at.open(path)
      expect(await page.locator('main img, main script').count(), path).toBe(0)
      expect(await page.title(), path).not.toBe('1')
    }
    expect(troubles).toEqual([])
  })
})
