import { afterAll, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../../test/support/engines/engines.ts'
import { bootMachine, type Machine } from '../../test/support/machines/machine.ts'
import { machineTree } from '../../test/support/machines/tree.ts'
import { amneziawg, machines, mtg, namespaces, xray } from '../../test/support/pieces.ts'
import { freePort } from '../../test/support/ports.ts'
import { testRelease } from '../../test/support/service.ts'
import { until } from '../support/agent.ts'
import { Front } from '../support/front.ts'
import { startAmneziaWg } from '../support/lab/clients/amnezia-wg.ts'
import type { Client } from '../support/lab/clients/client.ts'
import { startXray } from '../support/lab/clients/xray.ts'
import { Internet, sitePort } from '../support/lab/internet.ts'
import { alignColumns } from '../support/lab/matrix.ts'
import { addresses, Lab } from '../support/lab/namespaces.ts'
import { Outage } from '../support/lab/outage.ts'
import { type LabNode, Vpn } from '../support/lab/vpn.ts'

const site = { host: addresses.site, port: sitePort }
const timeout = 600_000
const state = '/var/lib/sallyport-agent'

interface Shown {
  readonly id: number
  readonly state: string
  readonly stop_reason: string | null
  readonly nodes: readonly { readonly state: string; readonly reason: string | null }[]
}

/** A machine that was installed once, and that nobody touches again. */
describeWith([machines, namespaces, xray, amneziawg, mtg], 'agents that are upgraded from afar', () => {
  const table: string[][] = []
  let lab: Lab
  let front: Front
  let vpn: Vpn
  let node: LabNode
  let machine: Machine
  let clockwork: NodeJS.Timeout
  let first: string
  let clients: Record<string, Client>

  const keepTime = () => {
    const { clock } = vpn.service
    clock.advance(Math.max(0, Math.floor(Date.now() / 1000) - clock.now()))
  }
  const current = async (): Promise<string> =>
    (await machine.run('readlink /opt/sallyport-agent/current')).trim()
  const ask = async (method: string, path: string, body?: object): Promise<Shown> => {
    const answer = await vpn.service.operator(method, `/agent-upgrades${path}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body.data
  }
  const over = async ({ id }: Shown): Promise<Shown> => {
    const show = () => ask('GET', `/${id}`)
    await until('the upgrade to come to its end', async () => (await show()).state !== 'running', 240)
    return show()
  }
  const canUpgrade = async (): Promise<boolean> =>
    (await vpn.service.operator('GET', `/nodes/${node.nodeId}`)).body.data.can_upgrade
  const upgrade = async (): Promise<Shown> =>
    over(await ask('POST', '', { waves: [[node.nodeId]], pause_seconds: 0 }))
  const reaches = (client: Client, timeoutMs = 3000): Promise<boolean> =>
    client.tcp(site, { downBytes: 1000, timeoutMs }).then(
      () => true,
      () => false,
    )
  const served = async (): Promise<void> => {
    await vpn.applied(node)
    for (const client of Object.values(clients))
      await until(`${client.name} to reach the site`, () => reaches(client), 60)
  }
  /** How long nobody gets through meanwhile. */
  const gaps = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const watched = Object.entries(clients).map(([name, client]) => ({
      name,
      outage: new Outage(() => reaches(client, 1000)),
    }))
    const beganMs = Date.now()
    const result = await work()
    const row = [what, `${((Date.now() - beganMs) / 1000).toFixed(1)} s`]
    for (const { name, outage } of watched)
      row.push(`through ${name} nothing for ${((await outage.over()) / 1000).toFixed(1)} s`)
    table.push(row)
    return result
  }

  beforeAll(async () => {
    await machineTree()
    lab = await Lab.open()
    const xrayProgram = xrayPath() ?? ''
    await Internet.open(lab, xrayProgram)
    const port = await freePort()
    front = await Front.open(lab.managementAddress('entry'), port)
    vpn = await Vpn.open(lab, { PORT: String(port), PUBLIC_URL: front.url })
    clockwork = setInterval(keepTime, 500)
    const { token, ...registered } = await vpn.register('entry', 1)
    node = registered
    await fetch(`${front.url}/install/agent`)
    machine = await bootMachine({
      name: 'upgraded',
      userData: '#cloud-config\n',
      network: {
        namespace: lab.place('entry').namespace,
        address: addresses.entry,
        resolvers: [addresses.resolver],
      },
    })
    await machine.run(`curl -fsSL ${front.url}/install/agent | SALLYPORT_ENROL_TOKEN=${token} sh`)
    first = await current()
    await until('the node to be online', async () => (await vpn.node(node)).is_online, 60)
    const user = await vpn.service.createUser({ balance: 1_000_000 })
    const [shared, awg] = [await vpn.buy(user, node, 'vless'), await vpn.buy(user, node, 'amnezia-wg-2')]
    await vpn.applied(node)
    clients = {
      Xray: await startXray(lab, xrayProgram, shared.connection_url),
      AmneziaWG: await startAmneziaWg(lab, amneziawgPath() ?? '', awg.awg_config ?? ''),
    }
    await served()
  }, 3 * timeout)
  afterAll(async () => {
    console.log(alignColumns(table))
    clearInterval(clockwork)
    await machine?.destroy()
    await vpn?.close()
    await front?.close()
    await lab?.close()
  }, timeout)

  test('it says what it runs', { timeout }, async () => {
    const release = async () => (await vpn.service.operator('GET', `/nodes/${node.nodeId}`)).body.data.release
    await until('the release to be told', async () => (await release()) === first, 60)
  })

  test('a release that does not come up is taken back by itself, and everything stops', {
    timeout,
  }, async () => {
    await front.release(testRelease, () => 'console.log("no use"); process.exit(3)')
    const { state: ended, stop_reason, nodes } = await gaps('an upgrade that fails', upgrade)
    expect([ended, stop_reason]).toEqual(['stopped', '1 of wave 1 ill, and 0 may be'])
    expect(nodes[0]).toMatchObject({
      state: 'ill',
      reason: `release ${testRelease} did not come up; its last words are above. ${first} serves again`,
    })
    expect(await current()).toBe(first)
    await served()
    const alerts = (await vpn.service.operator('GET', '/alerts')).body.data as { kind: string }[]
    expect(alerts.map(({ kind }) => kind)).toContain('upgrade_stopped')
  })

  test('a release that is not what was wished for is not taken', { timeout }, async () => {
    await front.release('feedfacefeedface', (agent) => `${agent}\n// other\n`)
    const { nodes } = await upgrade()
    expect(nodes[0]?.state).toBe('ill')
    expect(await current()).toBe(first)
  })

  test('a good one serves, and customers come back by themselves', { timeout }, async () => {
    await front.release(testRelease, (agent) => `${agent}\n// newer\n`)
    expect(await gaps('an upgrade', upgrade)).toMatchObject({ state: 'done', nodes: [{ state: 'done' }] })
    expect(await current()).toBe(testRelease)
    await served()
  })

  test('it goes back to what it had without fetching anything', { timeout }, async () => {
    const { body } = await vpn.service.operator('GET', '/agent-upgrades?limit=1')
    const back = await gaps('going back', async () => over(await ask('POST', `/${body.data[0].id}/back`)))
    expect(back).toMatchObject({ state: 'done', nodes: [{ state: 'done' }] })
    expect(await current()).toBe(first)
    await served()
  })

  test('what the agent leaves names a release, and nothing else gets further', { timeout }, async () => {
    const pid = 'systemctl show -p MainPID --value sallyport-agent'
    const before = await machine.run(pid)
    for (const text of [
      '$(touch /tmp/owned) x',
      'http://203.0.113.1/ 00',
      `../../tmp ${crypto.randomUUID()}`,
    ]) {
      await machine.run(`printf '%s\\n' '${text}' >${state}/upgrade`)
      await until(
        'it to be taken away',
        async () => (await machine.exec(`test -e ${state}/upgrade`)).code === 1,
        30,
      )
    }
    expect((await machine.exec('test -e /tmp/owned')).code).toBe(1)
    expect([await machine.run(pid), await current()]).toEqual([before, first])
    const inside = `nsenter -t "$(${pid})" -m -- sh -c 'echo >>/opt/sallyport-agent/upgrade-outcome'`
    expect((await machine.exec(inside)).code).not.toBe(0)
  })

  test('a machine that was installed before this needs the line once', { timeout }, async () => {
    await machine.run('rm /etc/systemd/system/sallyport-agent-upgrade.*; systemctl daemon-reload')
    const skipped = async () => {
      const { state: ended, nodes } = await upgrade()
      expect(ended).toBe('done')
      return nodes[0]?.reason
    }
    await until('its report to say so', async () => !(await canUpgrade()), 60)
    expect(await skipped()).toBe('needs the line of the installer by hand, once')
    await machine.run(`curl -fsSL ${front.url}/install/agent | sh`)
    expect(await current()).toBe(testRelease)
    await until('its report to say so', canUpgrade, 60)
    expect(await skipped()).toBe('runs it already')
  })
})
