import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, Id, Nullable, ProtocolValue, pricingRuleTypes, Text, UnixSeconds } from '../shapes.ts'
import { Prose, Title } from '../visible-text.ts'

const Email = Type.String({ pattern: '^[^\\s@]{1,64}@[^\\s@.]+(\\.[^\\s@.]+)+$', maxLength: 254 })
const Roubles = Type.Integer({ minimum: 0, maximum: 1_000_000_000 })
const Port = Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 }))
const HostName = Type.String({ pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*$', maxLength: 253 })
const HostAndPort = Type.String({
  pattern: '^(\\[[0-9a-fA-F:]+\\]|[A-Za-z0-9.-]+):[0-9]{1,5}$',
  maxLength: 261,
})
const UserId = Closed({ id: Id })

export const operator = table({
  createUser: {
    method: 'POST',
    path: '/users',
    summary: 'Create a customer with an API key and a session',
    auth: 'operator',
    limit: 'none',
    request: {
      body: Closed({
        email: Type.Optional(Nullable(Email)),
        balance: Type.Optional(Roubles),
        referral_balance: Type.Optional(Roubles),
        /** Code of the customer who referred this one. */
        referral_code: Type.Optional(Text(1, 32)),
      }),
    },
    response: {
      201: Closed({
        id: Id,
        email: Nullable(Type.String()),
        api_key: Type.String(),
        session_token: Type.String(),
        subscription_key: Type.String(),
        referral_code: Type.String(),
      }),
    },
    errors: ['CONFLICT'],
    idempotent: true,
  },
  createSession: {
    method: 'POST',
    path: '/users/:id/sessions',
    summary: 'Mint a session token for a customer',
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: UserId },
    response: { 201: Closed({ session_token: Type.String(), expires_at: UnixSeconds }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  createPricingRule: {
    method: 'POST',
    path: '/users/:id/pricing-rules',
    summary: 'Give a customer a personal discount or surcharge',
    auth: 'operator',
    roles: ['owner', 'finance'],
    limit: 'none',
    request: {
      params: UserId,
      body: Closed({
        type: Type.Enum([...pricingRuleTypes]),
        product_id: Type.Optional(Nullable(Id)),
        percent: Type.Number({ minimum: -100, maximum: 1000 }),
        comment: Type.Optional(Nullable(Prose(1, 500))),
      }),
    },
    response: {
      201: Closed({
        id: Id,
        type: Type.String(),
        product_id: Nullable(Id),
        percent: Type.Number(),
        comment: Nullable(Type.String()),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  createNotification: {
    method: 'POST',
    path: '/users/:id/notifications',
    summary: 'Leave a message for a customer',
    auth: 'operator',
    limit: 'none',
    request: { params: UserId, body: Closed({ content: Prose(1, 4000) }) },
    response: { 201: Closed({ id: Id, content: Type.String() }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  listNodes: {
    method: 'GET',
    path: '/nodes',
    summary: 'Nodes with desired and applied revisions, engines and their servers',
    auth: 'operator',
    limit: 'none',
    request: {},
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          name: Type.String(),
          address: Type.String(),
          is_online: Type.Boolean(),
          last_seen_at: Nullable(UnixSeconds),
          desired_revision: Type.Integer(),
          applied_revision: Type.Integer(),
          apply_error: Nullable(Type.String()),
          engines: Type.Array(
            Closed({
              name: Type.String(),
              state: Type.String(),
              version: Nullable(Type.String()),
              detail: Nullable(Type.String()),
            }),
          ),
          servers: Type.Array(
            Closed({
              id: Id,
              location_id: Id,
              capacity: Type.Integer(),
              used_slots: Type.Integer(),
              protocols: Type.Array(Type.String()),
            }),
          ),
        }),
      ),
    },
    errors: [],
  },
  createNode: {
    method: 'POST',
    path: '/nodes',
    summary: 'Register a machine; the enrolment token is shown once and works for an hour',
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        name: Title,
        address: Text(1, 255),
        listen_address: Type.Optional(Text(1, 64)),
      }),
    },
    response: { 201: Closed({ id: Id, enrolment_token: Type.String(), expires_at: UnixSeconds }) },
    errors: ['CONFLICT'],
    idempotent: true,
  },
  createServer: {
    method: 'POST',
    path: '/servers',
    summary: 'Put a sellable server on a node; its keys are made here',
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        node_id: Id,
        location_id: Id,
        capacity: Type.Integer({ minimum: 0, maximum: 100_000 }),
        domain: Type.Optional(HostName),
        certificate: Type.Optional(Text(1, 32_768)),
        certificate_key: Type.Optional(Text(1, 16_384)),
        reality_target: HostAndPort,
        reality_server_name: HostName,
        other_reality_target: Type.Optional(HostAndPort),
        other_reality_server_name: Type.Optional(HostName),
        protocols: Type.Optional(Type.Array(ProtocolValue, { minItems: 1, uniqueItems: true })),
        ports: Type.Optional(
          Closed({
            vless: Port,
            'vless-2410': Port,
            trojan: Port,
            'trojan-2901': Port,
            outline: Port,
            'shadowsocks-2022': Port,
            hysteria2: Port,
            wg: Port,
          }),
        ),
      }),
    },
    response: { 201: Closed({ id: Id }) },
    errors: ['CONFLICT'],
    idempotent: true,
  },
})
