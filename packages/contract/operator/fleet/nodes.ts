import Type from 'typebox'
import { table } from '../../operation.ts'
import {
  Closed,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  resource,
  Text,
  UnixSeconds,
} from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { ById, fleetReaders, fleetWriters, optionally, SeenVersion, Version, wholeOrPage } from '../shapes.ts'
import { aboutCapacity } from './servers.ts'
import { releaseExample } from './upgrades.ts'

const Name = field(Title, { example: 'ams-1' })
const Address = field(Text(1, 255), {
  en: 'Where customers reach it',
  ru: 'Где его находят клиенты',
  example: '203.0.113.10',
})
const ListenAddress = field(Text(1, 64), {
  en: 'Where its engines listen',
  ru: 'Где слушают его движки',
  example: '0.0.0.0',
})

const NodeRow = resource('Node', {
  id: Id,
  name: field(Type.String(), { example: 'ams-1' }),
  address: field(Type.String(), { example: '203.0.113.10' }),
  listen_address: field(Type.String(), { example: '0.0.0.0' }),
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
  release: field(Nullable(Type.String()), {
    en: 'Of the agent that runs there; null when it is not known, as of agents that nobody installed',
    ru: 'Версия работающего агента; null, если неизвестна, например агента не устанавливали',
    example: releaseExample,
  }),
  newest_release: field(Nullable(Type.String()), {
    en: 'What the service hands out; null until it has been prepared, within seconds where agents were installed',
    ru: 'Версия, которую раздаёт сервис; null, пока она не подготовлена — это секунды, если есть установленные агенты',
    example: releaseExample,
  }),
  can_upgrade: field(Type.Boolean(), {
    en: 'Whether an upgrade of agents reaches it; where not, its machine needs the line of the installer by hand, once',
    ru: 'Можно ли обновить его агента отсюда; если нет, на машине нужно один раз запустить строку установщика',
    example: true,
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
  version: Version,
})

const Install = field(Type.String(), {
  en: 'What to run there as root',
  ru: 'Что запустить там от имени root',
  example:
    'curl -fsSL https://vpn.example.com/install/agent | SALLYPORT_ENROL_TOKEN=7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F sh',
})

/** What an operator looks for among many machines. */
export const nodeKinds = ['troubled', 'behind', 'old', 'empty'] as const
export type NodeKind = (typeof nodeKinds)[number]

/** Part of the fleet: machines with an agent. */
export const nodeRows = table({
  listNodes: {
    method: 'GET',
    path: '/nodes',
    summary: {
      en: 'Nodes with desired and applied revisions, engines and their servers',
      ru: 'Узлы: желаемая и применённая ревизии, движки и серверы',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: {
      query: Closed({
        only: field(Type.Optional(Type.Enum([...nodeKinds])), {
          en: 'troubled: away, unable to apply or with an engine that does not run; behind: with revisions to apply; old: with an older agent; empty: without servers',
          ru: 'troubled — не на связи, не может применить конфигурацию или движок не работает; behind — есть неприменённые ревизии; old — старый агент; empty — без серверов',
          example: 'troubled',
        }),
        ...wholeOrPage,
      }),
    },
    response: { 200: Type.Array(NodeRow) },
    errors: [],
    csv: true,
  },
  createNode: {
    method: 'POST',
    path: '/nodes',
    summary: {
      en: 'Register a machine; the enrolment token is shown once and works for an hour',
      ru: 'Зарегистрировать машину; токен подключения показывается один раз и действует час',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: {
      body: Closed({
        name: Name,
        address: Address,
        listen_address: Type.Optional(ListenAddress),
      }),
    },
    response: {
      201: Closed({
        id: Id,
        enrolment_token: field(Type.String(), { example: '7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F' }),
        expires_at: field(ExpiresAt, { example: exampleTime + 3600 }),
        install: Install,
      }),
    },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'node' },
  },
  showNode: {
    method: 'GET',
    path: '/nodes/:id',
    summary: { en: 'One node, as in the list', ru: 'Один узел, как в списке' },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { params: ById },
    response: { 200: NodeRow },
    errors: ['NOT_FOUND'],
  },
  changeNode: {
    method: 'PATCH',
    path: '/nodes/:id',
    summary: {
      en: 'Rename a node or move it to another address; customers’ apps learn the new address with their next fetch',
      ru: 'Переименовать узел или перевести его на другой адрес; приложения клиентов узнают новый адрес при следующем обновлении подписки',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        ...optionally({ name: Name, address: Address, listen_address: ListenAddress }),
        version: SeenVersion,
      }),
    },
    example: { params: { id: 1 }, body: { name: 'ams-2', address: '203.0.113.11' } },
    response: { 200: NodeRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
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
    roles: fleetWriters,
    limit: 'none',
    request: { params: ById },
    response: {
      200: Closed({
        enrolment_token: field(Type.String(), { example: '7hQ2mX9cKd3VbN5tRw8yZa1B2c3D4e5F' }),
        expires_at: field(ExpiresAt, { example: exampleTime + 3600 }),
        install: Install,
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
    roles: fleetWriters,
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'node' },
  },
})
