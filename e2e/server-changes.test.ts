import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:tls'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { describeWith } from '../test/support/engines/engines.ts'
import { xray } from '../test/support/pieces.ts'
import type { TestService, TestUser } from '../test/support/service.ts'
import { until } from './support/agent.ts'
import { RealNode } from './support/real-node.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

/** An operator changes a server while a customer is on it; the service, the agent and Xray are real. */
describeWith(xray, 'a server that is changed in use', () => {
  let node: RealNode
  let service: TestService
  let user: TestUser

  const linkOf = async (): Promise<string> => (await node.linksOf(user))[0] ?? ''
  const isServed = async (link: string): Promise<boolean> => node.isServed(await node.connect(link))
  const change = async (body: object) => {
    const answer = await service.operator('PATCH', `/servers/${node.serverId}`, body)
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
    node = await RealNode.start({ name: 'changing', locationId: 2, server: { domain: 'first.example.com' } })
    service = node.service
    user = await service.createUser({ balance: 1000 })
    await service.buy(user, { location_id: 2, server_id: node.serverId })
  })
  afterAll(() => node?.stop())

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
    const { ports } = (await service.operator('GET', `/servers/${node.serverId}`)).body.data
    await change({ protocols: ['vless'] })
    await until('nobody to listen', async () => {
      return (await certificateAt(ports.trojan, 'second.example.com')) === undefined
    })
    await until('the customer to be served', async () => isServed(await linkOf()))
  })
})
