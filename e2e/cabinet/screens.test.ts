import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type FullAccount, makeFullAccount, pagesOf } from '../support/cabinet/account.ts'
import { launchBrowser } from '../support/cabinet/person.ts'
import { settled } from '../support/cabinet/visit.ts'
import { openCabinet, type Pages } from '../support/cabinet/walk.ts'
import { judge, nameOf, picture } from '../support/judge.ts'
import type { Sight } from '../support/viewer.ts'

const sights = (['ru', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) =>
    (['narrow', 'desktop'] as const).map((device): Sight => ({ language, theme, device })),
  ),
)

/** Every screen of the cabinet as its customer meets it. */
describeWith(chromium, 'the cabinet in a browser', () => {
  let service: TestService
  let browser: Browser
  let account: FullAccount

  beforeAll(async () => {
    const opening = launchBrowser()
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    account = await makeFullAccount(service)
    await service.heartbeat()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const walk = async (sight: Sight, pages: Pages, isSignedIn: boolean): Promise<string[]> => {
    const user = isSignedIn ? account.user : undefined
    const viewer = await openCabinet({ browser, service }, sight, { user })
    const settle = () => settled(viewer.page)
    const wrong: string[] = []
    for (const [name, address] of pages) {
      await viewer.look(service.running.url + address)
      await settle()
      expect(await viewer.page.getAttribute('html', 'lang')).toBe(sight.language)
      await picture(viewer, nameOf(name, sight))
      wrong.push(...(await judge(viewer, settle)).map((one) => `${name}: ${one}`))
    }
    await viewer.close()
    return wrong
  }

  test.each(sights)('every screen: $language, $theme, $device', async (sight) => {
    expect(await walk(sight, pagesOf(account), true)).toEqual([])
  })

  test.each(sights)('whoever is not signed in: $language, $theme, $device', async (sight) => {
    const pages = [
      ['sign-in', '/'],
      ['gift-out', `/gift#${account.giftCode}`],
      ['subscription', `/subscription#${account.user.subscription_key}`],
      ['rules-out', '/rules'],
    ] as const
    expect(await walk(sight, pages, false)).toEqual([])
  })
})
