import { isIP } from 'node:net'
import { privateNetworks } from '@sallyport/domain/vpn/private-networks'

/** A private place that one program may reach all the same. */
export interface Reach {
  readonly address: string
  readonly port: number
}

/** One confined program, to the packet filter. */
export interface Walled {
  readonly uid: number
  readonly reach: readonly Reach[]
}

/** The address without brackets when it is one; null for a name. */
const literal = (host: string): string | null => {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  return isIP(bare) === 0 ? null : bare
}

/** host:port as a place, when the host is an address. */
export const reachOf = (target: string): Reach[] => {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(target) ?? []
  const address = literal(host)
  return address === null ? [] : [{ address, port: Number(port) }]
}

interface Server {
  readonly address?: unknown
  readonly port?: unknown
  readonly endpoint?: unknown
}

const serverReach = ({ address, port, endpoint }: Server): Reach[] =>
  typeof endpoint === 'string' ? reachOf(endpoint) : reachOf(`${address}:${port}`)

/** Where an Xray outbound goes, as far as it names addresses. */
export const outboundReach = (outbound: string): Reach[] => {
  const { settings = {} } = JSON.parse(outbound) as { settings?: Record<string, unknown> }
  const lists = [settings.vnext, settings.servers, settings.peers].filter(Array.isArray)
  return [settings, ...lists.flat()].flatMap((server) => serverReach(server as Server))
}

/** Resolvers named in resolv.conf; without any, the C library and Go ask this machine. */
export const resolversIn = (resolvConf: string): string[] => {
  const named = [...resolvConf.matchAll(/^\s*nameserver\s+(\S+)/gm)].flatMap(([, host]) => {
    const address = literal((host as string).replace(/%.*$/, ''))
    return address === null ? [] : [address]
  })
  return named.length > 0 ? named : ['127.0.0.1', '::1']
}

const isVersion = (version: 4 | 6) => (address: string) => isIP(address.replace(/\/.*$/, '')) === version

const set = (name: string, type: string, elements: readonly (string | number)[], flags = ''): string => {
  const content = elements.length > 0 ? ` elements = { ${elements.join(', ')} };` : ''
  return `  set ${name} { ${type};${flags}${content} }`
}

const family = (version: 4 | 6, walled: readonly Walled[], resolvers: readonly string[]): string[] => {
  const ip = version === 4 ? 'ip' : 'ip6'
  const fits = isVersion(version)
  const reach = walled.flatMap(({ uid, reach }) =>
    reach.filter(({ address }) => fits(address)).map(({ address, port }) => `${uid} . ${address} . ${port}`),
  )
  const networks = privateNetworks.filter(fits)
  return [
    set(`private${version}`, `typeof ${ip} daddr`, networks, ' flags interval;'),
    set(`resolvers${version}`, `typeof ${ip} daddr`, [...new Set(resolvers.filter(fits))]),
    set(`reach${version}`, `typeof meta skuid . ${ip} daddr . tcp dport`, [...new Set(reach)]),
  ]
}

const verdicts = (version: 4 | 6): string[] => {
  const ip = version === 4 ? 'ip' : 'ip6'
  return [
    `    meta l4proto { tcp, udp } th dport 53 ${ip} daddr @resolvers${version} accept`,
    `    meta l4proto { tcp, udp } meta skuid . ${ip} daddr . th dport @reach${version} accept`,
    `    ${ip} daddr @private${version} reject with icmpx admin-prohibited`,
  ]
}

/** Replaces the whole table in one step. Packets without a socket, such as the kernel's own, match no rule. */
export const wall = (table: string, walled: readonly Walled[], resolvers: readonly string[]): string =>
  [
    `table inet ${table} {}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    set(
      'confined',
      'typeof meta skuid',
      walled.map(({ uid }) => uid),
    ),
    ...family(4, walled, resolvers),
    ...family(6, walled, resolvers),
    '  chain inside {',
    '    ct state established,related accept',
    ...verdicts(4),
    ...verdicts(6),
    // This machine's public addresses too: what goes there passes no firewall, for it never leaves the machine.
    '    fib daddr type local reject with icmpx admin-prohibited',
    '  }',
    '  chain outgoing {',
    '    type filter hook output priority filter; policy accept;',
    '    meta skuid @confined jump inside',
    '  }',
    '}',
    '',
  ].join('\n')

export const noWall = (table: string): string => `table inet ${table} {}\ndelete table inet ${table}\n`
