import Type from 'typebox'
import { DeviceLimit } from '../customer/devices.ts'
import { optionStatuses } from '../customer/paid-options/shapes.ts'
import { table } from '../operation.ts'
import { Closed, ExpiresAt, field, Id, maxId, ProtocolValue, UnixSeconds } from '../shapes.ts'
import { Prose, Title } from '../visible-text.ts'
import { ById, optionally, Reason, SaleProblem, SeenVersion, Version, wholeOrPage } from './shapes.ts'
import { TariffRows, Tariffs } from './tariffs.ts'

/** Paid options as the operator makes and changes them, and customers' subscriptions to them. */

const Limit = Type.Integer({ minimum: 0, maximum: maxId })
const most = {
  en: 'The most that a customer may set; the limit itself where none was named; 0 means anything',
  ru: 'Наибольшее, что может выставить клиент; если не задано — сам лимит; 0 — любое',
}

const words = {
  title_ru: field(Title, { example: 'Белый интернет' }),
  title_en: field(Title, { example: 'White internet' }),
  caption_ru: field(Prose(1, 200), { example: 'Три страны в одной ссылке' }),
  caption_en: field(Prose(1, 200), { example: 'Three countries in one link' }),
  description_ru: field(Prose(1, 2000), { example: 'Серверы в трёх странах' }),
  description_en: field(Prose(1, 2000), { example: 'Servers in three countries' }),
}

const rules = {
  protocol: field(ProtocolValue, {
    en: 'Of the configurations that come with the option; customers’ links change with it',
    ru: 'Протокол конфигураций самой опции; вместе с ним меняются ссылки клиентов',
  }),
  device_limit: field(DeviceLimit, { example: 5 }),
  traffic_limit: field(Limit, {
    en: 'Bytes in 30 days; 0 means unlimited',
    ru: 'Байт за 30 дней; 0 — без ограничения',
    example: 500_000_000_000,
  }),
  most_devices: field(DeviceLimit, { ...most, example: 5 }),
  most_traffic: field(Limit, { ...most, example: 500_000_000_000 }),
  is_active: field(Type.Boolean(), {
    en: 'On sale; who has it keeps it and can prolong it in any case',
    ru: 'Продаётся; у кого есть, тот пользуется и продлевает в любом случае',
  }),
}

const ServerIds = field(Type.Array(Id, { minItems: 1, maxItems: 20, uniqueItems: true }), {
  en: 'In the order of their indexes; those that stay keep theirs',
  ru: 'В порядке номеров; оставшиеся сохраняют свой',
  example: [1, 3, 5],
})

const ServerIdsOrNone = field(Type.Array(Id, { maxItems: 20, uniqueItems: true }), {
  en: 'In the order of their indexes; those that stay keep theirs. None is for an option that is off sale and nobody has',
  ru: 'В порядке номеров; оставшиеся сохраняют свой. Пустой список — только у снятой с продажи опции, которой ни у кого нет',
  example: [1, 3, 5],
})

const Key = field(Type.String({ pattern: '^[a-z][a-z0-9_]{1,31}$' }), { example: 'white_internet' })

const Said = Type.String()

const OptionRow = Closed({
  id: Id,
  key: field(Said, { example: 'white_internet' }),
  title_ru: field(Said, { example: 'Белый интернет' }),
  title_en: field(Said, { example: 'White internet' }),
  caption_ru: field(Said, { example: 'Три страны в одной ссылке' }),
  caption_en: field(Said, { example: 'Three countries in one link' }),
  description_ru: field(Said, { example: 'Серверы в трёх странах' }),
  description_en: field(Said, { example: 'Servers in three countries' }),
  ...rules,
  servers: Type.Array(Closed({ server_id: Id, index: field(Type.Integer({ minimum: 0 }), { example: 0 }) })),
  tariffs: TariffRows,
  problem: SaleProblem,
  version: Version,
})

const BySubscription = Closed({ id: field(Id, { example: 1 }), option_id: Id })

const SubscriptionRow = Closed({
  term_id: field(Id, {
    en: 'Number of its term, as in POST /terms/:id/days',
    ru: 'Номер срока, как в POST /terms/:id/days',
  }),
  option_id: Id,
  status: Type.Enum([...optionStatuses]),
  expires_at: ExpiresAt,
  used_traffic_bytes: Limit,
  lifetime_used_traffic_bytes: Limit,
  traffic_limit_bytes: Limit,
  device_limit: DeviceLimit,
  period_began_at: UnixSeconds,
  version: Version,
})

export const operatorPaidOptions = table({
  listOptions: {
    method: 'GET',
    path: '/paid-options',
    summary: { en: 'Paid options with servers and prices', ru: 'Платные опции с серверами и ценами' },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(OptionRow) },
    errors: [],
  },
  createOption: {
    method: 'POST',
    path: '/paid-options',
    summary: { en: 'Make a paid option', ru: 'Создать платную опцию' },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      body: Closed({
        key: Key,
        ...words,
        protocol: rules.protocol,
        ...optionally({
          device_limit: rules.device_limit,
          traffic_limit: rules.traffic_limit,
          most_devices: rules.most_devices,
          most_traffic: rules.most_traffic,
          is_active: rules.is_active,
        }),
        server_ids: ServerIds,
        tariffs: Tariffs,
      }),
    },
    response: { 201: OptionRow },
    errors: ['CONFLICT'],
    idempotent: true,
    audit: { subject: 'paid_option' },
  },
  changeOption: {
    method: 'PATCH',
    path: '/paid-options/:id',
    summary: {
      en: 'Change a paid option; what is left out stays. Customers’ configurations follow its servers within a minute',
      ru: 'Изменить платную опцию; неназванное остаётся. Конфигурации клиентов следуют за её серверами в течение минуты',
    },
    auth: 'operator',
    roles: ['owner'],
    limit: 'none',
    request: {
      params: ById,
      body: Closed({
        ...optionally({ ...words, ...rules, server_ids: ServerIdsOrNone, tariffs: Tariffs }),
        version: SeenVersion,
      }),
    },
    example: { body: { server_ids: [1, 3, 5], device_limit: 5 } },
    response: { 200: OptionRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'paid_option' },
  },
  listUserOptions: {
    method: 'GET',
    path: '/users/:id/paid-options',
    summary: { en: 'Paid options of a customer', ru: 'Платные опции клиента' },
    auth: 'operator',
    limit: 'none',
    request: { params: ById, query: Closed(wholeOrPage) },
    response: { 200: Type.Array(SubscriptionRow) },
    errors: ['NOT_FOUND'],
  },
  changeUserOption: {
    method: 'PATCH',
    path: '/users/:id/paid-options/:option_id',
    summary: {
      en: 'Switch a customer’s option off or on, or let its traffic begin anew',
      ru: 'Выключить или включить опцию клиента, обнулить её трафик',
    },
    auth: 'operator',
    roles: ['owner', 'support'],
    limit: 'none',
    request: {
      params: BySubscription,
      body: Closed({
        is_disabled: Type.Optional(Type.Boolean()),
        reset_traffic: field(Type.Optional(Type.Literal(true)), {
          en: 'A new period of 30 days begins now',
          ru: 'Новый период в 30 дней начинается сейчас',
        }),
        reason: Reason,
        version: SeenVersion,
      }),
    },
    response: { 200: SubscriptionRow },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'user' },
  },
})
