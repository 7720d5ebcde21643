import Type, { type Static } from 'typebox'
import { bridgeTypes } from '../product-types.ts'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  field,
  Id,
  Nullable,
  ProtocolValue,
  ProxyProtocolValue,
  resource,
  switchNames,
} from '../shapes.ts'

/** Configurations, and what is bought, changed and shown of them. */

export const LocationId = field(Id, { en: 'From the list of locations', ru: 'Из списка локаций' })
export const PaymentMethodId = field(Id, {
  en: 'From the list of payment methods',
  ru: 'Из списка способов оплаты',
})
export const Days = field(Type.Integer(), { example: 30 })
export const Currency = field(Type.String(), {
  en: 'RUB, TON, USDT, XTR',
  ru: 'RUB, TON, USDT, XTR',
  example: 'RUB',
})

/** In answers, which leave it out when none is on. */
export const OptionsOn = field(Type.Optional(Type.Array(Type.Enum([...switchNames]))), {
  en: 'The options that are on; left out when none is',
  ru: 'Включённые опции; нет поля — не включена ни одна',
})
export const ConnectionUrl = field(Type.String(), {
  en: 'Link for the VPN app',
  ru: 'Ссылка для VPN-приложения',
  example:
    'vless://0b7c…@203.0.113.10:443?security=reality&flow=xtls-rprx-vision&sni=www.example.com#Amsterdam',
})
const ProxyUrl = field(ConnectionUrl, { example: 'http://c42:7hQ2mX9cKd3V@203.0.113.10:30042' })
export const XrayConfig = field(Type.Optional(Type.String()), {
  en: 'Present with extended settings',
  ru: 'Есть при расширенных настройках',
})
export const AwgConfig = field(Type.Optional(Type.String()), {
  en: 'The .conf file for AmneziaWG',
  ru: 'Файл .conf для AmneziaWG',
})

/** How a configuration is reached after a change. */
export const Connection = resource('Connection', {
  connection_url: ConnectionUrl,
  server_id: Id,
  xray_config: XrayConfig,
  awg_config: AwgConfig,
})
export type Connection = Static<typeof Connection>

/** With the options that are on after a change that need not have named them all. */
export const SettledConnection = resource('SettledConnection', {
  ...Connection.properties,
  options: OptionsOn,
})
export type SettledConnection = Static<typeof SettledConnection>

export const Subconfig = resource('Subconfig', {
  id: Id,
  protocol: ProxyProtocolValue,
  connection_url: ProxyUrl,
  tls_domain: Type.Optional(Type.String()),
})

export const SubconfigConnection = resource('SubconfigConnection', {
  id: Id,
  protocol: ProxyProtocolValue,
  connection_url: ProxyUrl,
})

export const EntryId = field(Id, {
  en: 'The entry: where the client connects',
  ru: 'Вход: сюда подключается клиент',
  example: 1,
})
export const ExitId = field(Id, {
  en: 'The exit: where traffic leaves',
  ru: 'Выход: отсюда трафик идёт в сеть',
  example: 6,
})

export const BridgeTypeValue = Type.Enum([...bridgeTypes])

/** The first is the entry, the second the exit, as in makeBridge. */
export const Bridge = resource('Bridge', {
  id: Id,
  first_config_id: EntryId,
  first_type: field(BridgeTypeValue, { en: 'What the entry is', ru: 'Чем является вход' }),
  second_config_id: ExitId,
  second_type: field(BridgeTypeValue, { en: 'What the exit is', ru: 'Чем является выход' }),
  created_at: CreatedAt,
})
export type Bridge = Static<typeof Bridge>

export const renewal = {
  auto_renewal: field(Type.Boolean(), { example: false }),
  auto_renewal_days: field(Nullable(Type.Integer()), {
    en: 'For how many days it renews',
    ru: 'На сколько дней продлевать',
    example: null,
  }),
}

export const AutoRenewal = resource('AutoRenewal', renewal)

const percentOfDay = { en: 'Mean of the day, percent', ru: 'Среднее за день, проценты' }
const speedOfDay = { en: 'Mean of the day, Mbps', ru: 'Среднее за день, Мбит/с' }

export const ServerStats = resource('ServerStats', {
  host: field(Type.String(), { example: '203.0.113.10' }),
  status: Type.Enum(['up', 'down']),
  uptime_days: field(Type.Number(), { example: 37 }),
  cpu_model: field(Type.String(), { example: 'AMD EPYC' }),
  stats: Type.Array(
    Closed({
      date: field(Type.String(), { en: 'YYYY-MM-DD', ru: 'ГГГГ-ММ-ДД', example: '2026-01-01' }),
      cpu: field(Type.Number(), { ...percentOfDay, example: 12.5 }),
      ram: field(Type.Number(), { ...percentOfDay, example: 48.2 }),
      up: field(Type.Number(), { ...speedOfDay, example: 310.4 }),
      down: field(Type.Number(), { ...speedOfDay, example: 295.1 }),
    }),
  ),
})
export type ServerStats = Static<typeof ServerStats>

/** With room for a configuration of the protocol that was asked for. */
export const AvailableServer = Closed({
  id: Id,
  available_slots: field(Type.Integer({ minimum: 0 }), {
    en: 'How many places are free',
    ru: 'Сколько мест свободно',
    example: 120,
  }),
})

export const Tariff = resource('Tariff', {
  id: Id,
  days: field(Type.Integer({ minimum: 1 }), { example: 30 }),
  price: field(Type.Number(), {
    en: 'Price for this customer, in the currency of the method',
    ru: 'Цена для этого клиента в валюте способа оплаты',
    example: 200,
  }),
  old_price: field(Type.Optional(Type.Number()), {
    en: 'Previous price, for showing a discount',
    ru: 'Прежняя цена, чтобы показать скидку',
  }),
})

export const PaymentMethod = resource('PaymentMethod', {
  id: Id,
  key: field(Type.String(), {
    en: 'What programs know it by, in every language: balance, sbp, card, ton, usdt, stars, referral',
    ru: 'По чему его узнают программы на любом языке: balance, sbp, card, ton, usdt, stars, referral',
    example: 'balance',
  }),
  display_name: field(Type.String(), { spoken: { en: 'Balance', ru: 'Баланс' } }),
  currency: Currency,
  min_amount: field(Type.Number(), {
    en: 'The smallest amount the method takes',
    ru: 'Наименьшая сумма для этого способа',
  }),
  tariffs: Type.Array(Tariff),
})

export const UserConfig = resource('UserConfig', {
  id: field(Id, { example: 1 }),
  connection_url: ConnectionUrl,
  title: field(Nullable(Type.String()), { example: 'Laptop' }),
  location_id: Id,
  server_id: Id,
  protocol: ProtocolValue,
  expires_at: ExpiresAt,
  created_at: CreatedAt,
  is_extended_settings_enabled: Type.Optional(Type.Boolean()),
  xray_config: XrayConfig,
  awg_config: AwgConfig,
  options: OptionsOn,
  flags: field(Type.Optional(Type.Array(Type.String())), {
    en: 'For example noChangeCountry',
    ru: 'Например, noChangeCountry',
  }),
  is_online: field(Nullable(Type.Boolean()), {
    en: 'Whether the server answers',
    ru: 'Отвечает ли сервер',
  }),
  ...renewal,
})
export type UserConfig = Static<typeof UserConfig>

export const Location = resource('Location', {
  id: Id,
  code: field(Type.String(), { en: 'Country code', ru: 'Код страны', example: 'NL' }),
  title: field(Type.String(), { spoken: { en: 'Netherlands', ru: 'Нидерланды' } }),
  description: field(Type.String(), {
    spoken: { en: 'Amsterdam, fast across Europe', ru: 'Амстердам, быстрый канал по Европе' },
  }),
  caption: field(Type.String(), { spoken: { en: 'Demo', ru: 'Демо' } }),
  is_active: Type.Boolean(),
  ping_ip: field(Nullable(Type.String()), {
    en: 'Address to measure the delay to',
    ru: 'Адрес для измерения задержки',
    example: '203.0.113.10',
  }),
})

/** Where the customer pays; the goods come once the provider confirms. */
export const PaymentLink = resource('PaymentLink', {
  link: field(Type.String(), {
    en: 'The page to pay at; good for an hour',
    ru: 'Страница оплаты, действует час',
    example: 'https://vpn.example.com/pay/7hQ2mX9cKd3VbN5tRw8yZa',
  }),
  payment_id: field(Id, {
    en: 'Its id in the payments history: ask getPayment how it stands. The page leads back to /payments/<this id>',
    ru: 'Её id в истории платежей: что с ней, скажет getPayment. Страница оплаты возвращает на /payments/<этот id>',
    example: 42,
  }),
})
export type PaymentLink = Static<typeof PaymentLink>

/** A purchase as an activation key. */
export const BoughtKey = resource('BoughtKey', { promocode: Type.String(), days: Days })
export type BoughtKey = Static<typeof BoughtKey>

/** 32 bytes as Xray writes them; without - and _ both alphabets of Base64 agree on them. */
const PlainKey = field(Type.String({ pattern: '^[A-Za-z0-9]{43}$' }), {
  example: 'mKq1cXJ6dEw0u8mS3tYv5yB7pR9zN2aL4fH6gD8kT0o',
})
export const X25519KeyPair = resource('X25519KeyPair', {
  private_key: field(PlainKey, {
    en: '43 characters as Xray writes them, yet without “-” and “_”: any Base64 reader takes it',
    ru: '43 символа, как пишет Xray, но без «-» и «_»: такой ключ прочтёт любой Base64',
  }),
  public_key: field(PlainKey, { en: 'Written like private_key', ru: 'В той же записи, что private_key' }),
})
