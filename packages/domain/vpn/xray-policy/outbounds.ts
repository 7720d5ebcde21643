import { also, arrayOf, integer, object, only, repeatedIndex, variant } from './checkers.ts'
import { network, peerEndpoint, prefix, tag, wireguardKey } from './values.ts'

/** Ways out of the instance. */

const maxOutbounds = 8
/** Tags of the agent's own parts. */
const reservedTags = ['api', 'bridge', 'private-targets', 'from-here', 'in']

const ownTag = also(tag, (value, report) => {
  if (reservedTags.includes(value)) report('', 'is used by the service: choose another')
})

const notHere = {
  proxySettings: 'chains are set up as bridges',
  streamSettings: 'changes sockets of the server',
  sendThrough: 'chooses an address of the server',
  targetStrategy: 'is decided by the service',
  mux: 'has no use for these protocols',
}

const forceIp = ['ForceIP', 'ForceIPv4', 'ForceIPv6', 'ForceIPv4v6', 'ForceIPv6v4'] as const
const useIp = ['UseIP', 'UseIPv4', 'UseIPv6', 'UseIPv4v6', 'UseIPv6v4'] as const
const forClients = 'is for clients, not for servers'
const ownResolvers = 'questions go to the resolvers in dns.servers'

const freedom = object(
  {},
  { domainStrategy: only('AsIs', ...useIp, ...forceIp) },
  {
    targetStrategy: 'is decided by the service',
    redirect: 'sends traffic to an address of its own',
    finalRules: 'would open the private network of the server',
    proxyProtocol: 'tells the sites you visit your address',
    fragment: forClients,
    noise: forClients,
    noises: forClients,
    userLevel: 'levels are set by the service',
  },
)

const blackhole = object({}, { response: object({ type: only('none', 'http') }, {}) })

/** "skip" would hand unread questions on to any address, unseen by the rules about private networks. */
const dns = object(
  {},
  { nonIPQuery: only('reject', 'drop') },
  { address: ownResolvers, port: ownResolvers, network: ownResolvers },
)

const peer = (endpoints: readonly string[]) =>
  object(
    { publicKey: wireguardKey, endpoint: peerEndpoint(endpoints) },
    { preSharedKey: wireguardKey, allowedIPs: arrayOf(prefix, 1, 64), keepAlive: integer(0, 65535) },
  )

const reserved = also(arrayOf(integer(0, 255), 0, 3), (bytes, report) => {
  if (bytes.length % 3 !== 0) report('', 'must be empty or 3 bytes')
})

const wireguard = (endpoints: readonly string[]) =>
  object(
    { secretKey: wireguardKey, peers: arrayOf(peer(endpoints), 1, 1) },
    {
      address: arrayOf(network, 1, 4),
      reserved,
      mtu: integer(576, 1500),
      noKernelTun: only(true),
      workers: integer(0, 4),
      domainStrategy: only(...forceIp),
    },
  )

const outbound = (endpoints: readonly string[]) =>
  variant(
    'protocol',
    {
      freedom: object({ tag: ownTag, protocol: only('freedom') }, { settings: freedom }, notHere),
      blackhole: object({ tag: ownTag, protocol: only('blackhole') }, { settings: blackhole }, notHere),
      dns: object({ tag: ownTag, protocol: only('dns') }, { settings: dns }, notHere),
      wireguard: object(
        { tag: ownTag, protocol: only('wireguard'), settings: wireguard(endpoints) },
        {},
        notHere,
      ),
    },
    'must be "freedom", "blackhole", "dns" or "wireguard"; to go on through another server, make a bridge',
  )

export const outbounds = (endpoints: readonly string[]) =>
  also(arrayOf(outbound(endpoints), 1, maxOutbounds), (all, report) => {
    const index = repeatedIndex(all, (one) => one.tag)
    if (index !== -1) report(`[${index}].tag`, 'must differ from the other tags')
  })
