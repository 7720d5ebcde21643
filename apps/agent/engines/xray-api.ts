import { join } from 'node:path'
import { Client, credentials, type MethodDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import type { Access } from '@sallyport/contract/agent'

const handlerService = '/xray.app.proxyman.command.HandlerService'
const statsService = '/xray.app.stats.command.StatsService'
const paths = {
  AddUser: `${handlerService}/AlterInbound`,
  RemoveUser: `${handlerService}/AlterInbound`,
  RemoveInbound: `${handlerService}/RemoveInbound`,
  ListUsers: `${handlerService}/GetInboundUsers`,
  QueryStats: `${statsService}/QueryStats`,
}
type Method = keyof typeof paths

const callTimeoutMs = 5000

const definitions = loadSync(join(import.meta.dirname, 'xray.proto'), { longs: Number, defaults: true })
const service = definitions['sallyport.xray.XrayApi'] as unknown as Record<
  Method,
  MethodDefinition<object, unknown>
>

export interface UserTraffic {
  readonly id: string
  readonly up: number
  readonly down: number
}

interface Stat {
  readonly name: string
  readonly value: number
}

const statPattern = /^user>>>(.+)>>>traffic>>>(uplink|downlink)$/

/** Xray's flat list of counters as one row a user. */
export const userTraffic = (stats: readonly Stat[]): UserTraffic[] => {
  const rows = new Map<string, { id: string; up: number; down: number }>()
  for (const { name, value } of stats) {
    const [, id, direction] = statPattern.exec(name) ?? []
    if (id === undefined) continue
    const row = rows.get(id) ?? { id, up: 0, down: 0 }
    row[direction === 'uplink' ? 'up' : 'down'] = value
    rows.set(id, row)
  }
  return [...rows.values()]
}

/** Xray's gRPC API on the loopback address. */
export class XrayApi {
  readonly #client: Client

  constructor(apiPort: number) {
    this.#client = new Client(`127.0.0.1:${apiPort}`, credentials.createInsecure(), {
      'grpc.enable_http_proxy': 0,
      'grpc.initial_reconnect_backoff_ms': 50,
      'grpc.max_reconnect_backoff_ms': 1000,
      'grpc.max_receive_message_length': 64 * 1024 * 1024,
    })
  }

  waitUntilReady(timeoutMs: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#client.waitForReady(Date.now() + timeoutMs, (error) => (error ? reject(error) : resolve()))
    })
  }

  async addUser({ id, inbound, account }: Access): Promise<void> {
    const vless = { id: account.uuid, flow: account.flow }
    const user = { level: 0, email: id, account: { type: 'xray.proxy.vless.Account', value: vless } }
    const operation = { type: 'xray.app.proxyman.command.AddUserOperation', value: { user } }
    await this.#call('AddUser', { tag: inbound, operation })
  }

  async removeUser(inboundTag: string, id: string): Promise<void> {
    const operation = { type: 'xray.app.proxyman.command.RemoveUserOperation', value: { email: id } }
    await this.#call('RemoveUser', { tag: inboundTag, operation })
  }

  async removeInbound(tag: string): Promise<void> {
    await this.#call('RemoveInbound', { tag })
  }

  /** Names of the users that an inbound knows. */
  async listUsers(inboundTag: string): Promise<string[]> {
    const { users } = (await this.#call('ListUsers', { tag: inboundTag })) as { users: { email: string }[] }
    return users.map(({ email }) => email)
  }

  /** Bytes of every user since Xray began; never reset, so that a lost answer loses nothing. */
  async traffic(): Promise<UserTraffic[]> {
    const { stat } = (await this.#call('QueryStats', { pattern: 'user>>>', reset: false })) as {
      stat: Stat[]
    }
    return userTraffic(stat)
  }

  close(): void {
    this.#client.close()
  }

  #call(method: Method, request: object): Promise<unknown> {
    const { requestSerialize, responseDeserialize } = service[method]
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(
        paths[method],
        requestSerialize,
        responseDeserialize,
        request,
        { deadline: Date.now() + callTimeoutMs },
        (error, answer) => (error ? reject(new Error(error.details || error.message)) : resolve(answer)),
      )
    })
  }
}
