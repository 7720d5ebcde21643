import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../test/support/engines/engines.ts'
import type { XrayClient } from '../test/support/engines/xray-client.ts'
import { xray } from '../test/support/pieces.ts'
import type { TestService, TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { RealNode } from './support/real-node.ts'

const thirtyDays = 1
const wholeYear = 4

/** From a purchase to a packet: the real service, the real agent, real Xray on both ends. */
describeWith(xray, 'the spine', () => {
  let node: RealNode
  let service: TestService

  const buy = async (user: TestUser, tariffId: number, options: object = {}) => {
    const body = {
      location_id: 1,
      server_id: node.serverId,
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
  const connect = async (user: TestUser, index = 0): Promise<XrayClient> =>
    node.connect((await node.linksOf(user))[index] as string)
  const downloadedBy = async (user: TestUser): Promise<number> => {
    const { headers } = await service.call('GET', `/sub/${user.subscription_key}`)
    return Number(/download=(\d+)/.exec(headers.get('subscription-userinfo') ?? '')?.[1])
  }

  beforeAll(async () => {
    node = await RealNode.start({ name: 'e2e' })
    service = node.service
  })
  afterEach(() => node?.disconnectAll())
  afterAll(() => node?.stop())

  test('buy, fetch the subscription, load a page through the tunnel, see the traffic', async () => {
    const user = await service.createUser({ balance: 1000 })
    await buy(user, thirtyDays)
    await node.applied()
    const client = await connect(user)
    expect(await node.fetchBytes(client, 3_000_000)).toBeGreaterThan(3_000_000)
    await until('the traffic to be counted', async () => (await downloadedBy(user)) > 2_950_000)
    expect(await downloadedBy(user)).toBeLessThan(3_200_000)
    expect((await node.seen()).engines[0]).toMatchObject({ name: 'xray', state: 'running' })
  })

  test('the variants of the link work: without flow, without a server name', async () => {
    const user = await service.createUser({ balance: 1000 })
    await buy(user, thirtyDays, { disable_flow_reality: true })
    await buy(user, thirtyDays, { disable_sni: true })
    await node.applied()
    expect(await node.isServed(await connect(user, 0))).toBe(true)
    expect(await node.isServed(await connect(user, 1))).toBe(true)
  })

  test('a download keeps running while customers come and go; an ended one stops within a minute', async () => {
    const [stays, leaves] = [
      await service.createUser({ balance: 5000 }),
      await service.createUser({ balance: 5000 }),
    ]
    await buy(stays, wholeYear)
    const ending = await buy(leaves, thirtyDays)
    await node.applied()
    const [stayingClient, leavingClient] = [await connect(stays), await connect(leaves)]
    const running = await node.download(stayingClient, '/drip')
    const cut = await node.download(leavingClient, '/drip')
    await until('both downloads to run', () => running.bytes() > 0 && cut.bytes() > 0)

    const crowd = await Promise.all(Array.from({ length: 20 }, () => service.createUser({ balance: 1000 })))
    for (const customer of crowd) await buy(customer, thirtyDays)
    await node.applied()
    expect(await node.isServed(await connect(crowd[19] as TestUser))).toBe(true)

    service.clock.advance(ending.expires_at - service.clock.now())
    const endedAt = Date.now()
    await Promise.race([cut.ended, new Promise((resolve) => setTimeout(resolve, 60_000))])
    expect(Date.now() - endedAt).toBeLessThan(60_000)
    await node.applied()
    expect(await node.isServed(leavingClient)).toBe(false)
    expect(await node.isServed(stayingClient)).toBe(true)
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

  test('check 42: agent and Xray restarted while the service is away serve on, and converge when it is back', async () => {
    const [user, late] = [
      await service.createUser({ balance: 5000 }),
      await service.createUser({ balance: 5000 }),
    ]
    await buy(user, wholeYear)
    await node.applied()
    const client = await connect(user)
    await service.whileAway(async () => {
      await node.agent.end('SIGKILL')
      const orphan = Number(await readFile(join(node.directory, 'agent', 'xray.pid'), 'utf8'))
      process.kill(orphan, 'SIGKILL')
      expect(await node.isServed(client)).toBe(false)
      node.agent.start()
      await until('the customer to be served without the service', () => node.isServed(client))
    })
    await node.online()
    await buy(late, thirtyDays)
    await node.applied()
    expect(await node.isServed(await connect(late))).toBe(true)
    expect(await node.isServed(client)).toBe(true)
  })
})
