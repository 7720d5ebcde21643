import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, ExpiresAt, field, Nullable, resource } from '../shapes.ts'
import { GivenSubscriptionKey } from './account-shapes.ts'

/** How what was bought comes to devices. */

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

const ClientApp = resource('ClientApp', {
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

const Item = Closed({
  title: field(Type.String(), { spoken: { en: '🇳🇱 Netherlands · 7', ru: '🇳🇱 Нидерланды · 7' } }),
  expires_at: ExpiresAt,
  paused: field(Nullable(Type.Enum(['quota', 'operator'])), {
    en: 'Why it is switched off though it has not ended: its traffic is used up, or the operator did it',
    ru: 'Почему отключено до конца срока: израсходован трафик или отключил оператор',
    example: null,
  }),
})

const SubscriptionState = resource('SubscriptionState', {
  title: field(Type.String(), { example: 'Sallyport' }),
  status: field(Type.Enum(['active', 'expired', 'limited', 'disabled', 'empty']), {
    en: 'limited: the traffic is used up; disabled: by the operator; empty: nothing was bought yet',
    ru: 'limited — израсходован трафик; disabled — отключено оператором; empty — ещё ничего не куплено',
    example: 'active',
  }),
  expires_at: field(Nullable(ExpiresAt), {
    en: 'When the last of it ends or has ended, Unix time in seconds',
    ru: 'Когда заканчивается или закончилось последнее, время Unix в секундах',
  }),
  items: field(Type.Array(Item), {
    en: 'The first to end first; fifty at most',
    ru: 'Сначала то, что закончится раньше; не больше пятидесяти',
  }),
  support_url: field(Nullable(Type.String()), { example: 'https://t.me/example_support' }),
  account_url: field(Nullable(Type.String()), {
    en: 'The operator’s own site or bot, where there is one',
    ru: 'Сайт или бот самого оператора, если он есть',
    example: null,
  }),
})

export const delivery = table({
  showSubscriptionState: {
    method: 'POST',
    path: '/subscription/state',
    summary: {
      en: 'What the page of a subscription shows, for whoever has its key: until when, and nothing of the account',
      ru: 'То, что показывает страница подписки, тому, у кого есть её ключ: до какого времени, и ничего об аккаунте',
    },
    auth: 'public',
    limit: per(30, 60),
    request: { body: Closed({ subscription_key: GivenSubscriptionKey }) },
    response: { 200: SubscriptionState },
    errors: ['NOT_FOUND'],
  },
  listApps: {
    method: 'GET',
    path: '/apps',
    summary: {
      en: 'Apps for a platform that carry what the account has, at most eight, the best first',
      ru: 'Приложения для платформы, которые умеют то, что есть у аккаунта: не больше восьми, лучшее первым',
    },
    auth: 'customer',
    limit: 'global',
    request: {
      query: Closed({ platform: field(Type.Enum([...appPlatforms]), { example: 'android' }) }),
    },
    response: { 200: Type.Array(ClientApp) },
    errors: [],
  },
})
