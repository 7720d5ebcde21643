import Type from 'typebox'
import { LocationId } from '../customer/shapes.ts'
import { table } from '../operation.ts'
import {
  Closed,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  ProtocolValue,
  Text,
  UnixSeconds,
} from '../shapes.ts'
import { Title } from '../visible-text.ts'
import { ById, HostName } from './shapes.ts'

const Port = Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 }))
const aboutCapacity = {
  en: 'How many configurations it holds',
  ru: 'Сколько конфигураций вмещает',
  example: 200,
}
const Address = field(Type.String(), { example: '203.0.113.10' })
const HostAndPort = Type.String({
  pattern: '^(\\[[0-9a-fA-F:]+\\]|[A-Za-z0-9.-]+):[0-9]{1,5}$',
  maxLength: 261,
})

/** Part of the operator's work: machines and what is sold on them. */
export const nodeRows = table({
  listNodes: {
    method: 'GET',
    path: '/nodes',
    summary: {
      en: 'Nodes with desired and applied revisions, engines and their servers',
      ru: 'Узлы: желаемая и применённая ревизии, движки и серверы',
    },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          name: field(Type.String(), { example: 'ams-1' }),
          address: Address,
          is_online: field(Type.Boolean(), {
            en: 'Whether its agent reports',
            ru: 'Присылает ли отчёты его агент',
          }),
          last_seen_at: field(Nullable(UnixSeconds), {
            en: 'When it was last heard of, Unix time in seconds',
            ru: 'Когда последний раз выходил на связь, время Unix в секундах',
          }),
          desired_revision: Type.Integer(),
          applied_revision: Type.Integer(),
          apply_error: field(Nullable(Type.String()), { example: null }),
          refused_counters: field(Type.Integer(), {
            en: 'Counters of traffic that it should not have told of: backwards, of what it does not carry, or more than a line carries',
            ru: 'Счётчики трафика, которых не должно было быть: убывающие, чужие или больше, чем пропускает канал',
            example: 0,
          }),
          engines: Type.Array(
            Closed({
              name: field(Type.String(), { example: 'xray' }),
              state: field(Type.String(), { example: 'running' }),
              version: field(Nullable(Type.String()), { example: '26.3.27' }),
              detail: field(Nullable(Type.String()), { example: null }),
            }),
          ),
          servers: Type.Array(
            Closed({
              id: Id,
              location_id: Id,
              capacity: field(Type.Integer(), aboutCapacity),
              used_slots: Type.Integer(),
              protocols: field(Type.Array(Type.String()), { example: ['vless', 'wg'] }),
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
    summary: {
      en: 'Register a machine; the enrolment token is shown once and works for an hour',
      ru: 'Зарегистрировать машину; токен подключения показывается один раз и действует час',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        name: field(Title, { example: 'ams-1' }),
        address: field(Text(1, 255), { example: '203.0.113.10' }),
        listen_address: Type.Optional(Text(1, 64)),
      }),
    },
    response: {
      201: Closed({
        id: Id,
        enrolment_token: field(Type.String(), { example: '7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F' }),
        expires_at: field(ExpiresAt, { example: exampleTime + 3600 }),
      }),
    },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'node' },
  },
  createEnrolment: {
    method: 'POST',
    path: '/nodes/:id/enrolment',
    summary: {
      en: 'Enrol the machine of a node anew: its key, an open poll and an older token end at once, the new token works for an hour',
      ru: 'Подключить машину узла заново: прежний ключ, открытый запрос и прежний токен сразу перестают действовать, новый токен действует час',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({
        enrolment_token: field(Type.String(), { example: '7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F' }),
        expires_at: field(ExpiresAt, { example: exampleTime + 3600 }),
        install: field(Type.String(), {
          en: 'What to run there as root',
          ru: 'Что запустить там от имени root',
          example:
            'curl -fsSL https://vpn.example.com/install/agent | SALLYPORT_ENROL_TOKEN=7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F sh',
        }),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
    audit: { subject: 'node' },
  },
  deleteNode: {
    method: 'DELETE',
    path: '/nodes/:id',
    summary: {
      en: 'Remove a node with its servers; its key ends at once. Refused while customers depend on it',
      ru: 'Удалить узел вместе с серверами; его ключ сразу перестаёт действовать. Пока от узла зависят клиенты, удалить его нельзя',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'node' },
  },
  createServer: {
    method: 'POST',
    path: '/servers',
    summary: {
      en: 'Put a sellable server on a node; its keys are made here',
      ru: 'Разместить на узле сервер для продажи; его ключи создаются здесь',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        node_id: Id,
        location_id: LocationId,
        capacity: field(Type.Integer({ minimum: 0, maximum: 100_000 }), aboutCapacity),
        domain: Type.Optional(HostName),
        certificate: Type.Optional(Text(1, 32_768)),
        certificate_key: Type.Optional(Text(1, 16_384)),
        reality_target: field(HostAndPort, {
          en: 'host:port of the site REALITY borrows',
          ru: 'host:port сайта, которым прикрывается REALITY',
          example: 'www.example.com:443',
        }),
        reality_server_name: field(HostName, { example: 'www.example.com' }),
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
    audit: { subject: 'server' },
  },
})
