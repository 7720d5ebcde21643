import Type from 'typebox'
import { LocationId } from '../../customer/shapes.ts'
import { table } from '../../operation.ts'
import { Closed, field, Id, ProtocolValue, Text } from '../../shapes.ts'
import { fleetWriters, HostName } from '../shapes.ts'

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

/** Part of the fleet: what of a node is sold. */
export const serverRows = table({
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
