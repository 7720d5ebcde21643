import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith, xrayPath } from '../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../test/support/engines/tls-site.ts'
import {
  outboundFromLink,
  startDownload,
  startXrayClient,
  type XrayClient,
} from '../test/support/engines/xray-client.ts'
import { xray } from '../test/support/pieces.ts'
import { freePort } from '../test/support/ports.ts'
import { startTestService, type TestService, type TestUser } from '../test/support/service.ts'
import { AgentUnderTest, until } from './support/agent.ts'

const thirtyDays = 1
const wholeYear = 4

/** From a purchase to a packet: the real service, the real agent, real Xray on both ends. */
describeWith(xray, 'the spine', () => {
  const binary = xrayPath() ?? ''
  const clients: XrayClient[] = []
  let service: TestService
  let site: TlsSite
  let agent: AgentUnderTest
  let directory: string
  let nodeId: number
  let serverId: number

  const node = async () => {
    const { body } = await service.operator('GET', '/nodes')
    return body.data.find((row: { id: number }) => row.id === nodeId)
  }
  const applied = () =>
    until('the agent to apply the newest state', async () => {
      const { desired_revision, applied_revision } = await node()
      return desired_revision === applied_revision
    })
  const buy = async (user: TestUser, tariffId: number, options: object = {}) => {
    const body = {
      location_id: 1,
      server_id: serverId,
      protocol: 'vless',
      payment_method_id: 1,
      tariff_id: tariffId,
      ...options,
    }
    const answer = await service.customer(user, 'POST', '/configs', body)
    expect(answer.body).toMatchObject({ statusCode: 201 })
    return answer.body.data as { id: number; expires_at: number; connection_url: string }
  }
  /** What a client app does: fetch the subscription, take a link, connect. */
  const connect = async (user: TestUser, index = 0): Promise<XrayClient> => {
    const { body } = await service.call('GET', `/sub/${user.subscription_key}`)
    const link = Buffer.from(body, 'base64').toString().split('\n')[index] as string
    const client = await startXrayClient(binary, directory, outboundFromLink(link))
    clients.push(client)
    return client
  }
  const fetchBytes = async (client: XrayClient, size: number): Promise<number> =>
    (await startDownload(client, site.port, `/bytes/${size}`)).ended
  const isServed = async (client: XrayClient): Promise<boolean> => (await fetchBytes(client, 1000)) > 1000
  const downloadedBy = async (user: TestUser): Promise<number> => {
    const { headers } = await service.call('GET', `/sub/${user.subscription_key}`)
    return Number(/download=(\d+)/.exec(headers.get('subscription-userinfo') ?? '')?.[1])
  }

  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-e2e-'))
    const place = { address: '127.0.0.1', listen_address: '127.0.0.1' }
    const created = await service.operator('POST', '/nodes', { name: 'e2e', ...place })
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
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.close()))
  })
  afterAll(async () => {
    await agent?.end('SIGTERM')
    await site?.close()
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('buy, fetch the subscription, load a page through the tunnel, see the traffic', async () => {
    const user = await service.createUser({ balance: 1000 })
    await buy(user, thirtyDays)
    await applied()
    const client = await connect(user)
    expect(await fetchBytes(client, 3_000_000)).toBeGreaterThan(3_000_000)
    await until('the traffic to be counted', async () => (await downloadedBy(user)) > 2_950_000)
    expect(await downloadedBy(user)).toBeLessThan(3_200_000)
    expect((await node()).engines[0]).toMatchObject({ name: 'xray', state: 'running' })
  })

  test('the variants of the link work: without flow, without a server name', async () => {
    const user = await service.createUser({ balance: 1000 })
    await buy(user, thirtyDays, { disable_flow_reality: true })
    await buy(user, thirtyDays, { disable_sni: true })
    await applied()
    expect(await isServed(await connect(user, 0))).toBe(true)
    expect(await isServed(await connect(user, 1))).toBe(true)
  })

  test('a download keeps running while customers come and go; an ended one stops within a minute', async () => {
    const [stays, leaves] = [
      await service.createUser({ balance: 5000 }),
      await service.createUser({ balance: 5000 }),
    ]
    await buy(stays, wholeYear)
    const ending = await buy(leaves, thirtyDays)
    await applied()
    const [stayingClient, leavingClient] = [await connect(stays), await connect(leaves)]
    const running = await startDownload(stayingClient, site.port, '/drip')
    const cut = await startDownload(leavingClient, site.port, '/drip')
    await until('both downloads to run', () => running.bytes() > 0 && cut.bytes() > 0)

    const crowd = await Promise.all(Array.from({ length: 20 }, () => service.createUser({ balance: 1000 })))
    for (const customer of crowd) await buy(customer, thirtyDays)
    await applied()
    expect(await isServed(await connect(crowd[19] as TestUser))).toBe(true)

    service.clock.advance(ending.expires_at - service.clock.now())
    const endedAt = Date.now()
    await Promise.race([cut.ended, new Promise((resolve) => setTimeout(resolve, 60_000))])
    expect(Date.now() - endedAt).toBeLessThan(60_000)
    await applied()
    expect(await isServed(leavingClient)).toBe(false)
    expect(await isServed(stayingClient)).toBe(true)
    const before = running.bytes()
    await until('the other download to go on', () => running.bytes() > before + 500_000)
    let hasEnded = false
    void running.ended.then(() => {
      hasEnded = true
    })
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(hasEnded).toBe(false)
    running.close()
  })

  test('agent and Xray restarted while the service is away serve on, and converge when it is back', async () => {
    const [user, late] = [
      await service.createUser({ balance: 5000 }),
      await service.createUser({ balance: 5000 }),
    ]
    await buy(user, wholeYear)
    await applied()
    const client = await connect(user)
    await service.whileAway(async () => {
      await agent.end('SIGKILL')
      const orphan = Number(await readFile(join(directory, 'agent', 'xray.pid'), 'utf8'))
      process.kill(orphan, 'SIGKILL')
      expect(await isServed(client)).toBe(false)
      agent.start()
      await until('the customer to be served without the service', () => isServed(client))
    })
    await until('the node to be back', async () => (await node()).is_online)
    await buy(late, thirtyDays)
    await applied()
    expect(await isServed(await connect(late))).toBe(true)
    expect(await isServed(client)).toBe(true)
  })
})
