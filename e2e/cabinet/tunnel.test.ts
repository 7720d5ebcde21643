import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../test/support/engines/engines.ts'
import { chromium, xray } from '../../test/support/pieces.ts'
import {
  choose,
  enterByMail,
  fetchAsApp,
  heading,
  launchBrowser,
  payAtSandbox,
  phone,
} from '../support/cabinet/person.ts'
import { RealNode } from '../support/real-node.ts'

/** From the first page to a packet: the cabinet in a real browser, the real agent, real Xray on both ends. */
describeWith(chromium, 'a purchase in the cabinet', () => {
  describeWith(xray, 'and its tunnel', () => {
    let node: RealNode
    let browser: Browser

    beforeAll(async () => {
      browser = await launchBrowser()
      node = await RealNode.start({ name: 'cabinet' })
    })
    afterAll(async () => {
      await browser?.close()
      await node?.stop()
    })

    test('carries what a client asks for', async () => {
      const { service } = node
      const context = await phone(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
      const page = await context.newPage()
      await page.goto(`${service.running.url}/shop/config`)
      await enterByMail(page, service, 'tunnel@example.com')
      await heading(page, 'VPN in one country')
      await choose(page, /Netherlands/)
      await page.getByText(/^Way to connect/).click()
      await page.getByLabel('Server', { exact: true }).selectOption(String(node.serverId))
      await choose(page, /SBP/)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await payAtSandbox(page)
      await page.getByRole('link', { name: 'Connect a device' }).click()
      await page.getByText('Waiting for the app').waitFor()
      await page.getByRole('button', { name: 'Copy the link' }).click()
      const address = await page.evaluate<string>('navigator.clipboard.readText()')
      await node.applied()
      service.clock.advance(1)
      const [link = ''] = await fetchAsApp(address)
      await page.getByText('the servers are there').waitFor()
      expect(await node.fetchBytes(await node.connect(link), 1_000_000)).toBeGreaterThan(1_000_000)
      await context.close()
    })
  })
})
