import Type from 'typebox'
import { templateBodyLimitBytes } from '../customer/custom-subscriptions/templates.ts'
import { table } from '../operation.ts'
import { Closed, exampleTime, field, Nullable, resource, UnixSeconds } from '../shapes.ts'
import { Line, Title } from '../visible-text.ts'
import { deliveryAppRows } from './delivery-apps.ts'
import { Anything, DeliveryVersion, firstOnes, optionally, SeenVersion } from './shapes.ts'

/** What the operator decides about delivery: in force from the next fetch of every customer, on every instance. */

const title = {
  en: 'What the account’s subscription is called in apps and on pages; null: Sallyport. Happ shows 25 characters',
  ru: 'Как подписка аккаунта называется в приложениях и на страницах; null — Sallyport. Happ показывает 25 знаков',
  example: 'My VPN',
}

const supportUrl = {
  en: 'Where customers get help: an https:// or tg:// address',
  ru: 'Где клиентам помогут: адрес https:// или tg://',
  example: 'https://t.me/example_support',
}

const accountUrl = {
  en: 'Your own site or bot, where the buttons of pages lead: an https:// or tg:// address; null: this service',
  ru: 'Ваш сайт или бот, куда ведут кнопки страниц: адрес https:// или tg://; null — сам сервис',
  example: 'https://t.me/example_bot',
}

/** What an operator may want of apps that name no device. */
export const unnamedDevices = ['fingerprint', 'refuse'] as const
export type UnnamedDevices = (typeof unnamedDevices)[number]

const announce = {
  en: 'Shown by apps above the servers; where it is null the text in the other language is shown',
  ru: 'Показывается в приложениях над серверами; если null, показывают текст на другом языке',
}
const announceRu = { ...announce, example: 'Новые серверы в Финляндии' }
const announceEn = { ...announce, example: 'New servers in Finland' }

const others = {
  unnamed_devices: field(Type.Enum([...unnamedDevices]), {
    en: 'Apps that send no x-hwid: fingerprint knows them by their name and system and counts them as devices; refuse turns them away where devices are limited',
    ru: 'Приложения, которые не присылают x-hwid: fingerprint узнаёт их по названию и системе и считает устройствами; refuse не пускает их там, где устройства ограничены',
    example: 'fingerprint',
  }),
  update_interval_hours: field(Type.Integer({ minimum: 1, maximum: 168 }), {
    en: 'How often apps fetch anew',
    ru: 'Как часто приложения обновляют подписку',
    example: 12,
  }),
  happ_routing: field(Nullable(Anything), {
    en: 'A routing profile of Happ, which is added and made the active one; at most 2048 bytes of JSON',
    ru: 'Профиль маршрутизации Happ: приложение добавит его и сделает активным; не больше 2048 байт JSON',
    example: { Name: 'Default', GlobalProxy: 'true', DirectSites: ['geosite:private'] },
  }),
  happ_routing_enabled: field(Nullable(Type.Boolean()), {
    en: 'Switches routing in Happ on or off; null leaves it to the customer',
    ru: 'Включает или выключает маршрутизацию в Happ; null — решает клиент',
    example: true,
  }),
}

const Said = Nullable(Type.String())
const Address = Type.String({ pattern: '^(https|tg)://[!-~]+$', maxLength: 500 })

const Settings = resource('DeliverySettings', {
  title: field(Said, title),
  support_url: field(Said, supportUrl),
  account_url: field(Said, accountUrl),
  announce_ru: field(Said, announceRu),
  announce_en: field(Said, announceEn),
  ...others,
  version: DeliveryVersion,
})

const changes = optionally({
  title: field(Nullable(Title), title),
  support_url: field(Nullable(Address), supportUrl),
  account_url: field(Nullable(Address), accountUrl),
  announce_ru: field(Nullable(Line(1, 200)), announceRu),
  announce_en: field(Nullable(Line(1, 200)), announceEn),
  ...others,
})

const Kind = field(Type.String(), {
  en: 'Which format is made of it',
  ru: 'Какой формат из него собирают',
  example: 'mihomo',
})

/** Another name than there is is 404. */
const ByKind = Closed({
  kind: field(Type.String({ pattern: '^[a-z0-9.-]{1,32}$' }), {
    en: 'xray, mihomo, stash, clash, sing-box, or sing-box-1.11 for apps before 1.12',
    ru: 'xray, mihomo, stash, clash, sing-box или sing-box-1.11 для приложений до 1.12',
    example: 'mihomo',
  }),
})

const IsOwn = field(Type.Boolean(), {
  en: 'Yours; otherwise the usual one',
  ru: 'Ваш; иначе обычный',
  example: false,
})

const template = {
  en: 'JSON for xray and sing-box, YAML for the others; “$proxies” in a group’s list stands for all servers',
  ru: 'JSON для xray и sing-box, YAML для остальных; «$proxies» в списке группы означает все серверы',
  example: '{"outbounds":[{"tag":"proxy"}]}',
}

const Template = resource('DeliveryTemplate', {
  kind: Kind,
  is_own: IsOwn,
  template: field(Type.String(), template),
  version: DeliveryVersion,
})

const forOwners = { auth: 'operator', roles: ['owner'], limit: 'none' } as const

const settingRows = table({
  showDeliverySettings: {
    method: 'GET',
    path: '/delivery/settings',
    summary: { en: 'What apps are told besides servers', ru: 'Что приложениям сообщают кроме серверов' },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Settings },
    errors: [],
  },
  changeDeliverySettings: {
    method: 'PATCH',
    path: '/delivery/settings',
    summary: {
      en: 'Change what apps are told; what is left out stays, null takes it away',
      ru: 'Изменить, что сообщают приложениям; неназванное остаётся, null убирает',
    },
    ...forOwners,
    request: { body: Closed({ ...changes, version: SeenVersion }) },
    example: { body: { announce_ru: 'Новые серверы в Финляндии', announce_en: 'New servers in Finland' } },
    response: { 200: Settings },
    errors: ['CONFLICT'],
    audit: { subject: 'delivery' },
  },
})

const templateRows = table({
  listDeliveryTemplates: {
    method: 'GET',
    path: '/delivery/templates',
    summary: {
      en: 'What whole configs are made of, and which of it is yours',
      ru: 'Из чего собирают конфиги целиком и что из этого ваше',
    },
    auth: 'operator',
    limit: 'none',
    request: { query: Closed(firstOnes) },
    response: {
      200: Type.Array(
        Closed({
          kind: Kind,
          is_own: IsOwn,
          changed_at: field(Nullable(UnixSeconds), {
            en: 'When yours was written; null of the usual one',
            ru: 'Когда записан ваш; у обычного null',
            example: exampleTime,
          }),
          version: DeliveryVersion,
        }),
      ),
    },
    errors: [],
  },
  showDeliveryTemplate: {
    method: 'GET',
    path: '/delivery/templates/:kind',
    summary: { en: 'The template in use: yours or the usual one', ru: 'Действующий шаблон: ваш или обычный' },
    auth: 'operator',
    limit: 'none',
    request: { params: ByKind },
    response: { 200: Template },
    errors: ['NOT_FOUND'],
  },
  changeDeliveryTemplate: {
    method: 'PUT',
    path: '/delivery/templates/:kind',
    summary: {
      en: 'Give a format a template of yours; the request is at most 512 KiB',
      ru: 'Задать формату свой шаблон; запрос не больше 512 КиБ',
    },
    ...forOwners,
    bodyLimitBytes: templateBodyLimitBytes,
    request: {
      params: ByKind,
      body: Closed({
        template: field(Type.String({ minLength: 2, maxLength: templateBodyLimitBytes }), template),
        version: SeenVersion,
      }),
    },
    example: { params: { kind: 'xray' } },
    response: { 200: Template },
    errors: ['NOT_FOUND', 'CONFLICT'],
    audit: { subject: 'template' },
  },
  resetDeliveryTemplate: {
    method: 'DELETE',
    path: '/delivery/templates/:kind',
    summary: { en: 'Back to the usual template', ru: 'Вернуть обычный шаблон' },
    ...forOwners,
    request: { params: ByKind },
    response: { 200: Template },
    errors: ['NOT_FOUND'],
    audit: { subject: 'template' },
  },
})

export const operatorDelivery = table({ ...settingRows, ...templateRows, ...deliveryAppRows })
