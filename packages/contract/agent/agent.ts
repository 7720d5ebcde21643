import Type, { type Static } from 'typebox'
import { Closed, field, Id, Nullable, resource, Text, UnixSeconds } from '../shapes.ts'

/**
 * What the service and a node's agent tell each other. A node is a machine with an agent; it carries one or more servers.
 */

const Port = Type.Integer({ minimum: 1, maximum: 65535 })

export const Reality = resource('Reality', {
  target: field(Type.String(), {
    en: "host:port of the borrowed site; the agent's own site for vless-2410, whatever stands here",
    ru: 'host:port сайта-прикрытия; для vless-2410 — собственный сайт агента, что бы здесь ни стояло',
    example: 'www.example.com:443',
  }),
  server_names: field(Type.Array(Type.String()), { example: ['www.example.com'] }),
  private_key: field(Type.String(), { example: 'mKq1cXJ6dEw0u8mS3tYv5yB7pR9zN2aL4fH6gD8kT0o' }),
  short_ids: field(Type.Array(Type.String()), { example: ['6ba85179e30d4fc2'] }),
})
export type Reality = Static<typeof Reality>

/** A certificate with its key, both in PEM, and the name it is for. */
export const Certificate = resource('Certificate', {
  server_name: Type.String(),
  certificate: Type.String(),
  key: Type.String(),
})
export type Certificate = Static<typeof Certificate>

const listener = {
  listen: field(Type.String(), { example: '0.0.0.0' }),
  port: field(Port, { example: 443 }),
}
const shared = {
  tag: field(Text(1, 64), {
    en: 'Unique on the node and stable for the life of the server',
    ru: 'Не повторяется на узле и не меняется, пока есть сервер',
    example: 'vless-3',
  }),
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
    uuid: field(Type.String(), { example: '0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11' }),
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
    address: field(Type.String(), {
      en: 'IPv4 address inside the tunnel, unique on the node',
      ru: 'Адрес IPv4 внутри туннеля, не повторяется на узле',
    }),
  }),
])
export type Account = Static<typeof Account>

/** Where a bridged customer's traffic goes on to. */
export const Exit = resource('Exit', {
  outbound: field(Type.String(), {
    en: 'An Xray outbound as JSON; the agent gives it its tag',
    ru: 'Исходящее подключение Xray в JSON; тег ему даёт агент',
  }),
  direct_domains: field(Type.Array(Type.String()), {
    en: 'What leaves from the entry itself, as domain suffixes',
    ru: 'Что выходит с самого входа: окончания доменов',
  }),
  direct_networks: field(Type.Array(Type.String()), {
    en: 'What leaves from the entry itself, as CIDR networks',
    ru: 'Что выходит с самого входа: сети CIDR',
  }),
})
export type Exit = Static<typeof Exit>

export const AwgParameters = resource('AwgParameters', {
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
  id: field(Text(1, 64), {
    en: "Stable name of the access, for the agent to take as it is; the engine's user name too",
    ru: 'Постоянное имя доступа, агент принимает его как есть; оно же — имя пользователя в движке',
    example: 'a12',
  }),
  revision: field(Type.Integer({ minimum: 1 }), {
    en: 'Node revision at which this entry last changed',
    ru: 'Ревизия узла, на которой запись менялась последний раз',
    example: 118,
  }),
}

/** One customer's access on a node, by how it is carried. */
export const Access = Type.Union([
  Closed({
    ...entry,
    kind: Type.Literal('shared'),
    inbound: field(Text(1, 64), { example: 'vless-3' }),
    account: Account,
    exit: Type.Optional(Exit),
  }),
  /** A personal Xray at its own port; config is its JSON without log, api, stats and policy. */
  Closed({
    ...entry,
    kind: Type.Literal('instance'),
    ...listener,
    config: Type.String(),
    site: field(Type.Optional(Certificate), {
      en: "vless-2410: the agent's own site is the target",
      ru: 'vless-2410: прикрытием служит собственный сайт агента',
    }),
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
    without_udp: field(Type.Optional(Type.Literal(true)), {
      en: 'Of metered customers: Xray gives UDP through SOCKS5 no user, so that it could not be counted',
      ru: 'Для клиентов с учётом трафика: UDP через SOCKS5 у Xray ничей, его было бы не посчитать',
    }),
  }),
  /** A fake-TLS Telegram proxy at its own port; secret is ee, 16 bytes and the domain, all in hex. */
  Closed({ ...entry, kind: Type.Literal('mtproto'), ...listener, secret: Type.String() }),
])
export type Access = Static<typeof Access>
export type AccessOf<K extends Access['kind']> = Extract<Access, { kind: K }>

export const hashExample = '9f2c1e7ab0d44c6f'

/** A personal Xray configuration to be tried by the engine before the customer's change is accepted. */
export const Trial = resource('Trial', { id: Id, config: field(Type.String(), { example: '{…}' }) })
export type Trial = Static<typeof Trial>

/** The name of a folder of the installer's. */
export const AgentRelease = Type.String({ pattern: '^[0-9a-f]{16}$' })
export const releaseExample = 'c63b81e457a32398'

/** What a machine is asked to run. Each is followed once. */
export const UpgradeWish = resource('UpgradeWish', {
  id: field(Type.String({ pattern: '^[0-9a-f-]{36}$' }), { example: '0b7c1f52-6c1e-4f0e-9d3b-2a4f8f5f6c11' }),
  release: field(AgentRelease, { example: releaseExample }),
})
export type UpgradeWish = Static<typeof UpgradeWish>

export const DesiredState = resource('DesiredState', {
  kind: Type.Enum(['snapshot', 'delta', 'unchanged']),
  revision: field(Type.Integer({ minimum: 0 }), { example: 118 }),
  /** See stateHash. */
  hash: field(Type.String(), {
    en: 'Fingerprint of the whole set of (id, revision) after this answer is applied',
    ru: 'Отпечаток всего набора (id, revision) после этого ответа',
    example: hashExample,
  }),
  caused_by: field(Type.Optional(Type.Array(Type.String())), {
    en: 'X-Request-Id of the requests, and names of the runs of jobs, that made these changes, the last one at the end; for the log of the agent. At most 20',
    ru: 'X-Request-Id запросов и имена запусков заданий, вызвавших эти изменения; последний — в конце. Для журнала агента. Не больше 20',
    example: ['5f2c9a01-4k'],
  }),
  inbounds: field(Type.Array(Inbound), {
    en: 'Always the whole list: a node has few inbounds. Empty when kind is unchanged',
    ru: 'Всегда весь список: входов на узле мало. Пуст, если kind — unchanged',
  }),
  accesses: field(Type.Array(Access), {
    en: 'snapshot: every access; delta: those added or changed since the asked revision',
    ru: 'snapshot — все доступы, delta — добавленные и изменённые после названной ревизии',
  }),
  removed: field(Type.Array(Type.String()), {
    en: 'delta only: ids to take away',
    ru: 'Только delta: какие id убрать',
    example: [],
  }),
  own_targets: field(Type.Optional(Type.Array(Type.String())), {
    en: 'host:port of every site that the service itself has strangers sent to on this node, in answers of every kind. Services that do not say so are older than this field',
    ru: 'host:port всех сайтов, куда сам сервис отправляет посторонних на этом узле, в ответах любого вида. Сервис, который этого не говорит, старше этого поля',
  }),
  reads: field(Type.Optional(Type.Array(Type.String())), {
    en: 'Fields of a report that this service reads besides those that every service does. An agent tells no others, because an unknown field has the whole report refused',
    ru: 'Поля отчёта, которые этот сервис читает сверх тех, что читает любой. Других агент не посылает: из-за неизвестного поля отклоняется весь отчёт',
    example: ['not_carried'],
  }),
  reboot_asked_at: field(Type.Optional(Nullable(UnixSeconds)), {
    en: 'The machine is to be started anew, unless that was done since',
    ru: 'Машину нужно перезагрузить, если с тех пор этого не сделали',
    example: null,
  }),
  upgrade_to: field(Type.Optional(Nullable(UpgradeWish)), {
    en: 'The release that the machine is to run, unless that was tried already. Services that do not say it are older than this field',
    ru: 'Версия, на которую машине нужно перейти, если это ещё не пробовали. Сервис, который этого не говорит, старше этого поля',
    example: null,
  }),
  trials: field(Type.Array(Trial), {
    en: "Waiting for this node's verdict; no part of the state",
    ru: 'Ждут решения этого узла; частью состояния не являются',
    example: [],
  }),
})
export type DesiredState = Static<typeof DesiredState>

export const engineNames = ['xray', 'amneziawg', 'mtg'] as const
export type EngineName = (typeof engineNames)[number]

export const EngineHealth = resource('EngineHealth', {
  name: Type.Enum([...engineNames]),
  state: field(Type.Enum(['running', 'starting', 'idle', 'crashed', 'missing', 'refused']), {
    en: 'idle: installed, nothing to serve; missing: not installed; refused: a version known not to work',
    ru: 'idle — установлен, но обслуживать нечего; missing — не установлен; refused — версия, о которой известно, что она не работает',
  }),
  version: field(Nullable(Text(1, 64)), { example: '26.3.27' }),
  detail: field(Nullable(Text(0, 500)), { example: null }),
  /** Never said to a service that does not send own_targets, which would refuse the whole report. */
  own_sites_only: field(Type.Optional(Type.Boolean()), {
    en: "True where nothing keeps customers' programs from private networks, so that they borrow no other sites than own_targets",
    ru: 'true там, где ничто не отделяет программы клиентов от частных сетей: прикрытием служат только own_targets',
  }),
})
export type EngineHealth = Static<typeof EngineHealth>
