import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { drainingOf } from '../../test/support/draining.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { comeUp } from '../../test/support/machines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const

/** What an operator does about nodes and servers. */
describeWith(chromium, 'the fleet at the console', () => {
  let service: TestService
  let browser: Browser
  let at: AtConsole
  let page: Page

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    service = await startTestService({ withoutLimits: true })
    browser = await opening
    at = await signInToConsole(browser, service, sight)
    page = at.viewer.page
  })
  beforeEach(() => service.heartbeat())
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  /** Browsers tell of every refusal; those here are meant. */
  const troubles = () => at.viewer.troubles.filter((text) => !/status of 4(00|09)/.test(text))
  const read = async (path: string) => (await service.operator('GET', path)).body.data
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = () => page.locator('dialog[open]')
  const submit = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const told = (text: string) => page.locator('.toasts').getByText(text).waitFor()
  const tokenShown = async (): Promise<string> => {
    const line = await dialog().locator('code').textContent()
    return /SALLYPORT_ENROL_TOKEN=(\S+)/.exec(line ?? '')?.[1] ?? ''
  }

  test('a machine is added by one line, ticked off when its agent reports, and sells', async () => {
    await at.open('/console/nodes')
    await press('Add a machine')
    await dialog().getByLabel('Name').fill('ams-7')
    await dialog().getByLabel('Address').fill('203.0.113.77')
    await submit('Get the line to paste')
    await dialog().getByText('Waiting for the agent to report').waitFor()
    expect((await comeUp(service, await tokenShown())).status).toBe(201)
    await dialog().getByText('The agent reports.').waitFor()
    await dialog().getByRole('link', { name: 'Go to the node' }).click()
    await page.getByRole('heading', { name: 'ams-7' }).waitFor()

    await press('Add a server')
    await dialog().getByLabel('Location').selectOption('1')
    await dialog().getByLabel('Slots').fill('40')
    await dialog().getByText('Choose protocols').click()
    await dialog().getByLabel('outline', { exact: true }).uncheck()
    await dialog().getByText('Choose ports').click()
    await dialog().getByLabel('Port for vless', { exact: true }).fill('8443')
    await submit('Put it on sale')
    await told('The server is on sale')
    const [node] = (await read('/nodes')).filter(({ name }: { name: string }) => name === 'ams-7')
    const [server] = await read(`/servers?node_id=${node.id}`)
    expect(server).toMatchObject({ capacity: 40, state: 'selling', ports: { vless: 8443 } })
    expect(server.protocols).not.toContain('outline')
    expect(server.protocols).toContain('vless')
    await page.getByRole('link', { name: `Server ${server.id}` }).waitFor()
    expect(troubles()).toEqual([])
  })

  test('a refused field opens its part of the form', async () => {
    await at.open('/console/nodes/1')
    await press('Add a server')
    await dialog().getByLabel('Location').selectOption('1')
    const domain = dialog().getByLabel('Domain')
    await dialog().getByText('Domain, certificate, another site').click()
    await domain.fill('not a name')
    await dialog().getByText('Domain, certificate, another site').click()
    expect(await domain.isVisible()).toBe(false)
    await submit('Put it on sale')
    await dialog().locator('input[name=domain][aria-invalid=true]').waitFor({ state: 'visible' })
    expect(troubles()).toEqual([])
  })

  test('enrolling anew says what ends, and is ticked off by the new agent alone', async () => {
    const made = (await service.operator('POST', '/nodes', { name: 'old-1', address: '203.0.113.8' })).body
      .data
    await comeUp(service, made.enrolment_token)
    await at.open(`/console/nodes/${made.id}`)
    await press('Enrol anew')
    await dialog().getByText('ends at once').waitFor()
    await submit('Show the line to paste')
    await dialog().getByText('Waiting for the agent to report').waitFor()
    const token = await tokenShown()
    await page.clock.fastForward(2500)
    expect(await dialog().getByText('The agent reports.').count()).toBe(0)
    service.clock.advance(1)
    await comeUp(service, token)
    await dialog().getByText('The agent reports.').waitFor()
    expect(troubles()).toEqual([])
  })

  test('what another operator changes meanwhile takes nothing of what is being written', async () => {
    const made = (await service.operator('POST', '/nodes', { name: 'two-1', address: '203.0.113.9' })).body
      .data
    await at.open(`/console/nodes/${made.id}`)
    await page.getByLabel('Name').fill('mine')
    await service.operator('PATCH', `/nodes/${made.id}`, { name: 'theirs' })
    await page.clock.fastForward(16_000)
    await page.getByRole('heading', { name: 'theirs' }).waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('mine')
    await press('Save')
    await page.getByText('Somebody has changed this meanwhile').waitFor()
    await press('Save with what I chose')
    await page.getByRole('heading', { name: 'mine' }).waitFor()
    expect((await read(`/nodes/${made.id}`)).name).toBe('mine')
    expect(troubles()).toEqual([])
  })

  test('a server is closed, sold, given other protocols and another certificate, and retired', async () => {
    const { locationId, first } = await drainingOf(service).setUp(1)
    const { serverId: id } = first
    await at.open(`/console/servers?location_id=${locationId}`)
    await page.getByRole('link', { name: `Server ${id}` }).click()
    await press('Close for sale')
    await told('Nothing more is sold here')
    expect((await read(`/servers/${id}`)).state).toBe('closed')
    await press('Put on sale')
    await told('The server is on sale.')
    expect((await read(`/servers/${id}`)).state).toBe('selling')

    await page.getByLabel('wg', { exact: true }).check()
    await press('Save protocols')
    await told('Saved; the agent is setting it up.')
    expect((await read(`/servers/${id}`)).protocols).toEqual(['vless', 'wg'])

    await press('Replace it…')
    await dialog().getByLabel('Certificate, PEM', { exact: true }).fill('nonsense')
    const key = { name: 'privkey.pem', mimeType: 'text/plain', buffer: Buffer.from('no key either') }
    await dialog().getByLabel('Its key, PEM: from a file').setInputFiles(key)
    await submit('Replace the certificate')
    await dialog().locator('textarea[name=certificate][aria-invalid=true]').waitFor()
    expect(await dialog().locator('textarea[name=certificate_key]').inputValue()).toBe('no key either')
    await page.keyboard.press('Escape')

    await press('Retire')
    await dialog().getByText('Its keys are erased').waitFor()
    await submit('Retire')
    await told('The server is retired.')
    expect((await read(`/servers/${id}`)).state).toBe('retired')
    expect(troubles()).toEqual([])
  })

  test('a server is emptied to another one, step by step, until nobody is left', async () => {
    const draining = drainingOf(service)
    const { first, second, user, buy } = await draining.setUp(2)
    await buy()
    await at.open(`/console/servers/${first.serverId}`)
    expect(await page.getByRole('button', { name: 'Retire' }).count()).toBe(0)
    await press('Empty the server…')
    await dialog().getByText('Other servers of this location have').waitFor()
    await dialog().getByLabel(`Server ${second.serverId},`).check()
    await submit('Empty it')
    await told('The server is being emptied.')
    await draining.round()
    await draining.alive(first, second)
    await page.getByText('all have moved').waitFor()
    await page.getByText('1 of 1 moved, 0 left').waitFor()
    expect((await read(`/servers/${second.serverId}`)).used_slots).toBe(1)
    await draining.fetched(user)
    await draining.round()
    await draining.round()
    await page.getByText('Nobody is left.').waitFor()
    await page.getByRole('button', { name: 'Retire' }).waitFor()
    expect((await read(`/servers/${first.serverId}`)).state).toBe('closed')
    expect(troubles()).toEqual([])
  })

  test('emptying is stopped, and what is sold again is sold', async () => {
    const draining = drainingOf(service)
    const { first, buy } = await draining.setUp(1)
    await buy()
    await at.open(`/console/servers/${first.serverId}`)
    await press('Empty the server…')
    await dialog().getByText('No other server of this location is on sale').waitFor()
    await submit('Empty it')
    await told('The server is being emptied.')
    await draining.round()
    await page.getByText('Could not be moved: 1').waitFor()
    await press('Stop')
    await told('Stopped. The server is closed.')
    expect((await draining.shown(first.serverId)).state).toBe('stopped')
    await press('Put on sale')
    await told('The server is on sale.')
    expect((await read(`/servers/${first.serverId}`)).state).toBe('selling')
    expect(troubles()).toEqual([])
  })
})
