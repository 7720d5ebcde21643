import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { codeTo } from '../../test/support/people/mailbox.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { fetchAsApp, heading, launchBrowser, termsOf } from '../support/cabinet/person.ts'
import { settled, signInBrowser } from '../support/cabinet/visit.ts'

const sizes = [
  ['desktop', { width: 1280, height: 800 }],
  ['phone', { width: 390, height: 700 }],
] as const

interface Focused {
  /** What it is called; empty where nothing has the focus. */
  readonly name: string
  readonly isVisible: boolean
  readonly isCovered: boolean
}

/** What has the focus, whether that is seen, and whether something lies over it. */
const focused = (page: Page): Promise<Focused> =>
  page.evaluate(`(() => {
    const element = document.activeElement
    if (!element || element === document.body) return { name: '', isVisible: false, isCovered: false }
    const label = element.labels?.[0] ?? element.closest('label')
    const name = element.getAttribute('aria-label') ?? label?.innerText ?? element.innerText ?? ''
    const isMarked = (one) => {
      const style = getComputedStyle(one)
      return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
    }
    const box = (label?.contains(element) ? label : element).getBoundingClientRect()
    const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    const isOwn = at && (element.contains(at) || at.contains(element) || label?.contains(at))
    return {
      name: element.id === 'main' ? 'main' : name.replace(/\\s+/g, ' ').trim(),
      isVisible: element.id === 'main' || [element, label].some((one) => one && isMarked(one)),
      isCovered: !isOwn,
    }
  })()`)

/** Nobody here has a mouse. */
describeWith(chromium, 'the cabinet by keyboard', () => {
  let service: TestService
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const open = async (viewport: { width: number; height: number }): Promise<void> => {
    const context = await browser.newContext({ locale: 'en', viewport })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(20_000)
    page = await context.newPage()
  }
  const press = (key: string) => page.keyboard.press(key)

  /** Tab by Tab until something of that name has the focus; whatever has it on the way must be seen. */
  const tabTo = async (name: RegExp): Promise<void> => {
    const passed: string[] = []
    for (let presses = 0; presses < 80; presses++) {
      await press('Tab')
      const now = await focused(page)
      passed.push(now.name)
      expect(now, passed.join(' > ')).toMatchObject({ isVisible: true, isCovered: false })
      if (name.test(now.name)) return
    }
    throw new Error(`Nothing called ${name} among ${passed.join(' > ')}`)
  }
  /** Within a group of radio buttons, which keeps the focus while it is chosen from. */
  const arrowTo = async (name: RegExp): Promise<void> => {
    const passed: string[] = []
    for (let presses = 0; presses < 30; presses++) {
      const now = await focused(page)
      passed.push(now.name)
      expect(now, passed.join(' > ')).toMatchObject({ isVisible: true })
      if (name.test(now.name)) return
      await press('ArrowDown')
    }
    throw new Error(`Nothing called ${name} among ${passed.join(' > ')}`)
  }
  /** The next screen has the focus at its beginning. */
  const arrived = async (title: string): Promise<void> => {
    await heading(page, title)
    await settled(page)
    await expect.poll(async () => (await focused(page)).name).toBe('main')
  }

  test.each(sizes)('from signing in to paid: %s', async (name, size) => {
    const email = `${name}@example.com`
    await open(size)
    await page.goto(service.running.url)
    await heading(page, 'Sign in or sign up')
    await tabTo(/^Email$/)
    await page.keyboard.type(email)
    await press('Enter')
    await expect.poll(async () => (await focused(page)).name).toMatch(/^Code from the email/)
    await page.keyboard.type(codeTo(service, email))
    await arrived('Shop')
    await tabTo(/^Choose: VPN in one country/)
    await press('Enter')
    await arrived('VPN in one country')

    await tabTo(/Netherlands/)
    await arrowTo(/Germany/)
    await tabTo(/month/)
    await arrowTo(/^3.months/)
    await tabTo(/SBP|Balance/)
    await arrowTo(/SBP/)
    await tabTo(/^Pay /)
    await press('Enter')
    await page.waitForURL(/\/pay\//)
    await tabTo(/^Pay$/)
    await press('Enter')
    await page.getByText('The service is being told').waitFor()
    await tabTo(/^Back to the site$/)
    await press('Enter')
    await page.getByText('All done. Now connect your device.').waitFor()
    expect(await termsOf(service, email)).toHaveLength(1)
    await tabTo(/^Connect a device$/)
    await press('Enter')
    await arrived('Connect this device')
  })

  test('a dialog gives the focus back to where it was opened', async () => {
    await open(sizes[0][1])
    const user = await service.createUser({ email: 'dialog@example.com' })
    await signInBrowser(page.context(), service, user)
    await fetchAsApp(`${service.running.url}/sub/${user.subscription_key}`)
    await page.goto(`${service.running.url}/devices`)
    await heading(page, 'Devices')
    await settled(page)
    await tabTo(/^Actions for/)
    await press('Enter')
    await tabTo(/^Remove$/)
    await press('Enter')
    await page.getByRole('dialog').waitFor()
    const inside = 'document.activeElement.closest("dialog") !== null'
    await expect.poll(() => page.evaluate(inside)).toBe(true)
    // It holds the focus while it is open.
    for (let presses = 0; presses < 6; presses++) await press('Tab')
    expect(await page.evaluate(`document.activeElement === document.body || ${inside}`)).toBe(true)
    await press('Escape')
    await expect.poll(async () => (await focused(page)).name).toMatch(/^Actions for/)
  })
})
