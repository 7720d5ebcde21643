import Type, { type Static } from 'typebox'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  field,
  Id,
  Nullable,
  ProxyProtocolValue,
  protocols,
  resource,
} from '../../shapes.ts'
import {
  AwgConfig,
  ConnectionUrl,
  Location,
  LocationId,
  OptionsOn,
  PaymentMethod,
  renewal,
  XrayConfig,
} from '../shapes.ts'

/** Cloud servers: whole machines of one customer. */

export const cloudStatuses = ['ordered', 'purchased', 'active'] as const
export type CloudStatus = (typeof cloudStatuses)[number]

/** What a configuration on a machine of one's own may be: mtproto too, which elsewhere is a proxy only. */
export const cloudProtocols = [...protocols, 'mtproto'] as const
export type CloudProtocol = (typeof cloudProtocols)[number]
export const CloudProtocolValue = Type.Enum([...cloudProtocols])

export const CloudServerId = field(Id, {
  en: 'One of your cloud servers',
  ru: 'Один из ваших облачных серверов',
})

export const TariffConfigId = field(Id, {
  en: 'How strong a machine, from the list of tariffs',
  ru: 'Мощность машины: из списка тарифов',
})

export const CloudServer = resource('CloudServer', {
  id: field(Id, { example: 1 }),
  location_id: LocationId,
  tariff_config_id: TariffConfigId,
  status: field(Type.Enum([...cloudStatuses]), {
    en: 'ordered: paid; purchased: the provider has taken the order; active: ready for configurations',
    ru: 'ordered — оплачен; purchased — провайдер принял заказ; active — готов к работе',
  }),
  expires_at: ExpiresAt,
  url: field(Nullable(Type.String()), {
    en: 'IP address or domain; null until it has one',
    ru: 'IP-адрес или домен; null, пока их нет',
    example: '203.0.113.77',
  }),
  is_online: field(Type.Boolean(), { en: 'Whether it answers', ru: 'Отвечает ли' }),
  ...renewal,
  hostname: field(Nullable(Type.String()), { example: 'vpn.example.com' }),
})
export type CloudServer = Static<typeof CloudServer>

export const CloudLocation = resource('CloudLocation', {
  ...Location.properties,
  caption: field(Nullable(Type.String()), { spoken: { en: 'Demo', ru: 'Демо' } }),
  server_type: field(Type.String(), { en: 'What kind of machine', ru: 'Вид машины', example: 'vps' }),
  available_tariff_config_ids: field(Type.Array(Id), {
    en: 'What can be ordered there now',
    ru: 'Что там можно заказать сейчас',
    example: [1, 2],
  }),
})
export type CloudLocation = Static<typeof CloudLocation>

export const CloudTariff = resource('CloudTariff', {
  id: TariffConfigId,
  title: field(Type.String(), { spoken: { en: 'Start', ru: 'Старт' } }),
  description: field(Type.String(), {
    spoken: { en: '1 core, 2 GB of memory', ru: '1 ядро, 2 ГБ памяти' },
  }),
  payment_methods: Type.Array(PaymentMethod),
})

export const CloudConfig = resource('CloudConfig', {
  id: field(Id, { example: 8 }),
  title: field(Nullable(Type.String()), { example: 'TV' }),
  protocol: CloudProtocolValue,
  connection_url: ConnectionUrl,
  is_extended_settings_enabled: Type.Boolean(),
  xray_config: XrayConfig,
  awg_config: AwgConfig,
  options: OptionsOn,
  created_at: CreatedAt,
})
export type CloudConfig = Static<typeof CloudConfig>

/** How a configuration is reached after a change. */
export const CloudConnection = resource('CloudConnection', {
  connection_url: ConnectionUrl,
  xray_config: XrayConfig,
  awg_config: AwgConfig,
})
export type CloudConnection = Static<typeof CloudConnection>

export const SettledCloudConnection = resource('SettledCloudConnection', {
  ...CloudConnection.properties,
  options: OptionsOn,
})
export type SettledCloudConnection = Static<typeof SettledCloudConnection>

const ProxyUrl = field(ConnectionUrl, { example: 'http://c42:7hQ2mX9cKd3V@203.0.113.77:30042' })

export const CloudProxyConnection = resource('CloudProxyConnection', {
  id: Id,
  protocol: ProxyProtocolValue,
  connection_url: ProxyUrl,
})
export type CloudProxyConnection = Static<typeof CloudProxyConnection>

export const CloudProxy = resource('CloudProxy', {
  id: Id,
  title: field(Nullable(Type.String()), { example: 'Office' }),
  protocol: ProxyProtocolValue,
  connection_url: ProxyUrl,
  created_at: CreatedAt,
})
export type CloudProxy = Static<typeof CloudProxy>

export const RenewedServer = Closed({ renewed: Type.Boolean(), expires_at: ExpiresAt })
