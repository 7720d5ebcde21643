import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
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

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** An operator changes a server while a customer is on it; the service, the agent and Xray are real. */
describeWith(xray, 'a server that is changed in use', () => {
  const binary = xrayPath() ?? ''
  const clients: XrayClient[] = []
  let service: TestService
  let site: TlsSite
  let agent: AgentUnderTest
  let directory: string
  let nodeId: number
  let serverId: number
  let user: TestUser

  const isNodeOnline = async (): Promise<boolean> =>
    (await service.operator('GET', `/nodes/${nodeId}`)).body.data.is_online
  const linkOf = async (): Promise<string> => {
    const { body } = await service.call('GET', `/sub/${user.subscription_key}`)
    return Buffer.from(body, 'base64').toString().split('\n')[0] ?? ''
  }
  const isServed = async (link: string): Promise<boolean> => {
    const client = await startXrayClient(binary, directory, outboundFromLink(link))
    clients.push(client)
    return (await (await startDownload(client, site.port, '/bytes/1000')).ended) > 1000
  }
  const change = async (body: object) => {
    const answer = await service.operator('PATCH', `/servers/${serverId}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data
  }
  /** The certificate that a stranger is shown there; undefined while nobody listens. */
  const certificateAt = async (port: number, servername: string): Promise<X509Certificate | undefined> => {
    const socket = connect({ host: '127.0.0.1', port, servername, rejectUnauthorized: false })
    try {
      await once(socket, 'secureConnect')
      return new X509Certificate(socket.getPeerCertificate().raw)
    } catch {
      return undefined
    } finally {
      socket.destroy()
    }
  }

  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
    site = await startTlsSite(binary)
    directory = await mkdtemp(join(tmpdir(), 'sallyport-e2e-'))
    const place = { address: '127.0.0.1', listen_address: '127.0.0.1' }
    const created = await service.operator('POST', '/nodes', { name: 'changing', ...place })
    nodeId = created.body.data.id
    const made = await service.operator('POST', '/servers', {
      node_id: nodeId,
      location_id: 2,
      capacity: 10,
      protocols: ['vless'],
      ports: { vless: await freePort() },
      domain: 'first.example.com',
      reality_target: `127.0.0.1:${site.port}`,
      reality_server_name: 'localhost',
    })
    serverId = made.body.data.id
    agent = new AgentUnderTest({
      SALLYPORT_URL: service.running.url,
      SALLYPORT_AGENT_DIR: join(directory, 'agent'),
      SALLYPORT_ENROL_TOKEN: created.body.data.enrolment_token,
      SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
    })
    agent.start()
    await until('the node to come online', isNodeOnline)
    user = await service.createUser({ balance: 1000 })
    await service.buy(user, { location_id: 2, server_id: serverId })
  })
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()))
    await agent?.end('SIGTERM')
    await site?.close()
    await service?.stop()
    await rm(directory, { recursive: true, force: true })
  })

  test('a protocol comes, a certificate is another one, and the customer is served with the same link', async () => {
    const link = await linkOf()
    await until('the customer to be served', () => isServed(link))
    const { ports } = await change({ protocols: ['vless', 'trojan'] })
    const shown = () => certificateAt(ports.trojan, 'first.example.com')
    await until('the new protocol to be served', async () => (await shown()) !== undefined)
    expect((await shown())?.subject).toContain('first.example.com')
    const given = selfSignedCertificate({
      serverName: 'second.example.com',
      notBefore: service.clock.now() - 86_400,
      days: 90,
      keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      serial: '0123456789abcdef0123456789abcdef',
    })
    await change({
      domain: 'second.example.com',
      certificate: given.certificate,
      certificate_key: given.key,
    })
    const { fingerprint256 } = new X509Certificate(given.certificate)
    await until('the new certificate to be served', async () => {
      const now = await certificateAt(ports.trojan, 'second.example.com')
      return now?.fingerprint256 === fingerprint256
    })
    expect(await linkOf()).toBe(link)
    await until('the customer to be served', () => isServed(link))
  })

  test('another name: the next fetch says it, and works', async () => {
    const before = await linkOf()
    await change({ reality_server_name: 'www.localhost' })
    const after = await linkOf()
    expect(new URL(after).searchParams.get('sni')).toBe('www.localhost')
    expect(new URL(after).searchParams.get('pbk')).toBe(new URL(before).searchParams.get('pbk'))
    await until('the customer to be served', () => isServed(after))
  })

  test('a protocol goes, and nobody listens there any more', async () => {
    const { ports } = (await service.operator('GET', `/servers/${serverId}`)).body.data
    await change({ protocols: ['vless'] })
    await until('nobody to listen', async () => {
      return (await certificateAt(ports.trojan, 'second.example.com')) === undefined
    })
    await until('the customer to be served', async () => isServed(await linkOf()))
  })
})
