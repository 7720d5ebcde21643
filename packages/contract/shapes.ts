import Type, { type Static } from 'typebox'

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

export const optionNames = [
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
export type OptionName = (typeof optionNames)[number]
export type OptionSet = { readonly [K in OptionName]?: boolean | undefined }

export const proxyProtocols = ['http', 'socks5', 'mtproto'] as const
export type ProxyProtocol = (typeof proxyProtocols)[number]

export const bridgeTypes = ['config', 'paid_option', 'cloud'] as const
export type BridgeType = (typeof bridgeTypes)[number]

export const pricingRuleTypes = [
  'all',
  'config',
  'configs',
  'cloud_server',
  'cloud_servers',
  'paid_option',
  'paid_options',
] as const
export type PricingRuleType = (typeof pricingRuleTypes)[number]

export const maxId = Number.MAX_SAFE_INTEGER

export const Id = Type.Integer({ minimum: 1, maximum: maxId })
export const UnixSeconds = Type.Integer({ minimum: 0, description: 'Unix time in seconds' })
export const Nullable = <T extends Type.TSchema>(schema: T) => Type.Union([schema, Type.Null()])
export const Text = (minLength: number, maxLength: number) => Type.String({ minLength, maxLength })
/**
 * What handlers keep beyond the schema that validates: bounds with an error of their own, narrower ones that an engine
 * sets, rules over several fields. Given as an option of a schema it is told in OpenAPI, where it is laid over the
 * schema (openapi-parts.ts), and means nothing to validation. A test holds handlers to every bound told so.
 */
export const stated = (told: object) => ({ stated: told })

/** A closed object: fields it does not name are refused on the way in and dropped on the way out. */
export const Closed = <P extends Type.TProperties>(properties: P, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

export const ProtocolValue = Type.Enum([...protocols])
export const optionFields = {
  use_extended_settings: Type.Optional(Type.Boolean()),
  use_warp: Type.Optional(Type.Boolean()),
  disable_flow_reality: Type.Optional(Type.Boolean()),
  disable_reality: Type.Optional(Type.Boolean()),
  change_sni: Type.Optional(Type.Boolean()),
  block_local_network: Type.Optional(Type.Boolean()),
  disable_sni: Type.Optional(Type.Boolean()),
  enable_family_filter: Type.Optional(Type.Boolean()),
  pass_all_traffic_through_vpn: Type.Optional(Type.Boolean()),
  block_bittorrent: Type.Optional(Type.Boolean()),
  use_xhttp: Type.Optional(Type.Boolean()),
  use_grpc: Type.Optional(Type.Boolean()),
}

/** In answers, which leave it out when none is on. */
const OptionsOn = Type.Optional(Type.Array(Type.Enum([...optionNames])))

export const Promocode = Text(4, 32)
export const ProxyProtocolValue = Type.Enum([...proxyProtocols])
export const BridgeTypeValue = Type.Enum([...bridgeTypes])

/** How a configuration is reached after a change. */
export const Connection = Closed({
  connection_url: Type.String(),
  server_id: Id,
  xray_config: Type.Optional(Type.String()),
  awg_config: Type.Optional(Type.String()),
})
export type Connection = Static<typeof Connection>

/** With the options that are on after a change that need not have named them all. */
export const SettledConnection = Closed({ ...Connection.properties, options: OptionsOn })
export type SettledConnection = Static<typeof SettledConnection>

export const Subconfig = Closed({
  id: Id,
  protocol: ProxyProtocolValue,
  connection_url: Type.String(),
  tls_domain: Type.Optional(Type.String()),
})

export const SubconfigConnection = Closed({
  id: Id,
  protocol: ProxyProtocolValue,
  connection_url: Type.String(),
})

/** The first is the entry, the second the exit, as in makeBridge. */
export const Bridge = Closed({
  id: Id,
  first_config_id: Id,
  first_type: BridgeTypeValue,
  second_config_id: Id,
  second_type: BridgeTypeValue,
  created_at: UnixSeconds,
})
export type Bridge = Static<typeof Bridge>

export const AutoRenewal = Closed({
  auto_renewal: Type.Boolean(),
  auto_renewal_days: Nullable(Type.Integer()),
})

export const ServerStats = Closed({
  host: Type.String(),
  status: Type.Enum(['up', 'down']),
  uptime_days: Type.Number(),
  cpu_model: Type.String(),
  stats: Type.Array(
    Closed({
      date: Type.String({ description: 'YYYY-MM-DD' }),
      cpu: Type.Number({ description: 'Mean of the day, percent' }),
      ram: Type.Number({ description: 'Mean of the day, percent' }),
      up: Type.Number({ description: 'Mean of the day, Mbps' }),
      down: Type.Number({ description: 'Mean of the day, Mbps' }),
    }),
  ),
})

export const Tariff = Closed({
  id: Id,
  days: Type.Integer({ minimum: 1 }),
  price: Type.Number({ description: 'Price for this customer, in the currency of the method' }),
  old_price: Type.Optional(Type.Number({ description: 'Previous price, for showing a discount' })),
})

export const PaymentMethod = Closed({
  id: Id,
  display_name: Type.String(),
  currency: Type.String({ description: 'RUB, TON, USDT, XTR' }),
  min_amount: Type.Number(),
  tariffs: Type.Array(Tariff),
})

export const UserConfig = Closed({
  id: Id,
  connection_url: Type.String(),
  title: Nullable(Type.String()),
  location_id: Id,
  server_id: Id,
  protocol: ProtocolValue,
  expires_at: UnixSeconds,
  created_at: UnixSeconds,
  is_extended_settings_enabled: Type.Optional(Type.Boolean()),
  xray_config: Type.Optional(Type.String()),
  awg_config: Type.Optional(Type.String()),
  options: OptionsOn,
  flags: Type.Optional(Type.Array(Type.String())),
  is_online: Nullable(Type.Boolean()),
  auto_renewal: Type.Boolean(),
  auto_renewal_days: Nullable(Type.Integer()),
})
export type UserConfig = Static<typeof UserConfig>

export const Location = Closed({
  id: Id,
  code: Type.String({ description: 'Country code' }),
  title: Type.String(),
  description: Type.String(),
  caption: Type.String(),
  is_active: Type.Boolean(),
  ping_ip: Nullable(Type.String()),
})

export const PricingRule = Closed({
  type: Type.Enum([...pricingRuleTypes]),
  product_title: Type.String(),
  percent: Type.Number({ description: 'Negative is a discount, positive a surcharge' }),
  comment: Nullable(Type.String()),
})

export const Profile = Closed({
  id: Id,
  email: Nullable(Type.String()),
  uuid: Nullable(Type.String()),
  subscription_key: Nullable(Type.String()),
  sign_in_method: Type.String(),
  referral_balance: Type.Integer(),
  balance: Type.Integer(),
  referrals_count: Type.Integer(),
  is_messenger_connected: Type.Boolean(),
  referral_code: Type.String(),
  onboarding_completed: Type.Boolean(),
  pricing_rules: Type.Optional(Type.Array(PricingRule)),
})

export const Notification = Closed({ id: Id, content: Type.String() })

const Hour = Type.Integer({ minimum: 0, maximum: 23 })
const UtcOffset = Type.Integer({ minimum: -720, maximum: 840, description: 'Minutes from UTC' })

export const NotificationSettings = Closed({
  renewal_reminders: Type.Boolean(),
  notification_start_hour: Hour,
  notification_end_hour: Hour,
  timezone_offset: UtcOffset,
})
export const notificationSettingsFields = {
  renewal_reminders: Type.Optional(Type.Boolean()),
  notification_start_hour: Type.Optional(Hour),
  notification_end_hour: Type.Optional(Hour),
  timezone_offset: Type.Optional(UtcOffset),
}

/** Where the customer pays; the goods come once the provider confirms. */
export const PaymentLink = Closed({ link: Type.String() })
export type PaymentLink = Static<typeof PaymentLink>

/** A purchase as an activation key. */
export const BoughtKey = Closed({ promocode: Type.String(), days: Type.Integer() })
export type BoughtKey = Static<typeof BoughtKey>

/** 32 bytes as Xray writes them; without - and _ both alphabets of Base64 agree on them. */
const PlainKey = Type.String({ pattern: '^[A-Za-z0-9]{43}$' })
export const X25519KeyPair = Closed({ private_key: PlainKey, public_key: PlainKey })

export const ApiKey = Closed({
  id: Id,
  title: Nullable(Type.String()),
  prefix: Type.String(),
  created_at: UnixSeconds,
  last_used_at: Nullable(UnixSeconds),
})
