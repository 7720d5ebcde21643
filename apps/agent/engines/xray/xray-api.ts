import { Client, credentials, type MethodDefinition } from '@grpc/grpc-js'
import { fromJSON } from '@grpc/proto-loader'
import { type SharedAccess, userOf, type XrayAccount } from '@sallyport/domain/vpn/engine/xray-accounts'
import protobuf from 'protobufjs'
import type { UserTraffic } from '../common/engine.ts'
import { xrayProto } from './xray-proto.ts'

const handlerService = '/xray.app.proxyman.command.HandlerService'
const routingService = '/xray.app.router.command.RoutingService'
const statsService = '/xray.app.stats.command.StatsService'
const paths = {
  AddUser: `${handlerService}/AlterInbound`,
  RemoveUser: `${handlerService}/AlterInbound`,
  RemoveInbound: `${handlerService}/RemoveInbound`,
  RemoveOutbound: `${handlerService}/RemoveOutbound`,
  ListUsers: `${handlerService}/GetInboundUsers`,
  AddRules: `${routingService}/AddRule`,
  RemoveRule: `${routingService}/RemoveRule`,
  ListRules: `${routingService}/ListRule`,
  QueryStats: `${statsService}/QueryStats`,
}
type Method = keyof typeof paths

const callTimeoutMs = 5000

const definitions = fromJSON(protobuf.parse(xrayProto).root.toJSON(), { longs: Number, defaults: true })
const service = definitions['sallyport.xray.XrayApi'] as unknown as Record<
  Method,
  MethodDefinition<object, unknown>
>
const accounts = definitions['sallyport.xray.Accounts'] as unknown as Record<
  'Vless' | 'Shadowsocks' | 'Secret',
  MethodDefinition<object, unknown>
>

/** CHACHA20_POLY1305 in Xray's list of ciphers. */
const outlineCipherType = 7

const typedAccount = (account: XrayAccount): { type: string; value: Buffer } => {
  const typed = (name: string, message: keyof typeof accounts, fields: object) => ({
    type: `xray.proxy.${name}.Account`,
    value: accounts[message].requestSerialize(fields),
  })
  switch (account.protocol) {
    case 'vless':
      return typed('vless', 'Vless', { id: account.uuid, flow: account.flow })
    case 'trojan':
      return typed('trojan', 'Secret', { secret: account.password })
    case 'outline':
      return typed('shadowsocks', 'Shadowsocks', {
        password: account.password,
        cipherType: outlineCipherType,
      })
    case 'shadowsocks-2022':
      return typed('shadowsocks_2022', 'Secret', { secret: account.key })
    case 'hysteria2':
      return typed('hysteria.account', 'Secret', { secret: account.auth })
  }
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

  async addUser({ id, inbound, account }: Pick<SharedAccess, 'id' | 'inbound' | 'account'>): Promise<void> {
    const user = { level: 0, email: userOf({ id, account }), account: typedAccount(account) }
    const operation = { type: 'xray.app.proxyman.command.AddUserOperation', value: { user } }
    await this.#call('AddUser', { tag: inbound, operation })
  }

  async removeUser({
    id,
    inbound,
    account,
  }: Pick<SharedAccess, 'id' | 'inbound' | 'account'>): Promise<void> {
    const email = userOf({ id, account })
    const operation = { type: 'xray.app.proxyman.command.RemoveUserOperation', value: { email } }
    await this.#call('RemoveUser', { tag: inbound, operation })
  }

  async removeInbound(tag: string): Promise<void> {
    await this.#call('RemoveInbound', { tag })
  }

  async removeOutbound(tag: string): Promise<void> {
    await this.#call('RemoveOutbound', { tag })
  }

  /** Sends all that these users begin from now on to one outbound, unless an earlier rule says otherwise. */
  async addUserRule(ruleTag: string, userEmail: readonly string[], outboundTag: string): Promise<void> {
    const rule = { tag: outboundTag, ruleTag, userEmail }
    const config = { type: 'xray.app.router.Config', value: { rule: [rule] } }
    await this.#call('AddRules', { config, shouldAppend: true })
  }

  /** Also good when there is no such rule. */
  async removeRule(ruleTag: string): Promise<void> {
    await this.#call('RemoveRule', { tag: ruleTag })
  }

  async listRules(): Promise<string[]> {
    const { rules } = (await this.#call('ListRules', {})) as { rules: { ruleTag: string }[] }
    return rules.map(({ ruleTag }) => ruleTag)
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
