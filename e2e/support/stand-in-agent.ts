import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import type { Report } from '@sallyport/contract/agent'
import { SignJWT } from 'jose'
import { demand } from './call.ts'

const report: Report = {
  agent_version: '0.1.0',
  applied_revision: 0,
  applied_hash: '',
  apply_error: null,
  refused: [],
  engines: [{ name: 'xray', state: 'running', version: '26.3.27', detail: null }],
  host: { cpu_percent: 1, ram_percent: 1, up_mbps: 0, down_mbps: 0, uptime_seconds: 1, cpu_model: 'none' },
  traffic: [],
}

/** Reports for a node and runs nothing: servers are sold only while their node is alive. */
export class StandInAgent {
  readonly #nodeId: number
  readonly #key: KeyObject

  constructor(nodeId: number, key: KeyObject) {
    this.#nodeId = nodeId
    this.#key = key
  }

  async beat(url: string): Promise<void> {
    const token = await new SignJWT()
      .setProtectedHeader({ alg: 'EdDSA', kid: String(this.#nodeId), typ: 'agent+jwt' })
      .setIssuer('sallyport-agent')
      .setAudience('sallyport')
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(this.#key)
    await demand(url, 'POST', '/agent/v1/report', { token, body: report })
  }
}

/** A node with one roomy server in location 1, and an agent that speaks for it. */
export const addSellingNode = async (url: string, operatorToken: string): Promise<StandInAgent> => {
  const ask = (path: string, body: unknown) =>
    demand(url, 'POST', `/operator/v1${path}`, { token: operatorToken, body })
  const node = await ask('/nodes', { name: 'stand-in', address: '203.0.113.5' })
  await ask('/servers', {
    node_id: node.id,
    location_id: 1,
    capacity: 100_000,
    protocols: ['vless'],
    ports: { vless: 443 },
    reality_target: 'www.example.com:443',
    reality_server_name: 'www.example.com',
  })
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x } = privateKey.export({ format: 'jwk' })
  await demand(url, 'POST', '/agent/v1/enrol', { body: { token: node.enrolment_token, public_key: x } })
  return new StandInAgent(node.id, privateKey)
}
