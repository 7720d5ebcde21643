import { type Browser, chromium as chromiumBrowser, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { moveUpgrades } from '../../apps/server/core/upgrades/upgrade-job.ts'
import { type HetznerStandIn, startHetzner } from '../../test/support/clouds/hetzner.ts'
import { describeWith } from '../../test/support/engines/engines.ts'
import { UpgradingNode } from '../../test/support/machines/upgrading-node.ts'
import { comeUp, orderMachine, sellByHand } from '../../test/support/machines.ts'
import { chromium, chromiumPath } from '../../test/support/pieces.ts'
import { startTestService, type TestService, testRelease } from '../../test/support/service.ts'
import { browserArgs } from '../support/browser.ts'
import { type AtConsole, signInToConsole } from '../support/console/signed-in.ts'

const sight = { device: 'desktop', theme: 'light', language: 'en' } as const
const token = 'hetzner-token-that-nobody-may-see'
const before = 'aaaaaaaaaaaaaaaa'

/** What an operator does about agents' releases, customers' machines, and where these come from. */
describeWith(chromium, 'upgrades, machines and clouds at the console', () => {
  let service: TestService
  let hetzner: HetznerStandIn
  let browser: Browser
  let at: AtConsole
  let page: Page

  beforeAll(async () => {
    const opening = chromiumBrowser.launch({ executablePath: chromiumPath() ?? '', args: browserArgs })
    hetzner = await startHetzner({ token })
    service = await startTestService({ withoutLimits: true, env: { HETZNER_URL: hetzner.url } })
    browser = await opening
    at = await signInToConsole(browser, service, sight)
    page = at.viewer.page
  })
  beforeEach(() => service.heartbeat())
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
    await hetzner?.close()
  })

  /** Browsers tell of every refusal; those here are meant. */
  const troubles = () => at.viewer.troubles.filter((text) => !/status of 4(00|09)/.test(text))
  const read = async (path: string) => (await service.operator('GET', path)).body.data
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const dialog = () => page.locator('dialog[open]')
  const submit = (name: string) => dialog().getByRole('button', { name, exact: true }).click()
  const told = (text: string) => page.locator('.toasts').getByText(text).waitFor()

  test('agents are upgraded in waves: one fails, it stops, goes on, and is taken back', async () => {
    await service.db.updateTable('nodes').set({ public_key: null }).execute()
    const nodes = [await UpgradingNode.enrol(service, before), await UpgradingNode.enrol(service, before)]
    const [first, second] = nodes as [UpgradingNode, UpgradingNode]
    const move = () => moveUpgrades(service.running.services, service.clock.now())
    const names = new Map<number, string>(
      (await read('/nodes')).map(({ id, name }: { id: number; name: string }) => [id, name]),
    )
    const nameOf = ({ id }: UpgradingNode): string => names.get(id) ?? ''

    await at.open('/console/upgrades')
    await page.getByText('No upgrade has been begun yet.').waitFor()
    await press('Begin an upgrade')
    await dialog().getByText('It will reach 2 nodes with an older one.').waitFor()
    await dialog().getByText('Choose nodes that go first').click()
    await dialog().getByLabel(nameOf(second)).check()
    await dialog().getByLabel('Waves, in per cent of all nodes').fill('100')
    await dialog().getByLabel('Minutes between waves').fill('0')
    await submit('Begin')
    await told('The first wave begins.')
    const [made] = await read('/agent-upgrades')
    expect(made).toMatchObject({ release: testRelease, pause_seconds: 0, most_ill: 0, automatic: true })
    const rows = (await read(`/agent-upgrades/${made.id}`)).nodes
    expect(rows.map(({ node_id, wave }: { node_id: number; wave: number }) => [node_id, wave])).toEqual([
      [second.id, 1],
      [first.id, 2],
    ])

    await move()
    await second.fail('release x did not come up')
    await move()
    await page.getByText('It stopped by itself').waitFor()
    await page.getByText('release x did not come up').waitFor()
    await press('Go on')
    await dialog().getByText('1 node that failed').waitFor()
    await submit('Go on')
    await told('The upgrade goes on.')
    await move()
    await move()
    await first.follow()
    await move()
    await move()
    await page.locator('.card .badge', { hasText: 'done' }).waitFor()
    expect((await read(`/agent-upgrades/${made.id}`)).state).toBe('done')

    await press('Take back')
    await dialog().getByText('on their old release?').waitFor()
    await submit('Take back')
    await told('Nodes go back to what they had.')
    await page.getByRole('heading', { name: `Upgrade ${made.id + 1}` }).waitFor()
    expect((await read('/agent-upgrades'))[0]).toMatchObject({ back_of: made.id, release: null })
    await press('Stop')
    await told('No more nodes are told.')
    expect((await read('/agent-upgrades'))[0].state).toBe('stopped')
    expect(troubles()).toEqual([])
  })

  test('a machine that a person finds is given its address and is ticked off when it calls home', async () => {
    const { order } = await sellByHand(service)
    const { id } = await orderMachine(service, order)
    const { user } = await orderMachine(service, order)
    service.clock.advance(3)
    await service.running.runJobs()
    await at.open('/console/machines?state=needs_attention')
    await press(`Give its address: machine ${id}`)
    await dialog().getByLabel('Address').fill('nowhere')
    await submit('Get the line to run there')
    await dialog().locator('[aria-invalid=true]').waitFor()
    await dialog().getByLabel('Address').fill('198.51.100.7')
    await submit('Get the line to run there')
    await dialog().getByText('Waiting for the agent to report').waitFor()
    const line = (await dialog().locator('code').textContent()) ?? ''
    expect((await comeUp(service, /TOKEN=(\S+)/.exec(line)?.[1] ?? '')).status).toBe(201)
    await dialog().getByText('The agent reports.').waitFor()
    await page.keyboard.press('Escape')
    service.clock.advance(3)
    await service.running.runJobs()
    await at.open(`/console/machines?id=${id}`)
    await page.locator('.badge', { hasText: 'works' }).waitFor()
    expect((await read(`/cloud-servers`)).find((one: { id: number }) => one.id === id)).toMatchObject({
      status: 'active',
      address: '198.51.100.7',
    })

    await at.open('/console/machines')
    await page.getByLabel('Customer’s number').fill(`${user.id}`)
    await page.getByLabel('Customer’s number').press('Enter')
    await page.getByRole('link', { name: `Machine ${id}` }).waitFor({ state: 'detached' })
    const [waiting] = await read(`/cloud-servers?user_id=${user.id}`)
    await press(`Try again: machine ${waiting.id}`)
    await told('It is looked at now')
    const [entry] = await read(`/audit?subject=cloud_server:${waiting.id}`)
    expect(entry.action).toBe('retryMachine')
    expect(troubles()).toEqual([])
  })

  test('an account at a cloud is added, looked at, changed without its token, and deleted', async () => {
    const find = async (title: string) =>
      (await read('/clouds')).find((one: { title: string }) => one.title === title)
    await at.open('/console/clouds')
    await press('Add a cloud')
    await dialog().getByLabel('Name').fill('Hetzner, main')
    await dialog().getByLabel('API token').fill(token)
    await submit('Add it')
    await page.getByRole('link', { name: 'Machine types: Hetzner, main' }).click()
    await page.getByRole('cell', { name: 'CX23' }).first().waitFor()
    await page.getByLabel('Region').selectOption('fsn1')
    expect(await page.getByRole('cell', { name: 'nbg1', exact: true }).count()).toBe(0)
    const kept = () =>
      service.db.selectFrom('clouds').select('token_sealed').where('kind', '=', 'hetzner').executeTakeFirst()
    const sealed = await kept()

    await press('Change Hetzner, main')
    await dialog().getByLabel('Name').fill('Hetzner, other')
    await dialog().getByLabel('New machines are made there').uncheck()
    await submit('Save')
    await page.getByText('nothing new').waitFor()
    expect(await find('Hetzner, other')).toMatchObject({ is_active: false, has_token: true })
    expect(await kept()).toEqual(sealed)

    await press('Change Hetzner, other')
    const { id, version } = await find('Hetzner, other')
    await service.operator('PATCH', `/clouds/${id}`, { title: 'Hetzner, theirs', version })
    await dialog().getByLabel('Name').fill('Hetzner, mine')
    await dialog().getByLabel('Another API token').fill('wrong-token-wrong-token')
    await submit('Save')
    await dialog().getByText('Hetzner, theirs').waitFor()
    expect(await dialog().textContent()).not.toContain('wrong-token')
    await submit('Save with what I chose')
    await page.getByText('Hetzner, mine').first().waitFor()
    await at.open(`/console/clouds?types=${id}`)
    await page.getByText('The provider refuses the token.').waitFor()

    await page.getByRole('row', { name: 'Hetzner, mine' }).getByRole('button', { name: 'Delete' }).click()
    await dialog().getByText('Its token is erased').waitFor()
    await submit('Delete')
    await told('It is gone.')
    expect(await find('Hetzner, mine')).toBeUndefined()
    expect(troubles()).toEqual([])
  })

  test('what customers have machines from is kept, and says why', async () => {
    const { cloudId, order } = await sellByHand(service)
    await orderMachine(service, order)
    service.clock.advance(3)
    await service.running.runJobs()
    await at.open(`/console/clouds?id=${cloudId}`)
    await press('Delete')
    await submit('Delete')
    await dialog().getByText('1 customer depends on it').waitFor()
    expect((await read('/clouds')).some(({ id }: { id: number }) => id === cloudId)).toBe(true)
    expect(troubles()).toEqual([])
  })

  test('finance looks at all of it, and changes nothing', async () => {
    const finance = await signInToConsole(browser, service, sight, 'finance')
    for (const path of ['upgrades', 'machines', 'clouds', 'nodes', 'nodes/1', 'servers/1']) {
      await finance.open(`/console/${path}`)
      const buttons = await finance.viewer.page.locator('main button:not(.link)').allTextContents()
      expect([path, buttons.filter((title) => title !== 'CSV')]).toEqual([path, []])
    }
    expect(finance.viewer.troubles).toEqual([])
    await finance.viewer.close()
  })
})
