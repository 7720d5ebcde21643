import Type, { type Static } from 'typebox'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  ProtocolValue,
  resource,
  UnixSeconds,
} from '../../shapes.ts'
import { AwgConfig, ConnectionUrl, OptionsOn, PaymentMethod, renewal, XrayConfig } from '../shapes.ts'

/** Paid options: what is bought, carried, metered and shown of them. */

export const optionStatuses = ['active', 'disabled', 'limited', 'expired'] as const
export type OptionStatus = (typeof optionStatuses)[number]

const Status = field(Type.Enum([...optionStatuses]), {
  en: 'disabled by the operator, limited when the traffic is used up; only what is active carries anything',
  ru: 'disabled — отключена оператором, limited — израсходован трафик; работает только active',
  example: 'active',
})

export const OptionId = field(Id, {
  en: 'The option, from the list of options on sale',
  ru: 'Опция из списка доступных для покупки',
})

/** How a configuration of an option is reached, and what it is. */
const carried = {
  id: field(Id, { example: 3 }),
  server_id: Id,
  connection_url: ConnectionUrl,
  title: field(Nullable(Type.String()), { example: 'TV' }),
  protocol: ProtocolValue,
  created_at: CreatedAt,
  is_extended_settings_enabled: Type.Boolean(),
  is_online: field(Type.Boolean(), {
    en: 'Whether the server answers; false while the option is off',
    ru: 'Отвечает ли сервер; false, пока опция выключена',
  }),
  xray_config: XrayConfig,
  awg_config: AwgConfig,
  options: OptionsOn,
}

const Index = field(Type.Integer({ minimum: 0 }), {
  en: "For titles, stats and items of subscriptions. The option's own come first, added ones follow; it stays when others go",
  ru: 'Для названий, статистики и состава подписок. Сначала конфигурации самой опции, затем добавленные; не меняется, когда другие уходят',
  example: 0,
})

export const PaidOptionConfig = resource('PaidOptionConfig', {
  ...carried,
  index: Index,
  original_title: field(Type.String(), {
    en: 'As the service calls it',
    ru: 'Как её называет сервис',
    spoken: { en: '🇳🇱 Netherlands · White internet', ru: '🇳🇱 Нидерланды · Белый интернет' },
  }),
  custom_title: field(Nullable(Type.String()), {
    en: 'As the customer calls it',
    ru: 'Как её назвал клиент',
    example: 'TV',
  }),
  is_added: field(Type.Boolean(), {
    en: 'Whether you added it; what came with the option follows it and cannot be changed',
    ru: 'Добавлена ли вами; пришедшее с опцией следует за ней и не меняется',
    example: false,
  }),
})
export type PaidOptionConfig = Static<typeof PaidOptionConfig>

export const AddedConfig = resource('AddedConfig', { ...carried, index: field(Index, { example: 3 }) })
export type AddedConfig = Static<typeof AddedConfig>

export const PaidOption = resource('PaidOption', {
  option_id: OptionId,
  status: Status,
  expires_at: ExpiresAt,
  configs: Type.Array(PaidOptionConfig),
  ...renewal,
})
export type PaidOption = Static<typeof PaidOption>

export const OptionOnSale = resource('OptionOnSale', {
  id: OptionId,
  option_key: field(Type.String(), { example: 'white_internet' }),
  title: field(Type.String(), { spoken: { en: 'White internet', ru: 'Белый интернет' } }),
  caption: field(Type.String(), { spoken: { en: 'Five countries', ru: 'Пять стран' } }),
  description: field(Type.String(), {
    spoken: { en: 'One link with a server in each country', ru: 'Одна ссылка с сервером в каждой стране' },
  }),
  payment_methods: Type.Array(PaymentMethod),
})

const Bytes = Type.Integer({ minimum: 0 })

export const OptionSubscription = resource('OptionSubscription', {
  used_traffic_bytes: field(Bytes, {
    en: 'In this period of 30 days, all configurations and proxies of the option together',
    ru: 'За текущие 30 дней, все конфигурации и прокси опции вместе',
    example: 1_073_741_824,
  }),
  lifetime_used_traffic_bytes: field(Bytes, {
    en: 'Since the purchase',
    ru: 'С покупки',
    example: 53_687_091_200,
  }),
  device_limit: field(Nullable(Type.Integer({ minimum: 1, maximum: 100 })), {
    en: 'How many devices may use the option; null means unlimited. An app that does not name its device takes one place for all devices of one system',
    ru: 'На скольких устройствах можно пользоваться опцией; null — без ограничения. Приложение, которое не называет устройство, занимает одно место на все устройства с той же системой',
    example: 5,
  }),
  traffic_limit_bytes: field(Bytes, {
    en: '0 means unlimited',
    ru: '0 — без ограничения',
    example: 107_374_182_400,
  }),
  status: Status,
  period_ends_at: field(UnixSeconds, {
    en: 'When the next 30 days begin and the traffic is counted anew, Unix time in seconds',
    ru: 'Когда начнутся следующие 30 дней и трафик посчитают заново, время Unix в секундах',
    example: exampleTime + 30 * 86_400,
  }),
})
export type OptionSubscription = Static<typeof OptionSubscription>

export const Hwid = field(Type.String({ minLength: 1, maxLength: 64 }), {
  en: 'What the app calls the device; of one that calls it nothing, its own name and system',
  ru: 'Как приложение называет устройство; если никак — название приложения и система',
  example: 'd8f0c2a4-41be-4c0e',
})

export const PanelDevice = resource('PanelDevice', {
  hwid: Hwid,
  platform: field(Type.String(), { example: 'Android' }),
  os_version: field(Type.String(), { example: '15' }),
  device_model: field(Type.String(), { example: 'Pixel 9' }),
  created_at: CreatedAt,
})

export const PanelDevices = Closed({ total: Type.Integer(), devices: Type.Array(PanelDevice) })
