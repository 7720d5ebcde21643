import Type, { type Static, type TSchema } from 'typebox'

export const protocols = [
  'vless',
  'trojan',
  'trojan-2901',
  'outline',
  'hysteria2',
  'vless-2410',
  'shadowsocks-2022',
  'wg',
  'amnezia-wg-2',
] as const
export type Protocol = (typeof protocols)[number]

export const switchNames = [
  'use_extended_settings',
  'use_warp',
  'disable_flow_reality',
  'disable_reality',
  'change_sni',
  'block_local_network',
  'disable_sni',
  'enable_family_filter',
  'pass_all_traffic_through_vpn',
  'block_bittorrent',
  'use_xhttp',
  'use_grpc',
] as const
export type SwitchName = (typeof switchNames)[number]
export type SwitchSet = { readonly [K in SwitchName]?: boolean | undefined }

export const proxyProtocols = ['http', 'socks5', 'mtproto'] as const
export type ProxyProtocol = (typeof proxyProtocols)[number]

export const maxId = Number.MAX_SAFE_INTEGER

/** The same in both languages of the reference. */
export interface Words {
  readonly en: string
  readonly ru: string
}

interface Unsaid {
  readonly en?: never
  readonly ru?: never
}

/** What the reference tells of a field: what it means, where its name leaves that open, and a value to show. */
export type About<T = unknown> = (Words | Unsaid) & {
  readonly example?: T
  /** A value that the service itself says in the caller's language. */
  readonly spoken?: Words
}

/** What is said beside a schema is hidden from whoever walks it, as the library hides its own kinds. */
interface Beside {
  readonly '~about'?: About
  readonly '~name'?: string
}

const beside = <S extends TSchema>(schema: S, said: Beside): S => {
  const hidden = Object.entries(said).map(([key, value]) => [key, { value, enumerable: false }])
  const all = { ...Object.getOwnPropertyDescriptors(schema), ...Object.fromEntries(hidden) }
  return Object.defineProperties({}, all) as S
}

/** The schema with what the reference tells of it; validation, serialisation and their messages stay what they are. */
export const field = <S extends TSchema>(schema: S, about: About<Static<S>>): S =>
  beside(schema, { '~about': { ...aboutOf(schema), ...about } as About })

export const aboutOf = (schema: object): About | undefined => (schema as Beside)['~about']

/** When everything in the examples happened. */
export const exampleTime = 1_767_225_600
const month = 30 * 86_400

export const Id = Type.Integer({ minimum: 1, maximum: maxId })
/** The end of the year 9999. */
export const latestTime = 253_402_300_799
export const UnixSeconds = field(Type.Integer({ minimum: 0, maximum: latestTime }), {
  en: 'Unix time in seconds',
  ru: 'Время Unix в секундах',
  example: exampleTime,
})
export const CreatedAt = field(UnixSeconds, {
  en: 'When it was made, Unix time in seconds',
  ru: 'Когда создано, время Unix в секундах',
})
export const ExpiresAt = field(UnixSeconds, {
  en: 'When it ends, Unix time in seconds',
  ru: 'Когда закончится, время Unix в секундах',
  example: exampleTime + month,
})
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const Text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength })
/**
 * What handlers keep beyond the schema that validates: bounds with an error of their own, narrower ones that an engine
 * sets, rules over several fields. Given as an option of a schema it is told in OpenAPI, where it is laid over the
 * schema (docs/json-schema.ts), and means nothing to validation. A test holds handlers to every bound told so.
 */
export const stated = (told: object) => ({ stated: told })

/** A closed object: fields it does not name are refused on the way in and dropped on the way out. */
export const Closed = <P extends Type.TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** A closed object that has a name of its own in the documents made from the contract. */
export const resource = <P extends Type.TProperties>(name: string, properties: P) =>
  beside(Closed(properties), { '~name': name })

export const resourceName = (schema: object): string | undefined => (schema as Beside)['~name']

export const ProtocolValue = Type.Enum([...protocols])
export const ProxyProtocolValue = Type.Enum([...proxyProtocols])
export const Promocode = Text(4, 32)

export const howMany: Words = { en: 'How many to return', ru: 'Сколько записей вернуть' }

/** How many a list gives, and where it starts. */
export const pageOf = (most: number) => ({
  limit: field(Type.Optional(Type.Integer({ minimum: 1, maximum: most })), howMany),
  offset: field(Type.Optional(Type.Integer({ minimum: 0, maximum: maxId })), {
    en: 'How many to skip',
    ru: 'Сколько записей пропустить',
  }),
})
