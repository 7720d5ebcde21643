import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, field, Nullable, resource } from '../shapes.ts'
import { Prose } from '../visible-text.ts'
import { optionally, SeenVersion, Version } from './shapes.ts'

/** What the operator decides about the cabinet: in force from the next page that a customer opens, on every instance. */

export const logoTypes = ['image/svg+xml', 'image/png', 'image/webp'] as const
export type LogoType = (typeof logoTypes)[number]

/** Two rules of 20 000 letters, in Russian and escaped. */
const bodyLimitBytes = 256 * 1024

const accent = {
  en: 'The colour of links and buttons, #rrggbb; null: #0b6e5f. One that cannot be read on white is refused, and a near one that can is named. Dark pages have it lighter',
  ru: 'Цвет ссылок и кнопок, #rrggbb; null — #0b6e5f. Цвет, который не читается на белом, не принимается: в ответе будет ближайший подходящий. На тёмных страницах он светлее',
  example: '#0b57d0',
}

const welcome = {
  en: 'Shown where customers sign in; where it is null the text in the other language is shown',
  ru: 'Показывается там, где клиенты входят; если null, показывают текст на другом языке',
}
const welcomeRu = { ...welcome, example: 'Рады видеть вас' }
const welcomeEn = { ...welcome, example: 'Good to see you' }

const rules = {
  en: 'The rules of the service, plain text with empty lines between paragraphs; where it is null the text in the other language is shown, and without either there is no such page',
  ru: 'Правила сервиса: простой текст, абзацы через пустую строку; если null, показывают текст на другом языке, а если нет обоих, страницы правил нет',
}
const rulesRu = { ...rules, example: 'Не рассылайте спам.\n\nНе передавайте доступ.' }
const rulesEn = { ...rules, example: 'Send no spam.\n\nShare no access.' }

const mirrors = {
  en: 'Other addresses of this same service, which pages try in this order when it does not answer: https:// and a name, without a path',
  ru: 'Другие адреса этого же сервиса: страницы пробуют их по порядку, когда он не отвечает; https:// и имя, без пути',
  example: ['https://vpn.example.net'],
}

const closesConnections = field(Type.Boolean(), {
  en: 'Whether pages and files of the cabinet end their connection, for networks that let 16 KB of each through; a proxy in front has to do the same',
  ru: 'Закрывать ли соединение после каждой страницы и файла кабинета: для сетей, где пропускают 16 КБ на соединение; прокси впереди должен делать то же',
  example: false,
})

const Said = Nullable(Type.String())
const Colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })
const Mirror = Type.String({ pattern: '^https://[!-~]+$', maxLength: 200 })

const CabinetVersion = field(Version, {
  en: 'How often anything here was changed: settings, the logo, the name or the support link',
  ru: 'Сколько раз что-либо здесь меняли: настройки, логотип, имя или ссылку поддержки',
})

const LogoKind = field(Type.Enum([...logoTypes]), {
  en: 'What it is; an SVG is of shapes, text, gradients and masks alone',
  ru: 'Что это; в SVG допустимы только фигуры, текст, градиенты и маски',
  example: 'image/svg+xml',
})

const Settings = resource('CabinetSettings', {
  name: field(Type.String(), {
    en: 'What the cabinet is called: title of /delivery/settings, where it is changed',
    ru: 'Как называется кабинет: title из /delivery/settings, там же он меняется',
    example: 'My VPN',
  }),
  support_url: field(Said, {
    en: 'Where customers get help: support_url of /delivery/settings, where it is changed',
    ru: 'Где клиентам помогут: support_url из /delivery/settings, там же он меняется',
    example: 'https://t.me/example_support',
  }),
  accent: field(Said, accent),
  welcome_ru: field(Said, welcomeRu),
  welcome_en: field(Said, welcomeEn),
  rules_ru: field(Said, rulesRu),
  rules_en: field(Said, rulesEn),
  mirrors: field(Type.Array(Type.String()), mirrors),
  closes_connections: closesConnections,
  logo_type: field(Nullable(LogoKind), {
    en: 'What kind of logo there is; null: the name alone is shown',
    ru: 'Какой есть логотип; null — показывают только имя',
    example: null,
  }),
  version: CabinetVersion,
})

const changes = optionally({
  accent: field(Nullable(Colour), accent),
  welcome_ru: field(Nullable(Prose(1, 600)), welcomeRu),
  welcome_en: field(Nullable(Prose(1, 600)), welcomeEn),
  rules_ru: field(Nullable(Prose(1, 20_000)), rulesRu),
  rules_en: field(Nullable(Prose(1, 20_000)), rulesEn),
  mirrors: field(Type.Array(Mirror, { maxItems: 5, uniqueItems: true }), mirrors),
  closes_connections: closesConnections,
})

/** `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#0b57d0"/></svg>` */
const imageExample =
  'PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCA4IDgiPjxjaXJjbGUgY3g9IjQiIGN5PSI0IiByPSI0IiBmaWxsPSIjMGI1N2QwIi8+PC9zdmc+'

const image = {
  en: 'The picture in Base64, at most 8 KiB; PNG and WebP at most 1024 × 1024',
  ru: 'Картинка в Base64, не больше 8 КиБ; PNG и WebP не больше 1024 × 1024',
  example: imageExample,
}

const Logo = resource('CabinetLogo', {
  type: field(Nullable(LogoKind), { example: 'image/svg+xml' }),
  image: field(Said, {
    en: 'The picture in Base64; null when there is none',
    ru: 'Картинка в Base64; null, если её нет',
    example: imageExample,
  }),
  bytes: field(Type.Integer({ minimum: 0, maximum: 8192 }), {
    en: 'How large it is; 0 when there is none',
    ru: 'Её размер; 0, если её нет',
    example: 108,
  }),
  version: CabinetVersion,
})

const forOwners = { auth: 'operator', roles: ['owner'], limit: 'none' } as const

export const operatorCabinet = table({
  showCabinetSettings: {
    method: 'GET',
    path: '/cabinet/settings',
    summary: {
      en: 'How the cabinet looks, and what it says of the service',
      ru: 'Как выглядит кабинет и что в нём сказано о сервисе',
    },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Settings },
    errors: [],
  },
  changeCabinetSettings: {
    method: 'PATCH',
    path: '/cabinet/settings',
    summary: {
      en: 'Change how the cabinet looks; what is left out stays, null takes it away. The request is at most 256 KiB',
      ru: 'Изменить вид кабинета; неназванное остаётся, null убирает. Запрос не больше 256 КиБ',
    },
    ...forOwners,
    bodyLimitBytes,
    request: { body: Closed({ ...changes, version: SeenVersion }) },
    example: { body: { accent: '#0b57d0', welcome_ru: 'Рады видеть вас', welcome_en: 'Good to see you' } },
    response: { 200: Settings },
    errors: ['CONFLICT'],
    audit: { subject: 'cabinet', hidden: ['rules_ru', 'rules_en'] },
  },
  showCabinetLogo: {
    method: 'GET',
    path: '/cabinet/logo',
    summary: { en: 'The logo', ru: 'Логотип' },
    auth: 'operator',
    limit: 'none',
    request: {},
    response: { 200: Logo },
    errors: [],
  },
  changeCabinetLogo: {
    method: 'PUT',
    path: '/cabinet/logo',
    summary: { en: 'Give the cabinet a logo', ru: 'Задать логотип кабинета' },
    ...forOwners,
    request: {
      body: Closed({
        image: field(Type.String({ pattern: '^[A-Za-z0-9+/=\\s]+$', maxLength: 12_000 }), image),
        type: LogoKind,
        version: SeenVersion,
      }),
    },
    response: { 200: Logo },
    errors: ['CONFLICT'],
    audit: { subject: 'cabinet' },
  },
  removeCabinetLogo: {
    method: 'DELETE',
    path: '/cabinet/logo',
    summary: { en: 'Take the logo away', ru: 'Убрать логотип' },
    ...forOwners,
    request: {},
    response: { 200: Logo },
    errors: [],
    audit: { subject: 'cabinet' },
  },
})
