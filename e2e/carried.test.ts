import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

/** A program that is no engine of ours has the port of an inbound; the service, the agent and Xray are real. */
describeWith(xray, 'a port that is taken', () => {
  const binary = xrayPath() ?? ''
  const clients: XrayClient[] = []
  const others: Server[] = []
  let service: TestService
  let site: TlsSite
  let agent: AgentUnderTest
  let directory: string
  let nodeId: number

  const takePort = async (): Promise<{ port: number; other: Server }> => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    others.push(other)
    return { port, other }
  }
  const addServer = async (locationId: number, port: number): Promise<number> => {
    const { body } = await service.operator('POST', '/servers', {
      node_id: nodeId,
      location_id: locationId,
      capacity: 10,
      protocols: ['vless'],
      ports: { vless: port },
      reality_target: `127.0.0.1:${site.port}`,
      reality_server_name: 'localhost',
    })
    return body.data.id
  }
  const isNodeOnline = async (): Promise<boolean> => {
    const { body } = await service.operator('GET', '/nodes')
    return body.data.find((row: { id: number }) => row.id === nodeId).is_online
  }
  const configOf = async (user: TestUser) => (await service.customer(user, 'GET', '/configs')).body.data[0]
  const isServed = async (user: TestUser): Promise<boolean> => {
    const { body } = await service.call('GET', `/sub/${user.subscription_key}`)
    const [link = ''] = Buffer.from(body, 'base64').toString().split('\n')
    const client = await startXrayClient(binary, directory, outboundFromLink(link))
    clients.push(client)
    return (await (await startDownload(client, site.port, '/bytes/1000')).ended) > 1000
  }
  const buyOn = async (locationId: number, serverId: number): Promise<TestUser> => {
    const user = await service.createUser({ balance: 1000 })
    await service.buy(user, { location_id: locationId, server_id: serverId })
    return user
  }
  /** Two minutes of the service's time; the node is heard of in them as always. */
  const twoMinutes = async (): Promise<void> => {
    service.clock.advance(125)
    await until('the node to be heard of', isNodeOnline)
    await service.running.runJobs()
  }

  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-e2e-'))
    const place = { address: '127.0.0.1', listen_address: '127.0.0.1' }
    const created = await service.operator('POST', '/nodes', { name: 'taken', ...place })
    nodeId = created.body.data.id
    agent = new AgentUnderTest({
      SALLYPORT_URL: service.running.url,
      SALLYPORT_AGENT_DIR: join(directory, 'agent'),
      SALLYPORT_ENROL_TOKEN: created.body.data.enrolment_token,
      SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
    })
    agent.start()
    await until('the node to come online', isNodeOnline)
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    for (const other of others) other.close()
    await agent?.end('SIGTERM')
    await site?.close()
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('has its customers served by another server of the location two minutes later', async () => {
    const { port } = await takePort()
    const closed = await addServer(2, port)
    const user = await buyOn(2, closed)
    await until('it to be shown as not online', async () => !(await configOf(user)).is_online)
    expect((await configOf(user)).server_id).toBe(closed)
    const open = await addServer(2, await freePort())
    await twoMinutes()
    await until('it to be on the other server', async () => (await configOf(user)).server_id === open)
    expect((await configOf(user)).is_online).toBe(true)
    await until('it to be served', () => isServed(user))
  })

  test('where it is the only one, the days stand still until the port is free', async () => {
    const { port, other } = await takePort()
    const serverId = await addServer(3, port)
    const user = await buyOn(3, serverId)
    const { expires_at: end } = await configOf(user)
    await until('it to be shown as not online', async () => !(await configOf(user)).is_online)
    await twoMinutes()
    const alerts = async (): Promise<unknown[]> =>
      (await service.operator('GET', '/alerts')).body.data.filter(
        (one: { subject: string; resolved_at: number | null }) =>
          one.subject === `server:${serverId}` && one.resolved_at === null,
      )
    await until('an alert', async () => (await alerts()).length === 1)
    const told = (await service.customer(user, 'GET', '/profile/notifications')).body.data
    expect(told.map((one: { content: string }) => one.content)).toEqual([
      expect.stringContaining('Дни в это время не расходуются'),
    ])
    service.clock.advance(86_400)
    await until('the node to be heard of', isNodeOnline)
    other.close()
    await until('it to be online', async () => (await configOf(user)).is_online)
    await service.running.runJobs()
    expect(await alerts()).toEqual([])
    expect((await configOf(user)).expires_at - end).toBeGreaterThan(86_400)
    expect((await configOf(user)).expires_at - end).toBeLessThan(86_400 + 600)
    await until('it to be served', () => isServed(user))
  })
})
