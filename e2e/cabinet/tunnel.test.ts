import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith, xrayPath } from '../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../test/support/engines/tls-site.ts'
import { outboundFromLink, startDownload, startXrayClient } from '../../test/support/engines/xray-client.ts'
import { chromium, xray } from '../../test/support/pieces.ts'
import { freePort } from '../../test/support/ports.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { AgentUnderTest, until } from '../support/agent.ts'
import {
  choose,
  enterByMail,
  fetchAsApp,
  heading,
  launchBrowser,
  payAtSandbox,
  phone,
} from '../support/cabinet/person.ts'

/** From the first page to a packet: the cabinet in a real browser, the real agent, real Xray on both ends. */
describeWith(chromium, 'a purchase in the cabinet', () => {
  describeWith(xray, 'and its tunnel', () => {
    const binary = xrayPath() ?? ''
    let service: TestService
    let site: TlsSite
    let agent: AgentUnderTest
    let browser: Browser
    let directory: string
    let nodeId: number
    let serverId: number

    const node = async () => {
      const { body } = await service.operator('GET', '/nodes')
      return body.data.find((row: { id: number }) => row.id === nodeId)
    }

    beforeAll(async () => {
      browser = await launchBrowser()
      service = await startTestService({ withoutLimits: true })
      site = await startTlsSite(binary)
      directory = await mkdtemp(join(tmpdir(), 'sallyport-e2e-'))
      const place = { address: '127.0.0.1', listen_address: '127.0.0.1' }
      const created = await service.operator('POST', '/nodes', { name: 'cabinet', ...place })
      nodeId = created.body.data.id
      const server = await service.operator('POST', '/servers', {
        node_id: nodeId,
        location_id: 1,
        capacity: 500,
        protocols: ['vless'],
        ports: { vless: await freePort() },
        reality_target: `127.0.0.1:${site.port}`,
        reality_server_name: 'localhost',
      })
      serverId = server.body.data.id
      agent = new AgentUnderTest({
        SALLYPORT_URL: service.running.url,
        SALLYPORT_AGENT_DIR: join(directory, 'agent'),
        SALLYPORT_ENROL_TOKEN: created.body.data.enrolment_token,
        SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
      })
      agent.start()
      await until('the node to come online', async () => (await node()).is_online)
    })
    afterAll(async () => {
      await browser?.close()
      await agent?.end('SIGTERM')
      await site?.close()
      await service?.stop()
      await rm(directory, { recursive: true, force: true })
    })

    test('carries what a client asks for', async () => {
      const context = await phone(browser, { permissions: ['clipboard-read', 'clipboard-write'] })
      const page = await context.newPage()
      await page.goto(`${service.running.url}/shop/config`)
      await enterByMail(page, service, 'tunnel@example.com')
      await heading(page, 'VPN in one country')
      await choose(page, /Netherlands/)
      await page.getByText(/^Way to connect/).click()
      await page.getByLabel('Server', { exact: true }).selectOption(String(serverId))
      await choose(page, /SBP/)
      await page.getByRole('button', { name: /^Pay/ }).click()
      await payAtSandbox(page)
      await page.getByRole('link', { name: 'Connect a device' }).click()
      await page.getByText('Waiting for the app').waitFor()
      await page.getByRole('button', { name: 'Copy the link' }).click()
      const address = await page.evaluate<string>('navigator.clipboard.readText()')
      await until('the agent to apply the newest state', async () => {
        const { desired_revision, applied_revision } = await node()
        return desired_revision === applied_revision
      })
      service.clock.advance(1)
      const [link = ''] = await fetchAsApp(address)
      await page.getByText('the servers are there').waitFor()
      const client = await startXrayClient(binary, directory, outboundFromLink(link))
      try {
        const download = await startDownload(client, site.port, '/bytes/1000000')
        expect(await download.ended).toBeGreaterThan(1_000_000)
      } finally {
        await client.close()
      }
      await context.close()
    })
  })
})
