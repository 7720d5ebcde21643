import { createHash } from 'node:crypto'
import { resolve } from 'node:path'
import { privateNetworks } from '@sallyport/domain/vpn/private-networks'
import { runNft } from '../process/feed.ts'

/** Longer than any QUIC or UDP session lives without a sign from the other side. */
const blockedFor = '10m'
const remotesPerCall = 500
const lookEveryMs = 30_000

/**
 * Ports of this machine's public addresses that customers may reach whatever is served: the web. The others are those that
 * are served at the moment, by any engine; whatever else listens in the ranges that the service gives ports out of is not
 * ours. Bridges need none of it, for their sockets carry no mark.
 */
const webPorts = [80, 443]

/** On every socket through which customers' traffic leaves; nobody else on this machine uses this number. */
export const customerMark = 0x53414c59

/**
 * What only the kernel can do for the shared Xray. A UDP server has one socket for everybody, so a removed
 * customer's session has no socket that could be destroyed; instead, what passes between our port and exactly
 * that remote endpoint is dropped until the session is dead. And Xray's rules see only the first packet of a
 * UDP session, whose later ones may go anywhere, so it is the kernel that keeps them from private networks.
 */
export class PacketFilter {
  readonly #table: string
  #ports: readonly number[] = []
  #preparing: Promise<string | null> | null = null
  #incapable: string | null = null
  #watch: NodeJS.Timeout | undefined

  /** Agents on one machine need names of their own; the same agent finds its table again. */
  constructor(directory: string) {
    this.#table = `sallyport_xray_${createHash('sha256').update(resolve(directory)).digest('hex').slice(0, 12)}`
  }

  /** Why nothing can be filtered on this machine; null when it can, or was never needed. */
  get incapable(): string | null {
    return this.#incapable
  }

  /** Sets up the table, once. */
  async prepare(): Promise<void> {
    this.#preparing ??= runNft(this.#script).then(
      () => null,
      () => 'nft does not run here (it needs Linux, nftables and CAP_NET_ADMIN)',
    )
    this.#incapable = await this.#preparing
    // Others change this machine's network too: a firewall that is started again takes all tables away.
    if (this.#incapable === null) this.#watch ??= setInterval(() => void this.#restore(), lookEveryMs).unref()
  }

  /** Everything at which this machine serves customers, so that they reach it by its public address too. */
  async open(ports: readonly number[]): Promise<void> {
    this.#ports = [...ports]
    if (this.#preparing === null || (await this.#preparing) !== null) return
    await runNft(openScript(this.#table, this.#ports)).catch(() => runNft(this.#script))
  }

  async block(localPort: number, remotes: readonly string[]): Promise<void> {
    await this.prepare()
    if (this.#incapable !== null) return
    for (let index = 0; index < remotes.length; index += remotesPerCall) {
      const some = remotes.slice(index, index + remotesPerCall)
      const script = some.map((remote) => elementLine(this.#table, localPort, remote)).join('\n')
      await runNft(script).catch(() => runNft(`${this.#script}\n${script}`))
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#watch)
    this.#watch = undefined
    if (this.#preparing === null || this.#incapable !== null) return
    this.#preparing = null
    await runNft(`delete table inet ${this.#table}`).catch(() => {})
  }

  async #restore(): Promise<void> {
    await runNft(`list chain inet ${this.#table} out`).catch(() => runNft(this.#script).catch(() => {}))
  }

  get #script(): string {
    return tableScript(this.#table, this.#ports)
  }
}

const ofFamily = (hasColon: boolean): string =>
  privateNetworks.filter((network) => network.includes(':') === hasColon).join(', ')

const portElements = (ports: readonly number[]): string => [...new Set([...webPorts, ...ports])].join(', ')

export const openScript = (table: string, ports: readonly number[]): string => `flush set inet ${table} open
add element inet ${table} open { ${portElements(ports)} }`

/** One transaction: there is no moment without rules, or with half of them. */
export const tableScript = (table: string, ports: readonly number[] = []): string => `table inet ${table}
delete table inet ${table}
table inet ${table} {
  set gone4 { type ipv4_addr . inet_service . inet_service; flags timeout; }
  set gone6 { type ipv6_addr . inet_service . inet_service; flags timeout; }
  set open { type inet_service; flags interval; auto-merge; elements = { ${portElements(ports)} }; }
  chain in {
    type filter hook input priority -150; policy accept;
    ip saddr . udp sport . udp dport @gone4 drop
    ip6 saddr . udp sport . udp dport @gone6 drop
  }
  chain out {
    type filter hook output priority -150; policy accept;
    ip daddr . udp dport . udp sport @gone4 drop
    ip6 daddr . udp dport . udp sport @gone6 drop
    meta mark ${customerMark} ip daddr { ${ofFamily(false)} } drop
    meta mark ${customerMark} ip6 daddr { ${ofFamily(true)} } drop
    meta mark ${customerMark} fib daddr type local meta l4proto { tcp, udp } th dport @open accept
    meta mark ${customerMark} fib daddr type local reject with icmpx admin-prohibited
  }
}`

const endpointPattern = /^(?:\[([0-9a-f:.]+)\]|([0-9.]+)):(\d{1,5})$/i

/** An endpoint as Xray prints it, as an element of the set; throws for anything that is not an endpoint. */
export const elementLine = (table: string, localPort: number, remote: string): string => {
  const [, address6, address4, port] = endpointPattern.exec(remote) ?? []
  const address = address6 ?? address4
  if (address === undefined) throw new Error('not an endpoint')
  const set = address6 === undefined ? 'gone4' : 'gone6'
  return `add element inet ${table} ${set} { ${address} . ${port} . ${localPort} timeout ${blockedFor} }`
}
