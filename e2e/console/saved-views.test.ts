import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { rich } from '../../test/support/owners/customers.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** Filters are the address, and can be kept under a name. */
describeWith(chromium, 'views of lists', () => {
  let service: TestService
  let browser: Browser

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    await service.heartbeat()
    await service.buy(await service.createUser(rich))
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Somebody has something, or there is nothing to be sorted. */
  const enter = async (role: 'owner' | 'support' | 'technician') => {
    const at = await signInToConsole(browser, service, sight, role)
    const { page } = at.viewer
    const views = page.getByRole('navigation', { name: 'Saved views' })
    const save = async (title: string, isShared: boolean) => {
      await views.getByRole('button', { name: 'Save this view' }).click()
      await page.getByLabel('Name', { exact: true }).fill(title)
      if (isShared) await page.getByLabel('For everybody').check()
      await page.getByRole('button', { name: 'Save', exact: true }).click()
    }
    return { ...at, page, views, save }
  }

  test('are saved, found by others, changed, deleted, and brought back', async () => {
    const support = await enter('support')
    await support.open('/console/customers')
    expect(await support.views.count()).toBe(0)
    const view = support.page.getByLabel('View', { exact: true })
    await view.selectOption('active')
    await support.page.getByRole('button', { name: /Next end/ }).click()
    // Not everybody has an end: the order is asked for where it means something.
    await view.selectOption('blocked')
    await support.page.getByText('No customer is so.').waitFor()
    await view.selectOption('ending')
    await support.save('Ending soon', true)
    await support.page.getByText('The view is saved').waitFor()
    const address = new URL(support.page.url())
    expect(address.search).toBe('?view=ending&sort=-next_end')
    const saved = support.views.getByRole('link', { name: /Ending soon/ })
    expect(await saved.getAttribute('aria-current')).toBe('page')

    const owner = await enter('owner')
    await owner.open('/console/customers')
    const found = owner.views.getByRole('link', { name: /Ending soon/ })
    await found.click()
    await owner.page.waitForURL(/view=ending/)
    expect(await owner.page.getByLabel('View', { exact: true }).inputValue()).toBe('ending')
    // Written in another order it is the same view.
    await owner.open('/console/customers?sort=-next_end&view=ending')
    expect(await found.getAttribute('aria-current')).toBe('page')

    await owner.views.getByRole('button', { name: 'Change this view' }).click()
    await owner.page.getByLabel('Name', { exact: true }).fill('To be written to')
    await owner.page.getByRole('button', { name: 'Save', exact: true }).click()
    await owner.views.getByRole('link', { name: /To be written to/ }).waitFor()

    await owner.views.getByRole('button', { name: 'Change this view' }).click()
    await owner.page.getByRole('button', { name: 'Delete the view' }).click()
    await owner.page.getByText('The view is deleted.').waitFor()
    await owner.views.getByRole('link').waitFor({ state: 'detached' })
    const toast = owner.page.getByRole('paragraph').filter({ hasText: 'The view is deleted.' })
    await toast.getByRole('button', { name: 'Undo' }).click()
    await owner.views.getByRole('link', { name: /To be written to/ }).waitFor()
    expect([...support.viewer.troubles, ...owner.viewer.troubles]).toEqual([])
  })

  test('are one’s own unless they are shared, and of pages that one sees', async () => {
    const one = await enter('support')
    await one.open('/console/orders?state=fulfilled')
    await one.save('Done', false)
    await one.views.getByRole('link', { name: 'Done' }).waitFor()
    await one.open('/console/orders?state=paid')
    await one.save('Done', false)
    await one.page.getByText('is the name of another view of this page already').waitFor()

    const other = await enter('support')
    await other.open('/console/orders?state=fulfilled')
    await other.views.getByRole('button', { name: 'Save this view' }).waitFor()
    expect(await other.views.getByRole('link').count()).toBe(0)

    const technician = await enter('technician')
    await technician.open('/console/nodes')
    expect(await technician.views.count()).toBe(0)
    expect(other.viewer.troubles).toEqual([])
  })
})
