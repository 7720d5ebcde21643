import { afterAll, beforeAll, expect, test } from 'vitest'
import { amneziawgPath, describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { amneziawg, mtg, namespaces, xray } from '../test/support/pieces.ts'
import type { TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { startAmneziaWg } from './support/lab/clients/amnezia-wg.ts'
import type { Client } from './support/lab/clients/client.ts'
import { startMtproto, startTelegram } from './support/lab/clients/mtproto.ts'
import { startXray } from './support/lab/clients/xray.ts'
import { Internet, siteNames, sitePort, tlsPort } from './support/lab/internet.ts'
import { addresses, Lab } from './support/lab/namespaces.ts'
import { type BoughtConfig, type LabNode, type LabServer, Vpn } from './support/lab/vpn.ts'

const timeout = 300_000
const site = { host: addresses.site, port: sitePort }
const small = { downBytes: 1000, timeoutMs: 5000 }

const reaches = (client: Client): Promise<boolean> =>
  client.tcp(site, small).then(
    () => true,
    () => false,
  )

/** What a customer has on the server, one of each engine, with the clients of what they were given. */
interface Customer {
  readonly user: TestUser
  readonly configs: readonly BoughtConfig[]
  readonly proxyPath: string
  readonly old: readonly Client[]
}

/** Real clients on a server that is emptied: of a customer whose app fetches, and of one whose app does not. */
describeWith([namespaces, xray, amneziawg, mtg], 'a server is emptied', () => {
  const engines = { xray: xrayPath() ?? '', awg: amneziawgPath() ?? '' }
  const clients: Client[] = []
  let lab: Lab
  let vpn: Vpn
  let entry: LabServer
  let exit: LabServer

  const connect = async ({ connection_url: link, awg_config: file }: BoughtConfig): Promise<Client> => {
    if (link.startsWith('tg:')) return startMtproto(lab, link)
    const client = link.startsWith('vpn:')
      ? await startAmneziaWg(lab, engines.awg, file ?? '')
      : await startXray(lab, engines.xray, link)
    clients.push(client)
    return client
  }

  const settle = async (server: LabNode): Promise<Customer> => {
    const user = await vpn.service.createUser({ balance: 1_000_000 })
    const [vless, personal, tunnel] = [
      await vpn.buy(user, server, 'vless'),
      await vpn.buy(user, server, 'vless', { use_extended_settings: true }),
      await vpn.buy(user, server, 'amnezia-wg-2'),
    ]
    const proxyPath = `/configs/${vless.id}/subconfig`
    const proxy = await vpn.ask<BoughtConfig>(user, 'POST', proxyPath, { protocol: 'mtproto' })
    await vpn.applied(server)
    const configs = [vless, personal, tunnel]
    const old: Client[] = []
    for (const one of [...configs, proxy]) old.push(await connect(one))
    return { user, configs, proxyPath, old }
  }

  const round = async (): Promise<void> => {
    await vpn.service.running.runJobs()
    await Promise.all([vpn.applied(entry), vpn.applied(exit)])
  }
  const working = async (some: readonly Client[]): Promise<boolean[]> => {
    const answers: boolean[] = []
    for (const client of some) answers.push(await reaches(client))
    return answers
  }
  const fresh = async ({ user, configs, proxyPath }: Customer): Promise<Client[]> => {
    const { body } = await vpn.service.customer(user, 'GET', '/configs')
    const now = configs.map(({ id }) => body.data.find((row: BoughtConfig) => row.id === id))
    const started: Client[] = []
    for (const one of [...now, await vpn.ask<BoughtConfig>(user, 'GET', proxyPath)]) {
      started.push(await connect(one))
    }
    return started
  }
  const untilAll = (some: readonly Client[]): Promise<void> =>
    until('all of them to work', async () => (await working(some)).every(Boolean))

  beforeAll(async () => {
    lab = await Lab.open()
    await Internet.open(lab, engines.xray)
    await startTelegram(lab)
    vpn = await Vpn.open(lab)
    entry = await vpn.addServer('entry', 1)
    exit = await vpn.addServer('exit', 1)
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await vpn?.close()
    await lab?.close()
  })

  test('old links work until the app has fetched, or 7 days have passed; new ones at once', {
    timeout,
  }, async () => {
    const [fetching, idle] = [await settle(entry), await settle(entry)]
    await untilAll([...fetching.old, ...idle.old])
    const { status } = await vpn.service.operator('POST', `/servers/${entry.serverId}/drain`, {
      to_server_ids: [exit.serverId],
    })
    expect(status).toBe(200)
    await round()
    await untilAll([...fetching.old, ...idle.old])
    const [moved, unseen] = [await fresh(fetching), await fresh(idle)]
    await untilAll([...moved, ...unseen])

    const key = fetching.user.subscription_key
    await vpn.service.call('GET', `/sub/${key}`, { headers: { 'user-agent': 'v2rayNG/1.9.0' } })
    await round()
    // The proxy is in no subscription, so nobody fetches it.
    expect(await working(fetching.old)).toEqual([false, false, false, true])
    expect(await working(idle.old)).toEqual([true, true, true, true])
    await untilAll(moved)

    await vpn.service.db.updateTable('held_accesses').set({ until: 1 }).execute()
    await round()
    expect(await working([...fetching.old, ...idle.old])).toEqual(Array.from({ length: 8 }, () => false))
    await untilAll([...moved, ...unseen])
    await round()
    const { body } = await vpn.service.operator('GET', `/servers/${entry.serverId}/drain`)
    expect(body.data).toEqual({ state: 'done', total: 6, moved: 6, left: 0, failed: [], failed_total: 0 })
  })

  test('to another server of the same machine: ports go over to the old links', { timeout }, async () => {
    const { body } = await vpn.service.operator('POST', '/servers', {
      node_id: exit.nodeId,
      location_id: 1,
      capacity: 100,
      reality_target: `${addresses.site}:${tlsPort}`,
      reality_server_name: siteNames[0],
    })
    await vpn.applied(exit)
    const customer = await settle(exit)
    await untilAll(customer.old)
    const path = `/servers/${exit.serverId}/drain`
    const { status } = await vpn.service.operator('POST', path, { to_server_ids: [body.data.id] })
    expect(status).toBe(200)
    await round()
    await untilAll(customer.old)
    const moved = await fresh(customer)
    await untilAll([...moved, ...customer.old])
    await vpn.service.db.updateTable('held_accesses').set({ until: 1 }).execute()
    await round()
    expect(await working(customer.old)).toEqual([false, false, false, false])
    await untilAll(moved)
  })
})
