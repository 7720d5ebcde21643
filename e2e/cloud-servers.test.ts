import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CloudTests } from '../test/support/cloud-servers.ts'
import { startDigitalOcean } from '../test/support/clouds/digitalocean.ts'
import { startHetzner } from '../test/support/clouds/hetzner.ts'
import type { Boot } from '../test/support/clouds/machines.ts'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { bootMachine, type Machine } from '../test/support/machines/machine.ts'
import { machineTree } from '../test/support/machines/tree.ts'
import { amneziawg, machines, mtg, namespaces, xray } from '../test/support/pieces.ts'
import { freePort } from '../test/support/ports.ts'
import { RentedMachines } from '../test/support/rented-machines.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { Front } from './support/front.ts'
import { startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client } from './support/lab/clients/client.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, siteNames, sitePort } from './support/lab/internet.ts'
import { alignColumns } from './support/lab/matrix.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import { type BoughtConfig, Vpn } from './support/lab/vpn.ts'

const site = { host: addresses.site, port: sitePort }
const timeout = 900_000
const token = 'a-token-of-the-provider'
const tickMs = 500

/** Everything is real but the provider: what it is asked for is a Debian that runs the user-data it was sent. */
class Rack implements Boot {
  readonly #lab: Lab
  readonly #machines = new Map<number, Machine>()

  constructor(lab: Lab) {
    this.#lab = lab
  }

  get running(): Machine[] {
    return [...this.#machines.values()]
  }

  async create({ id, name, userData }: { id: number; name: string; userData: string }) {
    const { namespace } = this.#lab.place('entry')
    const network = { namespace, address: addresses.entry, resolvers: [addresses.resolver] }
    this.#machines.set(id, await bootMachine({ name, userData, network }))
    return { address: addresses.entry }
  }

  async reboot(id: number) {
    await this.#machines.get(id)?.reboot()
  }

  async powerOff(id: number) {
    await this.#machines.get(id)?.powerOff()
  }

  async powerOn(id: number) {
    await this.#machines.get(id)?.powerOn()
  }

  async destroy(id: number) {
    await this.#machines.get(id)?.destroy()
    this.#machines.delete(id)
  }
}

describeWith([machines, namespaces, xray, amneziawg, mtg], 'a cloud server', () => {
  const engines = { xray: xrayPath() ?? '', awg: amneziawgPath() ?? '' }
  const table: string[][] = []
  let lab: Lab
  let rack: Rack
  let front: Front
  let vpn: Vpn
  let clouds: CloudTests
  let rented: RentedMachines
  let ticking: NodeJS.Timeout
  let close: (() => Promise<void>)[] = []

  const seconds = (sinceMs: number): string => `${((Date.now() - sinceMs) / 1000).toFixed(1)} s`
  const reaches = (client: Client): Promise<boolean> =>
    client.tcp(site, { downBytes: 1000, timeoutMs: 3000 }).then(
      ({ peer }) => peer === addresses.entry,
      () => false,
    )
  /** Not by the calls of other tests, which turn the clock on. */
  const serverOf = async ({ api_key }: TestUser) =>
    (await vpn.service.call('GET', '/v1/cloud-servers', { token: api_key })).body.data[0]
  beforeAll(async () => {
    await machineTree()
    lab = await Lab.open()
    rack = new Rack(lab)
    await Internet.open(lab, engines.xray)
    const port = await freePort()
    front = await Front.open(lab.managementAddress('entry'), port)
    const hetzner = await startHetzner({ token, boot: rack })
    const ocean = await startDigitalOcean({ token, boot: rack })
    close = [() => hetzner.close(), () => ocean.close()]
    vpn = await Vpn.open(lab, {
      PORT: String(port),
      PUBLIC_URL: front.url,
      HETZNER_URL: hetzner.url,
      DIGITALOCEAN_URL: ocean.url,
    })
    clouds = new CloudTests(vpn.service)
    rented = new RentedMachines(vpn.service)
    // The service's clock stands still unless it is turned, and agents are real here.
    const { clock } = vpn.service
    ticking = setInterval(
      () => clock.advance(Math.max(0, Math.floor(Date.now() / 1000) - clock.now())),
      tickMs,
    )
    // What the service hands out is prepared when it is first asked for.
    await fetch(`${front.url}/install/agent`)
  }, timeout)
  afterAll(async () => {
    console.log(alignColumns(table))
    clearInterval(ticking)
    for (const machine of rack?.running ?? []) await machine.destroy()
    await vpn?.close()
    await front?.close()
    for (const one of close) await one()
    await lab?.close()
  }, timeout)

  describe.each([
    { kind: 'hetzner', region: 'fsn1', type: 'cx23', image: 'debian-12' },
    { kind: 'digitalocean', region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' },
  ] as const)('at $kind', ({ kind, ...offer }) => {
    let user: TestUser
    let id: number
    let tunnels: Client[]

    test('from the order to a packet through its tunnels', { timeout }, async () => {
      await rented.offers({ cloudId: await rented.account(kind, token), ...offer })
      await vpn.service.db.updateTable('cloud_offers').set({ reality_server_name: siteNames[0] }).execute()
      user = await vpn.service.createUser({ balance: 10_000 })
      const paidAtMs = Date.now()
      const ordered = await clouds.order(user, { hostname: 'my-vpn.example.com' })
      expect(ordered.status).toBe('ordered')
      id = ordered.id
      await until('purchased', async () => (await serverOf(user)).status === 'purchased', 30)
      await until('active', async () => (await serverOf(user)).status === 'active', 240)
      const activeAfter = seconds(paidAtMs)
      expect(await serverOf(user)).toMatchObject({ is_online: true, url: addresses.entry })
      const put = (protocol: string) =>
        vpn.ask<BoughtConfig>(user, 'POST', `/cloud-servers/${id}/configs`, { protocol })
      const [trojan, awg] = [await put('trojan'), await put('amnezia-wg-2')]
      tunnels = [
        await startXray(lab, engines.xray, trojan.connection_url),
        await startAmneziaWg(lab, engines.awg, awg.awg_config ?? ''),
      ]
      for (const tunnel of tunnels) await until(`${tunnel.name} to carry`, () => reaches(tunnel), 60)
      table.push([kind, `active after ${activeAfter}`, `a packet through after ${seconds(paidAtMs)}`])
      const [machine] = rack.running
      expect(await machine?.run('hostname')).toBe('my-vpn\n')
      // What cloud-init leaves there names a token that is spent.
      const left = (await machine?.run('cat /var/lib/cloud/instance/user-data.txt')) ?? ''
      expect(left).not.toContain(token)
      expect((await rented.enrol(left, 'A'.repeat(43))).status).toBe(401)
    })

    test('a restart', { timeout }, async () => {
      const [machine] = rack.running
      const boots = machine?.boots ?? 0
      const atMs = Date.now()
      expect((await clouds.call(user, 'POST', `/${id}/reboot`)).body.data).toEqual({ success: true })
      expect((await serverOf(user)).is_online).toBe(false)
      await until('it to go down', () => (machine?.boots ?? 0) > boots, 60)
      await until('it to be back', async () => (await serverOf(user)).is_online === true, 120)
      for (const tunnel of tunnels) await until(`${tunnel.name} to carry`, () => reaches(tunnel), 60)
      table.push([kind, 'restarted', `served again after ${seconds(atMs)}`])
    })

    test('its end: off, on again by renewal, and gone for good', { timeout }, async () => {
      const { db, clock } = vpn.service
      const end = (daysAgo: number) =>
        db
          .updateTable('terms')
          .set({ expires_at: clock.now() - daysAgo * 86_400 })
          .where('product', '=', 'cloud_servers')
          .where('item_id', '=', id)
          .execute()
      const [machine] = rack.running
      await end(0)
      await until('it to be off', () => machine?.isOn === false, 60)
      await clouds.call(user, 'POST', '/renewal', { server_id: id, payment_method_id: 1, days: 30 })
      await until('it to be on', async () => (await serverOf(user)).is_online === true, 120)
      for (const tunnel of tunnels) await until(`${tunnel.name} to carry`, () => reaches(tunnel), 60)
      await end(4)
      await until('it to be switched off', () => machine?.isOn === false, 60)
      await vpn.service.running.runJobs()
      await until('it to be gone', () => rack.running.length === 0, 60)
      await until('nothing to be left', async () => (await clouds.machine(id))?.gone_at !== null, 60)
      expect(await clouds.list(user)).toEqual([])
    })
  })
})
