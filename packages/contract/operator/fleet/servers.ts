import Type from 'typebox'
import { LocationId } from '../../customer/shapes.ts'
import { table } from '../../operation.ts'
import {
  Closed,
  CreatedAt,
  field,
  Id,
  Nullable,
  ProtocolValue,
  protocols,
  resource,
  Text,
  UnixSeconds,
} from '../../shapes.ts'
import { ById, fleetReaders, fleetWriters, HostName, Moment, page, SeenVersion, Version } from '../shapes.ts'

const Port = Type.Optional(Type.Integer({ minimum: 1, maximum: 65535 }))
export const aboutCapacity = {
  en: 'How many configurations it holds',
  ru: 'Сколько конфигураций вмещает',
  example: 200,
}
const HostAndPort = Type.String({
  pattern: '^(\\[[0-9a-fA-F:]+\\]|[A-Za-z0-9.-]+):[0-9]{1,5}$',
  maxLength: 261,
})

const Capacity = field(Type.Integer({ minimum: 0, maximum: 100_000 }), aboutCapacity)
const RealityTarget = field(HostAndPort, {
  en: 'host:port of the site REALITY borrows',
  ru: 'host:port сайта, которым прикрывается REALITY',
  example: 'www.example.com:443',
})
const RealityServerName = field(HostName, { example: 'www.example.com' })
const Protocols = Type.Array(ProtocolValue, { minItems: 1, maxItems: protocols.length, uniqueItems: true })

export const serverStates = ['selling', 'closed', 'draining', 'retired'] as const
const Site = (example: string) => field(Nullable(Type.String()), { example })

const ServerRow = resource('Server', {
  id: field(Id, { example: 7 }),
  node_id: Id,
  location_id: LocationId,
  state: field(Type.Enum([...serverStates]), {
    en: 'closed: what is there goes on, nothing more is sold. draining: what is there is being moved. retired: gone, its keys erased',
    ru: 'closed — имеющееся работает, новое не продаётся; draining — клиентов переносят; retired — сервера больше нет, ключи стёрты',
  }),
  is_online: field(Type.Boolean(), {
    en: 'Whether the agent of its node reports',
    ru: 'Присылает ли отчёты агент его узла',
  }),
  capacity: field(Type.Integer(), aboutCapacity),
  used_slots: field(Type.Integer(), { example: 42 }),
  protocols: field(Type.Array(Type.String()), { example: ['vless', 'wg'] }),
  ports: field(Type.Record(Type.String(), Type.Integer()), {
    en: 'By protocol; amnezia-wg-2 has one for each customer and is not here',
    ru: 'По протоколам; у amnezia-wg-2 порт свой у каждого клиента, и здесь его нет',
    example: { vless: 443, wg: 20_777 },
  }),
  domain: field(Type.String(), { example: 'ams.example.com' }),
  certificate_expires_at: field(UnixSeconds, {
    en: 'When its certificate ends, Unix time in seconds',
    ru: 'Когда истекает его сертификат, время Unix в секундах',
  }),
  reality_target: Site('www.example.com:443'),
  reality_server_name: Site('www.example.com'),
  other_reality_target: Site('www.cloudflare.com:443'),
  other_reality_server_name: Site('www.cloudflare.com'),
  created_at: CreatedAt,
  retired_at: field(Moment, {
    en: 'When it was retired, Unix time in seconds',
    ru: 'Когда выведен из работы, время Unix в секундах',
    example: null,
  }),
  version: Version,
})

/** Part of the fleet: what of a node is sold. */
export const serverRows = table({
  listServers: {
    method: 'GET',
    path: '/servers',
    summary: {
      en: 'Servers that places are sold on, newest first; retired ones only when asked for',
      ru: 'Серверы, места на которых продаются, сначала новые; выведенные из работы — только по запросу',
    },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: {
      query: Closed({
        location_id: Type.Optional(LocationId),
        node_id: Type.Optional(Id),
        state: Type.Optional(Type.Enum([...serverStates])),
        ...page,
      }),
    },
    response: { 200: Type.Array(ServerRow) },
    errors: [],
    csv: true,
  },
  showServer: {
    method: 'GET',
    path: '/servers/:id',
    summary: { en: 'One server, as in the list', ru: 'Один сервер, как в списке' },
    auth: 'operator',
    roles: fleetReaders,
    limit: 'none',
    request: { params: ById },
    response: { 200: ServerRow },
    errors: ['NOT_FOUND'],
  },
  createServer: {
    method: 'POST',
    path: '/servers',
    summary: {
      en: 'Put a sellable server on a node; its keys are made here',
      ru: 'Разместить на узле сервер для продажи; его ключи создаются здесь',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: {
      body: Closed({
        node_id: Id,
        location_id: LocationId,
        capacity: Capacity,
        domain: Type.Optional(HostName),
        certificate: Type.Optional(Text(1, 32_768)),
        certificate_key: Type.Optional(Text(1, 16_384)),
        reality_target: RealityTarget,
        reality_server_name: RealityServerName,
        other_reality_target: Type.Optional(HostAndPort),
        other_reality_server_name: Type.Optional(HostName),
        protocols: Type.Optional(Protocols),
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
  changeServer: {
    method: 'PATCH',
    path: '/servers/:id',
    summary: {
      en: 'Change a server while customers are on it: keys and ports stay, and apps learn new names with their next fetch',
      ru: 'Изменить сервер, на котором есть клиенты: ключи и порты остаются, новые имена приложения узнают при следующем обновлении подписки',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        capacity: field(Type.Optional(Capacity), {
          en: 'How many configurations it holds; below what is used nothing more is sold',
          ru: 'Сколько конфигураций вмещает; если меньше занятого, новое не продаётся',
        }),
        protocols: field(Type.Optional(Protocols), {
          en: 'All that it offers from now on; one that is used cannot go',
          ru: 'Все протоколы, которые он теперь предлагает; используемый убрать нельзя',
        }),
        domain: field(Type.Optional(HostName), {
          en: 'Its own name; with a certificate made here comes another one for the new name',
          ru: 'Его собственное имя; если сертификат создан здесь, под новое имя создаётся другой',
        }),
        certificate: field(Type.Optional(Text(1, 32_768)), {
          en: 'PEM, together with its key',
          ru: 'PEM, вместе с ключом',
        }),
        certificate_key: Type.Optional(Text(1, 16_384)),
        reality_target: Type.Optional(RealityTarget),
        reality_server_name: Type.Optional(RealityServerName),
        other_reality_target: Type.Optional(HostAndPort),
        other_reality_server_name: Type.Optional(HostName),
        state: field(Type.Optional(Type.Enum(['selling', 'closed'])), {
          en: 'closed: what is there goes on, nothing more is sold',
          ru: 'closed — имеющееся работает, новое не продаётся',
        }),
        version: SeenVersion,
      }),
    },
    example: { params: { id: 7 }, body: { capacity: 300, state: 'closed' } },
    response: { 200: ServerRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'server', hidden: ['certificate'] },
  },
  deleteServer: {
    method: 'DELETE',
    path: '/servers/:id',
    summary: {
      en: 'Retire a server and erase its keys. Refused while anything is on it, or a paid option names it',
      ru: 'Вывести сервер из работы и стереть его ключи. Пока на нём что-то есть или его называет платная опция, это невозможно',
    },
    auth: 'operator',
    roles: fleetWriters,
    limit: 'none',
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'server' },
  },
})
