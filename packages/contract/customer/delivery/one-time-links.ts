import Type, { type Static } from 'typebox'
import { per, table } from '../../operation.ts'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  resource,
  Text,
  UnixSeconds,
} from '../../shapes.ts'
import { AwgConfig, ConnectionUrl } from '../shapes.ts'
import { appPlatforms, ClientApp } from './apps.ts'

/** One connection for another device, by a link that shows it once. */

/** The most that may wait to be opened, of one account. */
export const mostWaitingLinks = 20
/** The most that are listed, opened and over ones too. */
export const mostListedLinks = 50

const day = 86_400
const keyExample = 'c81TzPq4vRk0WmX7bYh2LdNs5aQ'

const ConfigId = field(Id, {
  en: 'Any configuration of the account: bought alone, of a paid option, or on a cloud server',
  ru: 'Любая конфигурация аккаунта: купленная отдельно, из платной опции или на облачном сервере',
  example: 7,
})

export const OneTimeLink = resource('OneTimeLink', {
  id: Id,
  config_id: ConfigId,
  created_at: CreatedAt,
  expires_at: field(ExpiresAt, { example: exampleTime + day }),
  used_at: field(Nullable(UnixSeconds), {
    en: 'When somebody opened it, Unix time in seconds; null while it waits',
    ru: 'Когда её открыли, время Unix в секундах; null, пока ждёт',
    example: null,
  }),
})
export type OneTimeLink = Static<typeof OneTimeLink>

const OpenedConnection = resource('OpenedConnection', {
  title: field(Type.String(), {
    en: 'What the owner calls it, or its location',
    ru: 'Как её назвал владелец, или её локация',
    spoken: { en: 'Netherlands', ru: 'Нидерланды' },
  }),
  protocol: field(Type.String(), { example: 'vless' }),
  connection_url: ConnectionUrl,
  awg_config: AwgConfig,
  expires_at: ExpiresAt,
  apps: field(Type.Array(ClientApp), {
    en: 'For the platform that was named, at most three, the best first',
    ru: 'Для названной платформы, не больше трёх, лучшее первым',
  }),
})

export const oneTimeLinkRows = table({
  listOneTimeLinks: {
    method: 'GET',
    path: '/one-time-links',
    summary: {
      en: 'One-time links of the account without their keys, the newest first; kept for a week after their end, at most 50',
      ru: 'Одноразовые ссылки аккаунта без ключей, сначала новые; хранятся неделю после окончания, не больше 50',
    },
    auth: 'customer',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(OneTimeLink) },
    errors: [],
  },
  createOneTimeLink: {
    method: 'POST',
    path: '/one-time-links',
    summary: {
      en: 'A link that shows one configuration on another device, once, within 24 hours; the link is told this once. At most 20 wait at a time. New credentials of the configuration end it',
      ru: 'Ссылка, которая один раз покажет конфигурацию на другом устройстве; действует 24 часа, сама ссылка приходит только в этом ответе. Одновременно ждут не больше 20. Новые ключи конфигурации её отменяют',
    },
    auth: 'customer',
    limit: per(10, 60),
    request: { body: Closed({ config_id: ConfigId }) },
    response: {
      201: Closed({
        id: Id,
        config_id: ConfigId,
        url: field(Type.String(), {
          en: 'Of a page. The key stands behind #, which browsers send to nobody; to fetch the page spends nothing',
          ru: 'Адрес страницы. Ключ стоит после #, его браузеры никому не отправляют; запрос самой страницы ссылку не расходует',
          example: `https://vpn.example.com/once#${keyExample}`,
        }),
        created_at: CreatedAt,
        expires_at: field(ExpiresAt, { example: exampleTime + day }),
      }),
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
    idempotent: true,
  },
  deleteOneTimeLink: {
    method: 'DELETE',
    path: '/one-time-links/:id',
    summary: {
      en: 'Take a one-time link back: it shows nothing any more. What somebody has seen already stays with them',
      ru: 'Отозвать одноразовую ссылку: она больше ничего не покажет. Что уже открыли, останется у открывшего',
    },
    auth: 'customer',
    limit: 'global',
    request: { params: Closed({ id: Id }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
  openOneTimeLink: {
    method: 'POST',
    path: '/one-time-links/open',
    summary: {
      en: 'Spend a one-time link and get its connection. Unknown, over and taken back are all NOT_FOUND, and so is one whose configuration has ended or is switched off; one that was opened is CONFLICT, with the time as used_at in data',
      ru: 'Израсходовать одноразовую ссылку и получить подключение. Неизвестная, просроченная и отозванная — всегда NOT_FOUND, как и ссылка на закончившуюся или отключённую конфигурацию; уже открытая — CONFLICT, время в data.used_at',
    },
    auth: 'public',
    limit: per(30, 60),
    request: {
      body: Closed({
        key: field(Text(1, 128), {
          en: 'What stands behind # in the link',
          ru: 'То, что стоит в ссылке после #',
          example: keyExample,
        }),
        attempt: field(Type.Optional(Text(16, 64)), {
          en: 'Any random text. Whoever sends the same again within 15 minutes gets the same answer, should the first have been lost on the way',
          ru: 'Любой случайный текст. Кто в течение 15 минут пришлёт его снова, получит тот же ответ — на случай, если первый потерялся в пути',
          example: '6f1c0a52-9a3e-4a3c-8a55-4c2f6c1b9f30',
        }),
        platform: field(Type.Optional(Type.Enum([...appPlatforms])), {
          en: 'Of the device, to name apps for it',
          ru: 'Платформа устройства, чтобы назвать приложения для неё',
          example: 'android',
        }),
      }),
    },
    response: { 200: OpenedConnection },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
})
