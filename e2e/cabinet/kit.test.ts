import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chromiumPath } from '../../test/support/pieces.ts'
import { browserArgs } from '../support/browser.ts'
import { judgeColours } from '../support/judge.ts'
import { serveSpecimen } from '../support/specimen.ts'
import { type Sight, Viewer } from '../support/viewer.ts'

/** Every part of the kit on one page, looked at as people do. */

let browser: Browser
let specimen: Awaited<ReturnType<typeof serveSpecimen>>

beforeAll(async () => {
  specimen = await serveSpecimen()
  browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
})
afterAll(async () => {
  await browser?.close()
  specimen?.close()
})

const look = async (sight: Sight): Promise<Viewer> => {
  const viewer = await Viewer.open(browser, sight, new URL(specimen.url).host)
  await viewer.look(`${specimen.url}/${sight.language}/`)
  await viewer.page.getByRole('heading', { level: 1 }).waitFor()
  return viewer
}

const sights = (['ru', 'en'] as const).flatMap((language) =>
  (['phone', 'desktop'] as const).map((device): Sight => ({ language, theme: 'light', device })),
)

describe.runIf(chromiumPath())('the kit', () => {
  test.each(sights)('is fit for everybody, light and dark: $language, $device', async (sight) => {
    const viewer = await look(sight)
    await viewer.openEverything()
    expect(await viewer.axe()).toEqual([])
    expect(await judgeColours(viewer, sight.theme)).toEqual([])
    expect(await viewer.overflow()).toEqual([])
    expect(await viewer.smallTargets(24)).toEqual([])
    await viewer.page.locator('main > section:last-of-type button').first().click()
    expect(await viewer.axe()).toEqual([])
    expect(await judgeColours(viewer, sight.theme)).toEqual([])
    expect(viewer.troubles).toEqual([])
    await viewer.close()
  })

  test('a dialog holds the focus, closes by Escape and gives the focus back', async () => {
    const viewer = await look({ language: 'en', theme: 'light', device: 'desktop' })
    const { page } = viewer
    const opener = page.getByRole('button', { name: 'Open the dialog' })
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete the device?' })
    await dialog.waitFor()
    for (let at = 0; at < 6; at++) {
      await page.keyboard.press('Tab')
      expect(
        await page.evaluate(
          "document.activeElement === document.body || Boolean(document.activeElement.closest('dialog'))",
        ),
      ).toBe(true)
    }
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await opener.evaluate((element) => element.ownerDocument.activeElement === element)).toBe(true)
    await viewer.close()
  })

  test('a menu is opened and used by keys alone', async () => {
    const viewer = await look({ language: 'en', theme: 'light', device: 'phone' })
    const { page } = viewer
    await page.getByRole('button', { name: 'More', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('status').getByText('Saved.').waitFor()
    await viewer.close()
  })

  test('what fails is said beneath its button and beside its field', async () => {
    const viewer = await look({ language: 'en', theme: 'dark', device: 'phone' })
    const { page } = viewer
    await page.getByRole('button', { name: 'Send' }).first().click()
    const field = page.getByRole('textbox', { name: 'E-mail' })
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator(`#${await field.getAttribute('aria-describedby')}`).textContent()).toContain(
      'is not an address',
    )
    await viewer.close()
  })
})
