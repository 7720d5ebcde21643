import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { raiseAlert } from '../../apps/server/core/kernel/alerts.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** Alerts are shared work: who deals with what is seen by everybody. */
describeWith(chromium, 'alerts in the console', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    for (const subject of ['payment:1', 'payment:2'])
      await raiseAlert(service.db, { kind: 'wrong_amount', subject, details: {}, now: service.clock.now() })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  test('are taken, taken over, and put right with a word about how', async () => {
    const support = await signInToConsole(browser, service, sight, 'support')
    const { page } = support.viewer
    await support.open('/console/alerts')
    await page.getByRole('button', { name: 'Take alert 1' }).click()
    await page.getByRole('button', { name: 'Give alert 1 back' }).waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('mine')
    await page.getByRole('button', { name: 'Resolved: alert 2' }).waitFor({ state: 'detached' })
    await page.getByLabel('State', { exact: true }).selectOption('free')
    await page.getByRole('button', { name: 'Resolved: alert 1' }).waitFor({ state: 'detached' })

    const owner = await signInToConsole(browser, service, sight)
    await owner.open('/console/alerts')
    const other = owner.viewer.page
    const row = other.getByRole('row').filter({ has: other.getByRole('button', { name: 'Take alert 1' }) })
    expect(await row.innerText()).toContain('The support')
    await other.getByRole('button', { name: 'Take alert 1' }).click()
    await other.getByRole('button', { name: 'Give alert 1 back' }).waitFor()
    await other.getByRole('button', { name: 'Resolved: alert 1' }).click()
    await other.getByLabel('How it was put right').fill('Refunded by hand')
    await other.getByRole('button', { name: 'Resolved', exact: true }).last().click()
    await other.getByText('The alert is closed.').waitFor()
    await other.getByRole('button', { name: 'Resolved: alert 1' }).waitFor({ state: 'detached' })
    const { body } = await service.operator('GET', '/audit?action=resolveAlert')
    expect(body.data[0].details).toMatchObject({ comment: 'Refunded by hand' })
    expect([...support.viewer.troubles, ...owner.viewer.troubles]).toEqual([])
  })
})
