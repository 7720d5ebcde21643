import {
  also,
  arrayOf,
  type Checker,
  dropped,
  flag,
  integer,
  object,
  only,
  type Report,
  repeatedIndex,
  text,
  variant,
} from './checkers.ts'
import { streamSettings } from './stream.ts'
import { address, name, tag, uuid } from './values.ts'

const vision = 'xtls-rprx-vision'
const maxClients = 16

const client = object(
  { id: uuid },
  {
    flow: only('', vision),
    email: dropped(text(/^.{0,254}$/, 'must be at most 254 characters')),
    level: dropped(integer(0, 255)),
  },
  {
    encryption: 'belongs to the client',
    reverse: 'would let a client receive connections through the server',
  },
)

type Client = typeof client extends Checker<infer T> ? T : never

/** Xray ignores the case of a UUID and its third group. */
const identity = ({ id }: Client): string => (id.slice(0, 14) + id.slice(18)).toLowerCase()

const clients = also(arrayOf(client, 1, maxClients), (all, report) => {
  const index = repeatedIndex(all, identity)
  if (index !== -1) report(`[${index}].id`, 'must differ from the other ids, and not only in its third group')
})

const settings = object(
  { clients, decryption: only('none') },
  {},
  {
    fallbacks: 'forwards strangers to addresses of the server',
    users: 'is a name that not every Xray knows: write clients instead',
    flow: 'concerns single clients: write flow into each of them',
  },
)

/** The sniffed name serves for rules only, so that the address the rules saw is the one that is dialled. */
const sniffing = object(
  { enabled: flag },
  {
    destOverride: arrayOf(only('http', 'tls', 'quic'), 0, 3),
    routeOnly: flag,
    domainsExcluded: arrayOf(name, 0, 64),
  },
)

const shape = (target: Checker<string>) =>
  object(
    { protocol: only('vless'), settings, streamSettings: streamSettings(target) },
    {
      tag,
      listen: address,
      port: integer(1024, 65535),
      sniffing,
    },
    { allocate: 'the port is given by the service' },
  )

type Inbound = ReturnType<typeof shape> extends Checker<infer T> ? T : never

const judge = ({ settings, streamSettings }: Inbound, report: Report): void => {
  const index = settings.clients.findIndex(({ flow }) => flow === vision)
  if (index === -1) return
  const { network = 'tcp', tlsSettings } = streamSettings
  const at = `settings.clients[${index}].flow`
  if (network !== 'tcp' && network !== 'raw') report(at, `must be "", because network is ${network}`)
  if (tlsSettings?.maxVersion === '1.2') report(at, 'must be "", because it needs TLS 1.3')
}

export const inbound = (target: Checker<string>) =>
  variant(
    'protocol',
    { vless: also(shape(target), judge) },
    'must be "vless"; another protocol is chosen in the settings of the configuration',
  )
