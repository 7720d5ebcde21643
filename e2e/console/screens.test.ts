import { type Role, roles, rolesOf } from '@sallyport/contract/operation'
import { rowsFor } from '@sallyport/contract/tables'
import { consolePages } from '@sallyport/domain/console/pages'
import { type Browser, chromium as chromiumBrowser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { UpgradingNode } from '../../test/support/machines/upgrading-node.ts'
import { orderMachine, sellByHand } from '../../test/support/machines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type FullAccount, makeFullAccount } from '../support/cabinet/account.ts'
import { settled, watchRequests } from '../support/cabinet/visit.ts'
import { signInToConsole } from '../support/console/signed-in.ts'
import { judge, judgeColours, nameOf, picture } from '../support/judge.ts'
import type { Sight } from '../support/viewer.ts'

const notYours = { en: /^Your role does not have this page/, ru: /^У вашей роли нет этой страницы/ }

/** Whether the operation without which nobody sees the page is one of this role. */
const maySee = (role: Role, path: string): boolean => {
  const { pathname } = new URL(path, 'http://console')
  const isIt = (pattern: string) => new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(pathname)
  const page = consolePages.find((one) => isIt(one.path))
  return page !== undefined && rolesOf(rowsFor('operator')[page.calls]).includes(role)
}

/** Every screen of the console, with something on it, as each role meets it. */
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
    '/console/customers?sort=next_end&view=ending',
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

  /** Each in the theme of its own first, and in the colours of the other after it. */
  const sights: readonly Sight[] = [
    { device: 'desktop', theme: 'light', language: 'en' },
    { device: 'desktop', theme: 'dark', language: 'ru' },
    { device: 'narrow', theme: 'light', language: 'ru' },
    { device: 'narrow', theme: 'dark', language: 'en' },
  ]

  const walks = roles.flatMap((role) => sights.map((sight) => ({ role, ...sight })))

  test.each(walks)('$role, on a $device, $theme first, in $language', async ({ role, ...sight }) => {
    const { viewer, open } = await signInToConsole(browser, service, sight, role)
    watchRequests(viewer.page)
    const settle = () => settled(viewer.page)
    const wrong: string[] = []
    for (const path of paths()) {
      await open(path)
      await settle()
      expect([path, await viewer.page.getByText(notYours[sight.language]).count()]).toEqual([
        path,
        maySee(role, path) ? 0 : 1,
      ])
      await picture(viewer, `${nameOf(path.replaceAll(/\W+/g, '-').slice(1), sight)}-${role}`)
      const broken = [...(await judge(viewer, settle)), ...(await judgeColours(viewer, sight.theme))]
      wrong.push(...broken.map((one) => `${path}: ${one}`))
    }
    expect(wrong).toEqual([])
    await viewer.close()
  })
})
