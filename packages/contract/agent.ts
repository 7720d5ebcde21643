import Type, { type Static } from 'typebox'
import { table } from './operation.ts'
import { Closed, Id, Nullable, Text } from './shapes.ts'

/** A node is a machine with an agent; it carries one or more servers. */

export const VlessRealityInbound = Closed({
  /** Unique on the node and stable for the life of the server, for example vless-3. */
  tag: Text(1, 64),
  protocol: Type.Literal('vless'),
  listen: Type.String(),
  port: Type.Integer({ minimum: 1, maximum: 65535 }),
  reality: Closed({
    /** host:port of the borrowed site. */
    target: Type.String(),
    server_names: Type.Array(Type.String()),
    private_key: Type.String(),
    short_ids: Type.Array(Type.String()),
  }),
})
export const Inbound = VlessRealityInbound
export type Inbound = Static<typeof Inbound>

/** One customer's access on one inbound. */
export const Access = Closed({
  /** Stable name of the item on this node, for example c12; the engine's user name too. */
  id: Text(1, 64),
  /** Node revision at which this entry last changed. */
  revision: Type.Integer({ minimum: 1 }),
  inbound: Text(1, 64),
  account: Closed({
    protocol: Type.Literal('vless'),
    uuid: Type.String(),
    flow: Type.Enum(['', 'xtls-rprx-vision']),
  }),
})
export type Access = Static<typeof Access>

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
})
export type DesiredState = Static<typeof DesiredState>

export const EngineHealth = Closed({
  name: Type.Enum(['xray']),
  /** idle: installed, nothing to serve; missing: not installed; refused: a version we know not to work. */
  state: Type.Enum(['running', 'starting', 'idle', 'crashed', 'missing', 'refused']),
  version: Nullable(Text(1, 64)),
  detail: Nullable(Text(0, 500)),
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
})
