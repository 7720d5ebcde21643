import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, ExpiresAt, field, Nullable, resource } from '../shapes.ts'
import { GivenSubscriptionKey } from './account-shapes.ts'
import { appPlatforms, ClientApp } from './delivery/apps.ts'
import { oneTimeLinkRows } from './delivery/one-time-links.ts'

/** How what was bought comes to devices. */

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
  ...oneTimeLinkRows,
})
