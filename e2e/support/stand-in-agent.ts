import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { emptyReport, signNodeToken } from '../../test/support/node.ts'
import { demand } from './call.ts'

/** Reports for a node and runs nothing: servers are sold only while their node is alive. */
export class StandInAgent {
  readonly #nodeId: number
  readonly #key: KeyObject

  constructor(nodeId: number, key: KeyObject) {
    this.#nodeId = nodeId
    this.#key = key
  }

  async beat(url: string): Promise<void> {
    const token = await signNodeToken(this.#nodeId, this.#key)
    await demand(url, 'POST', '/agent/v1/report', { token, body: emptyReport })
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
