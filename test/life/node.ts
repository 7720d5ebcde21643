import { generateKeyPairSync } from 'node:crypto'
import type { Access, DesiredState, EngineHealth } from '@sallyport/contract/agent/agent'
import type { Report } from '@sallyport/contract/agent/report'
import { emptyReport, signNodeToken } from '../support/node.ts'
import type { Answer, TestService } from '../support/service.ts'

/** The agent of a machine, as far as the service can tell. */

const engine = (name: EngineHealth['name']): EngineHealth => ({
  name,
  state: 'running',
  version: '1.0',
  detail: null,
})

export class LifeNode {
  readonly name: string
  readonly address: string
  id = 0
  isAlive = true
  /** Of the state that was written down last. */
  revision = 0
  engines = [engine('xray'), engine('amneziawg'), engine('mtg')]
  readonly #service: TestService
  readonly #key = generateKeyPairSync('ed25519').privateKey

  constructor(service: TestService, name: string, address: string) {
    this.#service = service
    this.name = name
    this.address = address
  }

  get publicKey(): string {
    return this.#key.export({ format: 'jwk' }).x as string
  }

  /** Its tokens live by the machine's own clock. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    const token = await signNodeToken(this.id, this.#key)
    return this.#service.call(method, `/agent/v1${path}`, { token, body })
  }

  report(change: Partial<Report> = {}): Promise<Answer> {
    return this.call('POST', '/report', { ...emptyReport, engines: this.engines, ...change })
  }

  async poll(since = 0, waitSeconds = 0): Promise<DesiredState> {
    return (await this.call('GET', `/state?since=${since}&wait_seconds=${waitSeconds}`)).body.data
  }

  /** The access whose content has this in it. */
  async accessWith(text: string): Promise<Access> {
    const { accesses } = await this.poll()
    const found = accesses.find((access) => JSON.stringify(access).includes(text))
    if (!found) throw new Error(`${this.name} carries nothing with ${text}`)
    return found
  }
}
