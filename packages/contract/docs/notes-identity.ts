import type { Notes } from './notes.ts'

/** What fields about signing in, passkeys and devices mean. */

export const identityRequestNotes: Notes = {
  code: {
    ru: 'Код, который прислали или показали; в письме их два: шесть цифр и длинный, который подходит и на другом устройстве',
    en: 'The code that was mailed or shown; a letter has two, six digits and a long one that also works on another device',
  },
  login: { ru: 'Почта или номер аккаунта', en: 'E-mail or number of the account' },
  password: { ru: 'Одноразовый пароль', en: 'The one-time password' },
  key: { ru: 'Ключ, созданный в другом аккаунте', en: 'The key made on the other account' },
  init_data: { ru: 'initData мини-приложения без изменений', en: 'The initData of the Mini App, untouched' },
  auth_date: { ru: 'Как прислал Telegram', en: 'As Telegram sent it' },
  hash: { ru: 'Подпись Telegram', en: 'The signature of Telegram' },
  link: {
    ru: 'Привязать к аккаунту переданной сессии, а не входить',
    en: 'Attach to the account of the session sent along instead of signing in',
  },
  return_to: {
    ru: 'Страница этого сервиса, куда вернуться: путь от корня',
    en: 'A page of this service to come back to, as a path',
  },
  state: { ru: 'Как вернул провайдер', en: 'As the provider sent it' },
  page: { ru: 'Номер страницы, с 1', en: 'Number of the page, from 1' },
  block_unknown_devices: { ru: 'Не пускать незнакомые устройства', en: 'Refuse devices not seen before' },
}

export const identityNotes: Notes = {
  refresh_token: { ru: 'Годится на одно обновление', en: 'Good for one refresh' },
  refresh_expires_at: {
    ru: 'До какого времени можно обновить сессию, время Unix в секундах',
    en: 'Until when the session can be refreshed, Unix time in seconds',
  },
  is_new_account: { ru: 'Аккаунт создан этим входом', en: 'This sign-in made the account' },
  telegram_bot: { ru: 'Имя бота для виджета входа', en: 'Name of the bot for the login widget' },
  device_limit: { ru: '0 — без ограничения', en: '0 means unlimited' },
  is_fingerprinted: {
    ru: 'Приложение назвало и модель, и систему устройства',
    en: 'The app told the model and system of the device',
  },
  ended_count: { ru: 'Сколько сессий завершено', en: 'How many sessions were ended' },
  challenge: {
    ru: 'Вызов WebAuthn: передайте браузеру как есть',
    en: 'WebAuthn challenge: hand it to the browser',
  },
}

export const identityTranslations: Readonly<Record<string, string>> = {
  'An e-mail address': 'Адрес электронной почты',
}
