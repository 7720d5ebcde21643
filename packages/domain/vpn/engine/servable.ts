import type { Access, Exit, Inbound, Reality } from '@sallyport/contract/agent/agent'
import {
  accountProtocolOf,
  isProxy,
  isShared,
  networksOf,
  type ProxyAccess,
  proxyTagPrefix,
  type SharedAccess,
  secretOf,
  type XrayAccess,
  type XrayAccount,
  type XrayInbound,
} from './xray-accounts.ts'

/** Xray refuses its whole configuration for one bad entry, so bad entries are left out beforehand. */

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const keyPattern = /^[A-Za-z0-9_-]{43}$/
/** 32 bytes; Xray would take another length, and then no longer take anybody on that inbound. */
const sharedKeyPattern = /^[A-Za-z0-9+/]{43}=$/
const shortIdPattern = /^([0-9a-f]{2}){0,8}$/i
const targetPattern = /^.+:\d{1,5}$/
const namePattern = /^\S+$/
/** Xray compares names of users as text, except those that begin with "regexp:". */
const idPattern = /^[A-Za-z0-9_.~-]+$/
const exitProtocols = ['vless', 'trojan', 'shadowsocks', 'hysteria', 'wireguard', 'socks', 'http']

export interface UnservableProblem {
  /** Of the access that is left out, or null when it is about something else. */
  readonly id: string | null
  readonly revision: number | null
  readonly reason: string
  /** The tag of an inbound that is left out. */
  readonly inbound?: string
}

const realityProblem = (reality: Reality): string | null => {
  if (!keyPattern.test(reality.private_key)) return 'its REALITY private key is not 32 bytes in base64url'
  if (!targetPattern.test(reality.target)) return 'its REALITY target is not host:port'
  if (reality.server_names.length === 0) return 'it has no server names'
  if (reality.short_ids.length === 0) return 'it has no short ids'
  if (!reality.short_ids.every((id) => shortIdPattern.test(id))) return 'a short id is not hexadecimal'
  return null
}

export const inboundProblem = (inbound: XrayInbound): string | null => {
  const { tag, listen } = inbound
  if (!namePattern.test(tag)) return 'its tag contains spaces'
  if (tag === 'api' || tag.startsWith(proxyTagPrefix)) return 'its tag is reserved'
  if (!namePattern.test(listen)) return 'its listen address is empty'
  if ('reality' in inbound) return realityProblem(inbound.reality)
  if ('tls' in inbound && !(inbound.tls.certificate.trim() && inbound.tls.key.trim()))
    return 'it has no certificate'
  if (inbound.protocol === 'hysteria2' && inbound.obfs_password === '')
    return 'its obfuscation password is empty'
  if (inbound.protocol === 'shadowsocks-2022' && !sharedKeyPattern.test(inbound.server_key))
    return 'its server key is not 32 bytes in Base64'
  return null
}

const accountProblem = (account: XrayAccount): string | null => {
  if (account.protocol === 'vless') return uuidPattern.test(account.uuid) ? null : 'its uuid is not a UUID'
  if (account.protocol === 'shadowsocks-2022')
    return sharedKeyPattern.test(account.key) ? null : 'its key is not 32 bytes in Base64'
  return secretOf(account) === '' ? 'its password is empty' : null
}

const exitProblem = (exit: Exit | undefined): string | null => {
  if (!exit) return null
  try {
    const { protocol } = JSON.parse(exit.outbound) as { protocol?: string }
    return protocol && exitProtocols.includes(protocol) ? null : `its exit cannot go through ${protocol}`
  } catch {
    return 'its exit is not JSON'
  }
}

const ownProblem = (access: XrayAccess): string | null => {
  if (!idPattern.test(access.id)) return 'its id has letters that are not allowed'
  if (isShared(access)) return accountProblem(access.account) ?? exitProblem(access.exit)
  if (!namePattern.test(access.listen)) return 'its listen address is empty'
  return access.user === '' || access.password === '' ? 'its user name or password is empty' : null
}

export interface Servable {
  readonly inbounds: XrayInbound[]
  readonly accesses: XrayAccess[]
  readonly problems: UnservableProblem[]
}

const takenProblem = (secretName: string): string => `its ${secretName} is taken on this inbound`

/** Remembers what must not be there twice. */
class Uniqueness {
  readonly #ids = new Set<string>()
  readonly #secrets = new Set<string>()
  readonly #users = new Set<string>()
  readonly #places = new Set<string>()

  problem(access: XrayAccess): string | null {
    // Xray does not tell names apart by case, except where it does.
    const id = access.id.toLowerCase()
    if (this.#ids.has(id)) return 'its id is taken'
    this.#ids.add(id)
    return isShared(access) ? this.#secretProblem(access) : this.#userProblem(access)
  }

  #secretProblem({ inbound, account }: SharedAccess): string | null {
    const secret = `${inbound} ${secretOf(account)}`
    if (this.#secrets.has(secret)) {
      return takenProblem(account.protocol === 'vless' ? 'uuid' : 'password')
    }
    this.#secrets.add(secret)
    return null
  }

  /** Xray counts a proxy's traffic under the name of its user. */
  #userProblem(access: ProxyAccess): string | null {
    if (this.#users.has(access.user)) return 'its user name is taken by another proxy'
    this.#users.add(access.user)
    return this.placeProblem(access)
  }

  /** Xray would open a port twice and give every other connection to the wrong one. */
  placeProblem({ listen, port, protocol }: XrayInbound | ProxyAccess): string | null {
    const places = networksOf(protocol).map((network) => `${listen} ${network} ${port}`)
    if (places.some((place) => this.#places.has(place))) return `its port ${port} is taken here`
    for (const place of places) this.#places.add(place)
    return null
  }

  isId(user: string): boolean {
    return this.#ids.has(user.toLowerCase())
  }
}

/** Shared accesses of WireGuard inbounds are another engine's, and so is everything that has a program of its own. */
const carried = (inbounds: readonly Inbound[], accesses: readonly Access[]): XrayAccess[] => {
  const isWireguard = new Map(inbounds.map(({ tag, protocol }) => [tag, protocol === 'wg']))
  return accesses.filter((access): access is XrayAccess => {
    if (access.kind === 'proxy') return true
    return access.kind === 'shared' && !(isWireguard.get(access.inbound) ?? access.account.protocol === 'wg')
  })
}

const unfit = ({ account, inbound }: SharedAccess, served: ReadonlyMap<string, XrayInbound>) => {
  const on = served.get(inbound)
  if (!on) return `inbound ${inbound} is not served`
  return accountProtocolOf[on.protocol] === account.protocol
    ? null
    : `a ${account.protocol} account cannot be on ${on.protocol}`
}

/** What the shared Xray can be asked to serve, and what is wrong with the rest of its part. */
export const servable = (inbounds: readonly Inbound[], accesses: readonly Access[]): Servable => {
  const problems: UnservableProblem[] = []
  const served = new Map<string, XrayInbound>()
  const tags = new Set<string>()
  const known = new Uniqueness()
  for (const inbound of inbounds.filter((one): one is XrayInbound => one.protocol !== 'wg')) {
    const { tag } = inbound
    const problem = tags.has(tag)
      ? 'its tag is taken'
      : (inboundProblem(inbound) ?? known.placeProblem(inbound))
    tags.add(tag)
    if (problem === null) served.set(tag, inbound)
    else problems.push({ id: null, revision: null, reason: `inbound ${tag}: ${problem}`, inbound: tag })
  }
  const good = carried(inbounds, accesses).filter((access) => {
    const problem =
      (isShared(access) ? unfit(access, served) : null) ?? ownProblem(access) ?? known.problem(access)
    if (problem !== null) problems.push(refusal(access, problem))
    return problem === null
  })
  const isConfusable = (access: XrayAccess): boolean => isProxy(access) && known.isId(access.user)
  problems.push(
    ...good.filter(isConfusable).map((access) => refusal(access, "its user name is a customer's id")),
  )
  const taken = good.filter((access) => !isConfusable(access))
  const inUse = new Set(taken.filter(isShared).map((access) => access.inbound))
  return {
    // Without users Xray's Shadowsocks 2022 takes the server's key alone, which every customer knows.
    inbounds: [...served.values()].filter(
      ({ protocol, tag }) => protocol !== 'shadowsocks-2022' || inUse.has(tag),
    ),
    accesses: taken,
    problems,
  }
}

const refusal = ({ id, revision }: XrayAccess, problem: string): UnservableProblem => ({
  id,
  revision,
  reason: `access ${id}: ${problem}`,
})
