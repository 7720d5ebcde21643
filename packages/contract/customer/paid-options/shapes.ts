import Type, { type Static } from 'typebox'
import { Closed, CreatedAt, ExpiresAt, field, Id, Nullable, ProtocolValue, resource } from '../../shapes.ts'
import { AwgConfig, ConnectionUrl, OptionsOn, PaymentMethod, renewal, XrayConfig } from '../shapes.ts'

/** Paid options: what is bought, carried, metered and shown of them. */

export const optionStatuses = ['active', 'disabled', 'limited', 'expired'] as const
export type OptionStatus = (typeof optionStatuses)[number]

export const OptionId = field(Id, {
  en: 'The option, from the list of options on sale',
  ru: 'Опция из списка доступных для покупки',
})

/** How a configuration of an option is reached, and what it is. */
const carried = {
  id: field(Id, { example: 42 }),
  server_id: Id,
  connection_url: ConnectionUrl,
  title: field(Nullable(Type.String()), { example: 'TV' }),
  protocol: ProtocolValue,
  created_at: CreatedAt,
  is_extended_settings_enabled: Type.Boolean(),
  is_online: field(Type.Boolean(), { en: 'Whether the server answers', ru: 'Отвечает ли сервер' }),
  xray_config: XrayConfig,
  awg_config: AwgConfig,
  options: OptionsOn,
}

export const PaidOptionConfig = resource('PaidOptionConfig', {
  ...carried,
  index: field(Type.Integer({ minimum: 0 }), {
    en: "The option's own come first and keep their index; added ones follow",
    ru: 'Сначала конфигурации самой опции, их номер не меняется; затем добавленные',
    example: 0,
  }),
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
})
export type PaidOptionConfig = Static<typeof PaidOptionConfig>

export const AddedConfig = resource('AddedConfig', carried)
export type AddedConfig = Static<typeof AddedConfig>

export const PaidOption = resource('PaidOption', {
  option_id: OptionId,
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
  device_limit: field(Nullable(Type.Integer({ minimum: 1 })), {
    en: 'null means unlimited',
    ru: 'null — без ограничения',
    example: 5,
  }),
  traffic_limit_bytes: field(Bytes, {
    en: '0 means unlimited',
    ru: '0 — без ограничения',
    example: 107_374_182_400,
  }),
  status: Type.Enum([...optionStatuses]),
})
export type OptionSubscription = Static<typeof OptionSubscription>

export const Hwid = field(Type.String({ minLength: 1, maxLength: 64 }), {
  en: 'What the app calls the device',
  ru: 'Как приложение называет устройство',
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
