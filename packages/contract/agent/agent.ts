import Type, { type Static } from 'typebox'
import { table } from '../operation.ts'
import { Closed, Id, Nullable, Text } from '../shapes.ts'

/** A node is a machine with an agent; it carries one or more servers. */

const Port = Type.Integer({ minimum: 1, maximum: 65535 })

export const Reality = Closed({
  /** host:port of the borrowed site; the agent's own site for vless-2410, whatever stands here. */
  target: Type.String(),
  server_names: Type.Array(Type.String()),
  private_key: Type.String(),
  short_ids: Type.Array(Type.String()),
})
export type Reality = Static<typeof Reality>

/** A certificate with its key, both in PEM, and the name it is for. */
export const Certificate = Closed({
  server_name: Type.String(),
  certificate: Type.String(),
  key: Type.String(),
})
export type Certificate = Static<typeof Certificate>

const listener = {
  listen: Type.String(),
  port: Port,
}
const shared = {
  /** Unique on the node and stable for the life of the server, for example vless-3. */
  tag: Text(1, 64),
  ...listener,
}

/** What a server offers to many customers at one port, by protocol. */
export const Inbound = Type.Union([
  Closed({ ...shared, protocol: Type.Literal('vless'), reality: Reality }),
  Closed({ ...shared, protocol: Type.Literal('vless-2410'), reality: Reality, site: Certificate }),
  Closed({ ...shared, protocol: Type.Literal('trojan'), tls: Certificate }),
  Closed({ ...shared, protocol: Type.Literal('trojan-2901'), reality: Reality }),
  Closed({ ...shared, protocol: Type.Literal('outline') }),
  Closed({ ...shared, protocol: Type.Literal('shadowsocks-2022'), server_key: Type.String() }),
  Closed({
    ...shared,
    protocol: Type.Literal('hysteria2'),
    tls: Certificate,
    obfs_password: Type.String(),
  }),
  /** Keys are Base64 here and everywhere. */
  Closed({ ...shared, protocol: Type.Literal('wg'), private_key: Type.String() }),
])
export type Inbound = Static<typeof Inbound>
export type InboundProtocol = Inbound['protocol']
export type InboundOf<P extends InboundProtocol> = Extract<Inbound, { protocol: P }>

/** What a customer is on a shared inbound. */
export const Account = Type.Union([
  Closed({
    protocol: Type.Literal('vless'),
    uuid: Type.String(),
    flow: Type.Enum(['', 'xtls-rprx-vision']),
  }),
  Closed({ protocol: Type.Literal('trojan'), password: Type.String() }),
  Closed({ protocol: Type.Literal('outline'), password: Type.String() }),
  Closed({ protocol: Type.Literal('shadowsocks-2022'), key: Type.String() }),
  Closed({ protocol: Type.Literal('hysteria2'), auth: Type.String() }),
  Closed({
    protocol: Type.Literal('wg'),
    public_key: Type.String(),
    preshared_key: Type.String(),
    /** IPv4 address inside the tunnel, unique on the node. */
    address: Type.String(),
  }),
])
export type Account = Static<typeof Account>

/** Where a bridged customer's traffic goes on to. */
export const Exit = Closed({
  /** An Xray outbound as JSON; the agent gives it its tag. */
  outbound: Type.String(),
  /** What leaves from the entry itself: domain suffixes and CIDR networks. */
  direct_domains: Type.Array(Type.String()),
  direct_networks: Type.Array(Type.String()),
})
export type Exit = Static<typeof Exit>

export const AwgParameters = Closed({
  jc: Type.Integer(),
  jmin: Type.Integer(),
  jmax: Type.Integer(),
  s1: Type.Integer(),
  s2: Type.Integer(),
  s3: Type.Integer(),
  s4: Type.Integer(),
  h1: Type.Integer(),
  h2: Type.Integer(),
  h3: Type.Integer(),
  h4: Type.Integer(),
})
export type AwgParameters = Static<typeof AwgParameters>

const entry = {
  /** Stable name of the item on this node: c12 for a configuration, s12 for its proxy; the engine's user name too. */
  id: Text(1, 64),
  /** Node revision at which this entry last changed. */
  revision: Type.Integer({ minimum: 1 }),
}

/** One customer's access on a node, by how it is carried. */
export const Access = Type.Union([
  Closed({
    ...entry,
    kind: Type.Literal('shared'),
    inbound: Text(1, 64),
    account: Account,
    exit: Type.Optional(Exit),
  }),
  /** A personal Xray at its own port; config is its JSON without log, api, stats and policy. */
  Closed({
    ...entry,
    kind: Type.Literal('instance'),
    ...listener,
    config: Type.String(),
    /** vless-2410: the agent's own site is the target. */
    site: Type.Optional(Certificate),
    exit: Type.Optional(Exit),
  }),
  /** A personal AmneziaWG interface at its own UDP port. */
  Closed({
    ...entry,
    kind: Type.Literal('amnezia-wg'),
    ...listener,
    private_key: Type.String(),
    parameters: AwgParameters,
    peer: Closed({ public_key: Type.String(), preshared_key: Type.String(), address: Type.String() }),
  }),
  /** An HTTP or SOCKS5 proxy at its own port. */
  Closed({
    ...entry,
    kind: Type.Literal('proxy'),
    protocol: Type.Enum(['http', 'socks5']),
    ...listener,
    user: Type.String(),
    password: Type.String(),
  }),
  /** A fake-TLS Telegram proxy at its own port; secret is ee, 16 bytes and the domain, all in hex. */
  Closed({ ...entry, kind: Type.Literal('mtproto'), ...listener, secret: Type.String() }),
])
export type Access = Static<typeof Access>
export type AccessOf<K extends Access['kind']> = Extract<Access, { kind: K }>

/** A personal Xray configuration to be tried by the engine before the customer's change is accepted. */
export const Trial = Closed({ id: Id, config: Type.String() })
export type Trial = Static<typeof Trial>

export const DesiredState = Closed({
  kind: Type.Enum(['snapshot', 'delta', 'unchanged']),
  revision: Type.Integer({ minimum: 0 }),
  /** Fingerprint of the whole set of (id, revision) after this answer is applied; see stateHash. */
  hash: Type.String(),
  /** Always the whole list: a node has few inbounds. Empty when kind is unchanged. */
  inbounds: Type.Array(Inbound),
  /** snapshot: every access; delta: those added or changed since the asked revision. */
  accesses: Type.Array(Access),
  /** delta only: ids to take away. */
  removed: Type.Array(Type.String()),
  /**
   * host:port of every site that the service itself has strangers sent to on this node, in answers of every kind.
   * Services that do not say so are older than this field.
   */
  own_targets: Type.Optional(Type.Array(Type.String())),
  /** Waiting for this node's verdict; no part of the state. */
  trials: Type.Array(Trial),
})
export type DesiredState = Static<typeof DesiredState>

export const engineNames = ['xray', 'amneziawg', 'mtg'] as const
export type EngineName = (typeof engineNames)[number]

export const EngineHealth = Closed({
  name: Type.Enum([...engineNames]),
  /** idle: installed, nothing to serve; missing: not installed; refused: a version we know not to work. */
  state: Type.Enum(['running', 'starting', 'idle', 'crashed', 'missing', 'refused']),
  version: Nullable(Text(1, 64)),
  detail: Nullable(Text(0, 500)),
  /**
   * True where nothing keeps customers' programs from private networks, so that they borrow no other sites than
   * own_targets. Never said to a service that does not send those, which would refuse the whole report.
   */
  own_sites_only: Type.Optional(Type.Boolean()),
})
export type EngineHealth = Static<typeof EngineHealth>

export const HostStats = Closed({
  cpu_percent: Type.Number({ minimum: 0, maximum: 100 }),
  ram_percent: Type.Number({ minimum: 0, maximum: 100 }),
  up_mbps: Type.Number({ minimum: 0 }),
  down_mbps: Type.Number({ minimum: 0 }),
  uptime_seconds: Type.Integer({ minimum: 0 }),
  cpu_model: Text(0, 200),
})
export type HostStats = Static<typeof HostStats>

/** Cumulative since the engine run named by boot_id began; repeating or losing a report changes nothing. */
export const TrafficCounter = Closed({
  boot_id: Text(1, 64),
  id: Text(1, 64),
  up: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  down: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
export type TrafficCounter = Static<typeof TrafficCounter>

export const Report = Closed({
  agent_version: Text(1, 32),
  applied_revision: Type.Integer({ minimum: 0 }),
  applied_hash: Type.String({ maxLength: 64 }),
  /** Why the newest state could not be applied, when it could not. */
  apply_error: Nullable(Text(0, 500)),
  /** Accesses that an engine would not take; what it served before goes on where it can. */
  refused: Type.Array(
    Closed({ id: Text(1, 64), revision: Type.Integer({ minimum: 1 }), reason: Text(0, 500) }),
    { maxItems: 100 },
  ),
  engines: Type.Array(EngineHealth, { maxItems: 16 }),
  host: HostStats,
  traffic: Type.Array(TrafficCounter, { maxItems: 5000 }),
})
export type Report = Static<typeof Report>

/** Enough for a report about 5000 accesses. */
const reportBodyLimitBytes = 1024 * 1024

export const agent = table({
  enrolNode: {
    method: 'POST',
    path: '/enrol',
    summary: "Exchange a one-time enrolment token for the node's identity, bound to its public key",
    auth: 'public',
    limit: { points: 60, seconds: 60 },
    request: {
      body: Closed({
        token: Text(1, 128),
        /** Ed25519 public key as a JWK `x`. */
        public_key: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
      }),
    },
    response: { 201: Closed({ node_id: Id }) },
    errors: [],
  },
  pollState: {
    method: 'GET',
    path: '/state',
    summary: 'Desired state newer than `since`; waits up to `wait_seconds` for a change',
    auth: 'agent',
    limit: 'none',
    request: {
      query: Closed({
        since: Type.Integer({ minimum: 0 }),
        wait_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 60 })),
      }),
    },
    response: { 200: DesiredState },
    errors: [],
  },
  report: {
    method: 'POST',
    path: '/report',
    summary: 'Heartbeat: applied revision, engine health, host stats and traffic counters',
    auth: 'agent',
    limit: 'none',
    request: { body: Report },
    response: { 200: Closed({ desired_revision: Type.Integer() }) },
    errors: [],
    bodyLimitBytes: reportBodyLimitBytes,
  },
  answerTrial: {
    method: 'POST',
    path: '/trials/:id',
    summary: "The engine's verdict on a configuration that waits to be tried",
    auth: 'agent',
    limit: 'none',
    request: {
      params: Closed({ id: Id }),
      body: Closed({ is_accepted: Type.Boolean(), reason: Nullable(Text(0, 500)) }),
    },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
})
