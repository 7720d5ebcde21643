import { also, arrayOf, dropped, integer, object, only, text, textOr } from './checkers.ts'
import { network, portList, publicAddress } from './values.ts'

/** Which way out traffic takes, and who is asked about names. */

export const inboundTag = 'in'
export const dnsTag = 'dns'

const maxRules = 64
/** Bounded by the size of the whole text; a country's own networks may be many. */
const maxMatches = 4096

const domain = text(
  /^(?:(?:domain|full|keyword):)?[A-Za-z0-9._-]{1,253}$/,
  'must be domain:, full: or keyword: and a name; expressions and lists from files are not accepted',
)
const ports = textOr(portList, integer(1, 65535))
const nobodyElse = 'the instance has nobody else'

const rule = also(
  object(
    { outboundTag: text(/^./, 'must be the tag of an outbound') },
    {
      type: dropped(only('field')),
      domain: arrayOf(domain, 1, maxMatches),
      ip: arrayOf(network, 1, maxMatches),
      port: ports,
      sourcePort: ports,
      network: only('tcp', 'udp', 'tcp,udp', 'udp,tcp'),
      protocol: arrayOf(only('http', 'tls', 'quic', 'bittorrent'), 1, 4),
      inboundTag: arrayOf(only(inboundTag, dnsTag), 1, 2),
    },
    {
      domains: 'is the old name: write domain instead',
      balancerTag: 'there are no balancers: write outboundTag instead',
      user: nobodyElse,
      source: nobodyElse,
      sourceIP: nobodyElse,
      localIP: nobodyElse,
      localPort: nobodyElse,
      process: 'looks at programs of the server',
      attrs: 'expressions are not accepted',
      webhook: 'makes the server call an address',
    },
  ),
  ({ outboundTag, ...matchers }, report) => {
    if (Object.keys(matchers).length === 0) report('', 'must say what it is about, such as network or domain')
  },
)

export const routing = object(
  {},
  {
    domainStrategy: only('AsIs', 'IPIfNonMatch', 'IPOnDemand'),
    rules: arrayOf(rule, 0, maxRules),
  },
  { balancers: 'there is nothing to balance' },
)

export const dns = object(
  { servers: arrayOf(textOr(publicAddress, object({ address: publicAddress }, {})), 1, 4) },
  { tag: only(dnsTag), queryStrategy: only('UseIP', 'UseIPv4', 'UseIPv6') },
  {
    hosts: 'would give names to addresses of the server',
    clientIp: 'tells resolvers where you are',
    useSystemHosts: 'reads a file of the server',
  },
)
