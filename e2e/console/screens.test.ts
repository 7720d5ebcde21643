import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { UpgradingNode } from '../../test/support/machines/upgrading-node.ts'
import { orderMachine, sellByHand } from '../../test/support/machines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type FullAccount, makeFullAccount } from '../support/cabinet/account.ts'
import { signInToConsole } from '../support/console/signed-in.ts'
import type { Sight } from '../support/viewer.ts'

/** A folder for pictures of the screens, for those who change how they look. */
const pictures = process.env.SALLYPORT_PICTURES

/** Every screen of the console, with something on it. */
describeWith(chromium, 'screens of the console', () => {
  let service: TestService
  let browser: Browser
  let account: FullAccount

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    account = await makeFullAccount(service)
    const address = 'https://crm.example.com/sallyport'
    await service.operator('POST', '/webhooks', { url: address, events: ['order.paid', 'alert.opened'] })
    await UpgradingNode.enrol(service, 'aaaaaaaaaaaaaaaa')
    await service.operator('POST', '/agent-upgrades', {})
    await orderMachine(service, (await sellByHand(service)).order)
    await service.running.runJobs()
    browser = await opening
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const paths = (): readonly string[] => [
    '/console',
    '/console/search?for=a',
    '/console/alerts',
    '/console/customers',
    `/console/customers/${account.user.id}`,
    '/console/orders',
    '/console/orders/1',
    '/console/withdrawals',
    '/console/promocodes',
    '/console/methods',
    '/console/ledger',
    '/console/broadcasts',
    '/console/broadcasts?view=ending',
    '/console/nodes',
    '/console/nodes/1',
    '/console/servers',
    '/console/servers/1',
    '/console/locations',
    `/console/tariffs?customer=${account.user.id}`,
    '/console/options',
    '/console/options/1',
    '/console/cloud-configurations',
    '/console/cloud-configurations?id=1',
    '/console/delivery',
    '/console/delivery?template=xray',
    '/console/delivery?template=mihomo',
    '/console/apps',
    '/console/apps?platform=android',
    '/console/brand',
    '/console/upgrades',
    '/console/machines',
    '/console/clouds',
    '/console/audit',
    '/console/operators',
    '/console/operators?id=1',
    '/console/webhooks',
    '/console/settings',
    '/console/me',
  ]

  const sights: readonly Sight[] = [
    { device: 'desktop', theme: 'light', language: 'en' },
    { device: 'desktop', theme: 'dark', language: 'ru' },
    { device: 'narrow', theme: 'light', language: 'ru' },
    { device: 'narrow', theme: 'dark', language: 'en' },
  ]

  test.each(sights)('on a $device, $theme, in $language', async (sight) => {
    const { viewer, open } = await signInToConsole(browser, service, sight)
    const broken: string[] = []
    for (const path of paths()) {
      await open(path)
      if (pictures) {
        mkdirSync(pictures, { recursive: true })
        const name = `${path.replaceAll(/\W+/g, '-').slice(1)}-${sight.device}-${sight.theme}.png`
        await viewer.page.screenshot({ path: join(pictures, name), fullPage: true })
      }
      broken.push(...(await viewer.axe()).map((rule) => `${path}: ${rule}`))
    }
    expect(broken).toEqual([])
    expect(viewer.troubles).toEqual([])
  })
})
