import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** Somebody was quicker: both see what the other wrote, and nothing is lost. */
describeWith(chromium, 'two operators at one customer', () => {
  let service: TestService
  let browser: Browser
  let user: TestUser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    user = await service.createUser({ email: 'anna@example.com' })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const shown = async () => (await service.operator('GET', `/users/${user.id}`)).body.data

  test('who comes later chooses, field by field', async () => {
    const [one, other] = [
      await signInToConsole(browser, service, sight),
      await signInToConsole(browser, service, sight),
    ]
    const path = `/console/customers/${user.id}`
    await one.open(path)
    await other.open(path)
    const save = 'button[type=submit]:has-text("Save")'

    await one.viewer.page.fill('textarea[name=note]', 'Writes in the evening')
    await one.viewer.page.click(save)
    await one.viewer.page.locator('.toasts p').waitFor()

    const { page, troubles } = other.viewer
    await page.fill('textarea[name=note]', 'Asked for a refund')
    await page.check('input[name=noChangeCountry]')
    await page.click(save)
    const notice = page.locator('.notice[role=alert]')
    await notice.waitFor()
    // Only what was changed is asked about, each with what is there now.
    expect(await notice.locator('tbody tr').count()).toBe(2)
    expect(await notice.innerText()).toContain('Writes in the evening')
    expect(await notice.innerText()).toContain('Asked for a refund')
    expect((await shown()).note).toBe('Writes in the evening')

    await notice.locator('tr:has-text("Note") input[value=theirs]').check()
    await notice.locator('button[type=submit]').click()
    await notice.waitFor({ state: 'detached' })
    const now = await shown()
    expect([now.note, now.flags.noChangeCountry]).toEqual(['Writes in the evening', true])
    // A 409 is an answer and no fault; the browser says of it that a resource did not load.
    expect(troubles.filter((trouble) => !trouble.includes('409'))).toEqual([])
  })
})
