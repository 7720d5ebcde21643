import Type, { type Static } from 'typebox'
import { itemSources, itemTypes } from '../../product-types.ts'
import { Closed, CreatedAt, ExpiresAt, field, Id, Nullable, resource } from '../../shapes.ts'
import { Title } from '../../visible-text.ts'
import { SubscriptionKey } from '../account-shapes.ts'
import { CloudProtocolValue, CloudServerId } from '../cloud-servers/shapes.ts'
import { DeviceType, device } from '../devices.ts'
import { OptionId } from '../paid-options/shapes.ts'

/** Subscriptions that customers put together: what they are made of and shown as. */

export const mostItems = 50
export const mostSubscriptions = 50
export const highestIndex = 20

export const SubscriptionId = field(Id, { example: 3 })
export const SubscriptionTitle = field(Title, { example: 'Family' })

const ItemTypeValue = field(Type.Enum([...itemTypes]), {
  en: 'A configuration, one on a cloud server, a whole option, or one of its configurations by index or by id',
  ru: 'Конфигурация, конфигурация облачного сервера, вся опция или одна её конфигурация по номеру либо по id',
})

const ReferenceId = field(Id, {
  en: 'The configuration; for paid_option and paid_option_index the option',
  ru: 'Конфигурация; для paid_option и paid_option_index — опция',
  example: 1,
})

const Index = Type.Integer({ minimum: 0, maximum: highestIndex })

export const NewItem = Closed({
  item_type: ItemTypeValue,
  item_reference_id: ReferenceId,
  item_index: field(Type.Optional(Nullable(Index)), {
    en: 'Index within the option: needed for paid_option_index; left out or null for others',
    ru: 'Номер внутри опции: обязателен для paid_option_index; у остальных не указывается или null',
  }),
})
export type NewItem = Static<typeof NewItem>

export const NewItems = field(Type.Array(NewItem, { minItems: 1, maxItems: mostItems }), {
  en: 'In the order in which apps show them; each at most once',
  ru: 'В том порядке, в котором их покажут приложения; каждый не больше одного раза',
})

const item = {
  id: field(Id, { example: 12 }),
  item_type: ItemTypeValue,
  item_reference_id: ReferenceId,
  item_index: field(Nullable(Index), {
    en: 'Of paid_option_index, otherwise null',
    ru: 'У paid_option_index, иначе null',
  }),
  resolved_title: field(Nullable(Type.String()), {
    en: 'What it is called now; null when it is not yours any more',
    ru: 'Как называется сейчас; null, если это больше не ваше',
    spoken: { en: '🇳🇱 Netherlands · 42', ru: '🇳🇱 Нидерланды · 42' },
  }),
  is_valid: field(Type.Boolean(), {
    en: 'Whether it is delivered; what has ended is again after a renewal',
    ru: 'Отдаётся ли приложениям; истёкшее снова отдаётся после продления',
    example: true,
  }),
}

export const transports = ['tcp', 'udp', 'xhttp', 'grpc', 'ws', 'httpupgrade'] as const
export const securities = ['none', 'tls', 'reality'] as const

export const ServerConfig = resource('ServerConfig', {
  protocol: CloudProtocolValue,
  host: field(Type.String(), { example: '203.0.113.10' }),
  port: field(Type.Integer(), { example: 443 }),
  transport: field(Type.Enum([...transports]), { example: 'tcp' }),
  security: field(Type.Enum([...securities]), {
    en: 'What wraps the protocol; none where it encrypts by itself',
    ru: 'Во что завёрнут протокол; none, если он шифрует сам',
    example: 'reality',
  }),
})
export type ServerConfig = Static<typeof ServerConfig>

export const SubscriptionItem = resource('SubscriptionItem', item)
export type SubscriptionItem = Static<typeof SubscriptionItem>

export const DetailedItem = resource('DetailedSubscriptionItem', {
  ...item,
  server_config: field(Nullable(ServerConfig), {
    en: 'Where it leads, without anything secret; null for a whole option and for what is not delivered',
    ru: 'Куда ведёт, без секретов; null для целой опции и для того, что не отдаётся',
  }),
})
export type DetailedItem = Static<typeof DetailedItem>

const subscription = {
  id: SubscriptionId,
  title: field(Type.String(), { example: 'Family' }),
  subscription_key: SubscriptionKey,
  items_count: field(Type.Integer(), { example: 2 }),
}

export const CustomSubscription = resource('CustomSubscription', subscription)
export type CustomSubscription = Static<typeof CustomSubscription>

export const SubscriptionWithItems = resource('SubscriptionWithItems', {
  ...subscription,
  items: Type.Array(SubscriptionItem),
})

export const DetailedSubscription = resource('DetailedSubscription', {
  ...subscription,
  items: Type.Array(DetailedItem),
})

const IsOnline = field(Type.Boolean(), { en: 'Whether the server answers', ru: 'Отвечает ли сервер' })
const Name = field(Type.String(), { spoken: { en: '🇳🇱 Netherlands · 42', ru: '🇳🇱 Нидерланды · 42' } })

const AvailableConfig = resource('AvailableConfig', {
  id: field(Id, { example: 1 }),
  title: Name,
  protocol: CloudProtocolValue,
  location_emoji: field(Type.Optional(Type.String()), { example: '🇳🇱' }),
  expires_at: ExpiresAt,
  is_online: IsOnline,
  source: Type.Enum([...itemSources]),
  cloud_server_id: Type.Optional(CloudServerId),
})
export type AvailableConfig = Static<typeof AvailableConfig>

const AvailableOptionConfig = Type.Union([
  Closed({
    type: Type.Literal('index'),
    index: field(Type.Integer({ minimum: 0 }), { example: 0 }),
    original_title: Name,
    custom_title: field(Nullable(Type.String()), { example: 'TV' }),
  }),
  Closed({
    type: Type.Literal('server'),
    id: field(Id, { example: 6 }),
    server_id: Id,
    title: Name,
    is_online: IsOnline,
    index: field(Type.Optional(Type.Integer({ minimum: 0, maximum: highestIndex })), {
      en: 'Where an item may name it by paid_option_index, too',
      ru: 'Если элемент может назвать её и через paid_option_index',
      example: 3,
    }),
  }),
])
export type AvailableOptionConfig = Static<typeof AvailableOptionConfig>

const AvailableOption = resource('AvailableOption', {
  id: OptionId,
  title: field(Type.String(), { spoken: { en: 'White internet', ru: 'Белый интернет' } }),
  expires_at: ExpiresAt,
  configs: field(Type.Array(AvailableOptionConfig), {
    en: "index: the option's own, to be named by paid_option_index; server: others of it, by paid_option_config",
    ru: 'index — собственные конфигурации опции, для paid_option_index; server — остальные, для paid_option_config',
  }),
})
export type AvailableOption = Static<typeof AvailableOption>

export const AvailableItems = resource('AvailableItems', {
  configs: Type.Array(AvailableConfig),
  paid_options: Type.Array(AvailableOption),
})

export const SubscriptionDevice = resource('SubscriptionDevice', {
  id: Id,
  device_name: device.device_name,
  device_type: DeviceType,
  device_model: field(Type.String(), { example: 'iPhone15,4' }),
  os_version: device.os_version,
  is_blocked: device.is_blocked,
  last_seen_at: device.last_seen_at,
  created_at: field(CreatedAt, {
    en: 'When it was first heard of, Unix time in seconds',
    ru: 'Когда впервые вышло на связь, время Unix в секундах',
  }),
})
