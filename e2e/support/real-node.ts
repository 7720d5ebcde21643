import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { xrayPath } from '../../test/support/engines/engines.ts'
import { startTlsSite, type TlsSite } from '../../test/support/engines/tls-site.ts'
import {
  outboundFromLink,
  startDownload,
  startXrayClient,
  type XrayClient,
} from '../../test/support/engines/xray-client.ts'
import { freePort } from '../../test/support/ports.ts'
import { startTestService, type TestService, type TestUser } from '../../test/support/service.ts'
import { AgentUnderTest, until } from './agent.ts'

/** A service with a node whose agent and Xray are real, and clients that come through it to a site. */

export interface RealNodeOptions {
  readonly name: string
  readonly locationId?: number
  /** What its server has beside VLESS. */
  readonly server?: object
}

interface Parts {
  readonly service: TestService
  readonly site: TlsSite
  readonly directory: string
  readonly agent: AgentUnderTest
  readonly nodeId: number
  readonly serverId: number
}

const binary = xrayPath() ?? ''

export class RealNode {
  readonly service: TestService
  readonly directory: string
  readonly agent: AgentUnderTest
  readonly serverId: number
  readonly #site: TlsSite
  readonly #nodeId: number
  readonly #clients: XrayClient[] = []

  private constructor({ service, site, directory, agent, nodeId, serverId }: Parts) {
    this.service = service
    this.directory = directory
    this.agent = agent
    this.serverId = serverId
    this.#site = site
    this.#nodeId = nodeId
  }

  /** It is online when this returns. */
  static async start({ name, locationId = 1, server = {} }: RealNodeOptions): Promise<RealNode> {
    const service = await startTestService({ withoutLimits: true })
    const site = await startTlsSite(binary)
    const directory = await mkdtemp(join(tmpdir(), 'sallyport-e2e-'))
    const place = { address: '127.0.0.1', listen_address: '127.0.0.1' }
    const created = await service.operator('POST', '/nodes', { name, ...place })
    const { id: nodeId, enrolment_token: enrolment } = created.body.data
    const made = await service.operator('POST', '/servers', {
      node_id: nodeId,
      location_id: locationId,
      capacity: 500,
      protocols: ['vless'],
      ports: { vless: await freePort() },
      reality_target: `127.0.0.1:${site.port}`,
      reality_server_name: 'localhost',
      ...server,
    })
    const agent = new AgentUnderTest({
      SALLYPORT_URL: service.running.url,
      SALLYPORT_AGENT_DIR: join(directory, 'agent'),
      SALLYPORT_ENROL_TOKEN: enrolment,
      SALLYPORT_ALLOW_PRIVATE_TARGETS: 'true',
    })
    const node = new RealNode({ service, site, directory, agent, nodeId, serverId: made.body.data.id })
    agent.start()
    await node.online()
    return node
  }

  /** As the operator sees it. */
  async seen() {
    return (await this.service.operator('GET', `/nodes/${this.#nodeId}`)).body.data
  }

  online(): Promise<void> {
    return until('the node to be online', async () => (await this.seen()).is_online)
  }

  applied(): Promise<void> {
    return until('the agent to apply the newest state', async () => {
      const { desired_revision, applied_revision } = await this.seen()
      return desired_revision === applied_revision
    })
  }

  /** The links of a subscription, as an app fetches them. */
  async linksOf(user: TestUser): Promise<string[]> {
    const { body } = await this.service.call('GET', `/sub/${user.subscription_key}`)
    return Buffer.from(body, 'base64').toString().split('\n')
  }

  async connect(link: string): Promise<XrayClient> {
    const client = await startXrayClient(binary, this.directory, outboundFromLink(link))
    this.#clients.push(client)
    return client
  }

  /** From the site behind the tunnel. */
  download(client: XrayClient, path: string) {
    return startDownload(client, this.#site.port, path)
  }

  async fetchBytes(client: XrayClient, size: number): Promise<number> {
    return (await this.download(client, `/bytes/${size}`)).ended
  }

  async isServed(client: XrayClient): Promise<boolean> {
    return (await this.fetchBytes(client, 1000)) > 1000
  }

  async disconnectAll(): Promise<void> {
    await Promise.all(this.#clients.splice(0).map((client) => client.close()))
  }

  async stop(): Promise<void> {
    await this.disconnectAll()
    await this.agent.end('SIGTERM')
    await this.#site.close()
    await this.service.stop()
    await rm(this.directory, { recursive: true, force: true })
  }
}
