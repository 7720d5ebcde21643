import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect } from 'vitest'
import { cloudTokenContext } from '../../apps/server/core/clouds/accounts.ts'
import { emptyReport, signNodeToken } from './node.ts'
import type { Answer, TestService } from './service.ts'

/** Accounts at providers' stand-ins, and the agents of the machines there, played by the test. */

interface Agent {
  readonly nodeId: number
  readonly key: KeyObject
  bootedAt: number
}

const tokenIn = (userData: string): string => {
  const token = /SALLYPORT_ENROL_TOKEN='([^']+)'/.exec(userData)?.[1]
  if (!token) throw new Error('There is no token in what the machine is told')
  return token
}

interface NewOffer {
  readonly cloudId: number
  readonly locationId?: number
  readonly region: string
  readonly type: string
  readonly image: string
}

export class RentedMachines {
  readonly #service: TestService
  readonly #agents = new Map<string, Agent>()

  constructor(service: TestService) {
    this.#service = service
  }

  async account(kind: 'hetzner' | 'digitalocean', token: string): Promise<number> {
    const { db, vault } = this.#service.running.services
    const row = await db
      .insertInto('clouds')
      .values({
        kind,
        title: `${kind}-${crypto.randomUUID()}`,
        token_sealed: vault.seal(token, cloudTokenContext),
        node_id: null,
        created_at: this.#service.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  }

  /** What the first configuration is had from in a location, best first; nothing else. */
  offers(...offers: readonly NewOffer[]): Promise<void> {
    return this.offersOf(1, ...offers)
  }

  async offersOf(configurationId: number, ...offers: readonly NewOffer[]): Promise<void> {
    const { db } = this.#service
    const locationId = offers[0]?.locationId ?? 1
    await db
      .deleteFrom('cloud_offers')
      .where('configuration_id', '=', configurationId)
      .where('location_id', '=', locationId)
      .execute()
    await db
      .insertInto('cloud_offers')
      .values(
        offers.map(({ cloudId, region, type, image }, position) => ({
          configuration_id: configurationId,
          location_id: locationId,
          position,
          cloud_id: cloudId,
          region,
          machine_type: type,
          image,
          reality_server_name: 'www.example.com',
          monthly_cost: null,
          cost_currency: null,
          looked_at: null,
        })),
      )
      .execute()
  }

  enrol(userData: string, publicKey: string): Promise<Answer> {
    return this.#service.call('POST', '/agent/v1/enrol', {
      body: { token: tokenIn(userData), public_key: publicKey },
    })
  }

  /** As cloud-init and the installer do it; also says that it lives. */
  async callHome(machine: { readonly name: string; readonly userData: string }): Promise<Answer> {
    const { privateKey: key } = generateKeyPairSync('ed25519')
    const { x } = key.export({ format: 'jwk' })
    const answer = await this.enrol(machine.userData, x as string)
    if (answer.status !== 200 && answer.status !== 201) return answer
    const bootedAt = this.#service.clock.now()
    this.#agents.set(machine.name, { nodeId: answer.body.data.node_id, key, bootedAt })
    await this.report(machine.name)
    return answer
  }

  async report(name: string): Promise<void> {
    const { nodeId, key, bootedAt } = this.#agents.get(name) as Agent
    const uptime_seconds = this.#service.clock.now() - bootedAt
    const { status, body } = await this.#service.call('POST', '/agent/v1/report', {
      token: await signNodeToken(nodeId, key),
      body: {
        ...emptyReport,
        engines: ['xray', 'amneziawg', 'mtg'].map((engine) => ({
          name: engine,
          state: 'running',
          version: '26.3.27',
          detail: null,
        })),
        host: { ...emptyReport.host, uptime_seconds },
      },
    })
    expect(status, JSON.stringify(body)).toBe(200)
  }

  /** All that live say so; what the service knows no longer is refused. */
  async reportAll(): Promise<void> {
    for (const name of this.#agents.keys()) {
      await this.report(name).catch(() => this.#agents.delete(name))
    }
  }

  /** Its agent is heard of no more. */
  silence(name: string): void {
    this.#agents.delete(name)
  }

  /** The machine came up anew. */
  async restarted(name: string): Promise<void> {
    const agent = this.#agents.get(name) as Agent
    agent.bootedAt = this.#service.clock.now()
    await this.report(name)
  }
}
