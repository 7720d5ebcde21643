import Type from 'typebox'
import { Closed, field, Nullable, resource } from '../../shapes.ts'

/** Client apps, as customers are offered them. */

export const appPlatforms = ['ios', 'android', 'windows', 'macos', 'linux', 'tv'] as const

const Store = Closed({
  title: field(Type.String(), { example: 'App Store' }),
  url: field(Type.String(), { example: 'https://apps.apple.com/app/id6504287215' }),
  region: field(Nullable(Type.Enum(['ru', 'abroad'])), {
    en: 'Where the listing can be seen; null: everywhere',
    ru: 'Где страница видна; null — везде',
    example: null,
  }),
  publisher: field(Nullable(Type.String()), {
    en: 'As this store names it; null where nobody has compared it',
    ru: 'Как его называет этот магазин; null, если не сверяли',
    example: 'Flyfrog LLC',
  }),
})

export const ClientApp = resource('ClientApp', {
  id: field(Type.String(), {
    en: 'Also names it in /open/<id>',
    ru: 'Им же приложение названо в /open/<id>',
    example: 'happ',
  }),
  title: field(Type.String(), { example: 'Happ' }),
  publisher: field(Nullable(Type.String()), {
    en: 'Of the first listing that names one: counterfeits differ in nothing else',
    ru: 'Из первой страницы, где он назван: подделки отличаются только этим',
    example: 'Flyfrog LLC',
  }),
  stores: field(Type.Array(Store), {
    en: 'Where to install it from on this platform',
    ru: 'Откуда поставить его на этой платформе',
  }),
  import_template: field(Nullable(Type.String()), {
    en: 'The link that adds the subscription in one tap, once {url}, {encodedUrl}, {base64Url} and {name} are filled in; null when it takes keys one by one',
    ru: 'Ссылка, которая добавляет подписку одним нажатием, если подставить {url}, {encodedUrl}, {base64Url} и {name}; null, если ключи добавляют по одному',
    example: 'v2rayng://install-sub?url={encodedUrl}#{name}',
  }),
  opens_scheme: field(Nullable(Type.String()), {
    en: 'The scheme of single keys’ links that it opens on this platform',
    ru: 'Схема ссылок на отдельные ключи, которые оно открывает на этой платформе',
    example: null,
  }),
  reads: field(Type.Enum(['subscription', 'keys']), {
    en: 'The whole subscription, or single keys',
    ru: 'Подписку целиком или отдельные ключи',
    example: 'subscription',
  }),
  left_out: field(Type.Array(Type.String()), {
    en: 'What the account has and the app does not carry',
    ru: 'Что есть у аккаунта, но приложение не умеет',
    example: ['amneziawg'],
  }),
  names_device: field(Type.Enum(['always', 'by_link', 'switch', 'never']), {
    en: 'Whether it names its device: always, because the link tells it to, after one has switched it on, or never',
    ru: 'Называет ли устройство: всегда, если велит ссылка, если это включить, никогда',
    example: 'always',
  }),
  is_first: field(Type.Boolean(), {
    en: 'The one to offer first',
    ru: 'Какое предлагать первым',
    example: true,
  }),
})
