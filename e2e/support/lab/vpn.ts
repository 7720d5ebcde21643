import type { TestDatabase } from '../../../test/support/databases/database.ts'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'
import { until } from '../agent.ts'
import { LabAgent } from './agent.ts'
import { siteNames, tlsPort } from './internet.ts'
import { addresses, type Lab, type ServerRole } from './namespaces.ts'
import { type Relay, relayTo } from './relay.ts'

export interface BoughtConfig {
  readonly id: number
  readonly connection_url: string
  readonly awg_config?: string
  readonly xray_config?: string
}

/** A node with one server on it. */
export interface LabNode {
  readonly nodeId: number
  readonly serverId: number
  readonly locationId: number
}

export interface LabServer extends LabNode {
  readonly agent: LabAgent
}

interface NodeRow {
  readonly id: number
  readonly is_online: boolean
  readonly desired_revision: number
  readonly applied_revision: number
  readonly apply_error: string | null
  readonly engines: readonly {
    readonly name: string
    readonly state: string
    readonly detail: string | null
  }[]
}

const wholeYear = 4
const balanceMethod = 1

/** The service's time passes as everybody's does, from wherever a test has put it. */
const followTime = ({ clock }: TestService): (() => void) => {
  const second = () => Math.floor(Date.now() / 1000)
  let last = second()
  const timer = setInterval(() => {
    const now = second()
    clock.advance(Math.max(0, now - last))
    last = now
  }, 500)
  return () => clearInterval(timer)
}

/** The whole product in the lab: the service on this machine, an agent on each server. */
export class Vpn {
  readonly service: TestService
  readonly #lab: Lab
  readonly #servers: LabServer[] = []
  readonly #relays: Relay[] = []

  readonly #stopFollowing: () => void

  private constructor(lab: Lab, service: TestService, stopFollowing: () => void) {
    this.#lab = lab
    this.service = service
    this.#stopFollowing = stopFollowing
  }

  static async open(lab: Lab, env: Record<string, string> = {}, database?: TestDatabase): Promise<Vpn> {
    const service = await startTestService({ withoutLimits: true, env, ...(database && { database }) })
    // Certificates are made by the service's clock and looked at by the clients' own, and agents report by theirs.
    service.clock.advance(Math.floor(Date.now() / 1000) - service.clock.now())
    return new Vpn(lab, service, followTime(service))
  }

  /** Registers a server of the lab as an operator would, and starts its agent. */
  async addServer(
    role: ServerRole,
    locationId: number,
    { fields = {}, env = {} }: { fields?: object; env?: Record<string, string> } = {},
  ): Promise<LabServer> {
    const relay = await relayTo(this.#lab.managementAddress(role), this.service.running.url)
    this.#relays.push(relay)
    const { token, ...node } = await this.register(role, locationId, fields)
    const agent = new LabAgent(this.#lab, role, {
      SALLYPORT_URL: relay.url,
      SALLYPORT_ENROL_TOKEN: token,
      ...env,
    })
    agent.start()
    const server = { ...node, agent }
    this.#servers.push(server)
    await this.#untilOn(server, 'to come online', (row) => row.is_online)
    return server
  }

  /** What an operator does before there is an agent. */
  async register(
    role: ServerRole,
    locationId: number,
    fields: object = {},
  ): Promise<LabNode & { readonly token: string }> {
    const address = addresses[role]
    const node = await this.#operate('/nodes', { name: role, address, listen_address: address })
    const { id: serverId } = await this.#operate('/servers', {
      node_id: node.id,
      location_id: locationId,
      capacity: 100,
      reality_target: `${addresses.site}:${tlsPort}`,
      reality_server_name: siteNames[0],
      other_reality_target: `${addresses.otherSite}:${tlsPort}`,
      other_reality_server_name: siteNames[1],
      ...fields,
    })
    return { nodeId: node.id, serverId, locationId, token: node.enrolment_token }
  }

  async node({ nodeId }: LabNode): Promise<NodeRow> {
    const { body } = await this.service.operator('GET', '/nodes')
    return body.data.find((row: NodeRow) => row.id === nodeId)
  }

  /** Waits until the agent has applied the newest state. */
  applied(server: LabNode): Promise<void> {
    return this.#untilOn(
      server,
      'to apply the newest state',
      (row) => row.desired_revision === row.applied_revision,
    )
  }

  buy(user: TestUser, server: LabNode, protocol: string, options: object = {}): Promise<BoughtConfig> {
    return this.ask<BoughtConfig>(user, 'POST', '/configs', {
      location_id: server.locationId,
      server_id: server.serverId,
      protocol,
      payment_method_id: balanceMethod,
      tariff_id: wholeYear,
      ...options,
    })
  }

  /** The data of a customer's call that has to succeed. */
  async ask<T>(user: TestUser, method: string, path: string, body?: unknown): Promise<T> {
    const { status, body: answer } = await this.service.customer(user, method, path, body)
    if (status >= 300) throw new Error(`${method} ${path} answered ${JSON.stringify(answer)}`)
    return answer.data as T
  }

  async close(): Promise<void> {
    this.#stopFollowing()
    for (const { agent } of this.#servers) await agent.end('SIGTERM')
    for (const relay of this.#relays) await relay.close()
    await this.service.stop()
  }

  async #operate(path: string, body: object): Promise<{ id: number; enrolment_token: string }> {
    const { status, body: answer } = await this.service.operator('POST', path, body)
    if (status !== 201) throw new Error(`POST ${path} answered ${JSON.stringify(answer)}`)
    return answer.data
  }

  /** What the agent said is worth more than the time that was waited. */
  async #untilOn(
    server: LabNode & { agent?: LabAgent },
    what: string,
    isTrue: (row: NodeRow) => boolean,
  ): Promise<void> {
    try {
      await until(`node ${server.nodeId} ${what}`, async () => isTrue(await this.node(server)), 120)
    } catch (error) {
      const { apply_error, engines } = await this.node(server)
      const said = JSON.stringify({ apply_error, engines, agent: server.agent?.output.slice(-2000) })
      throw new Error(`${error instanceof Error ? error.message : error}: ${said}`)
    }
  }
}
