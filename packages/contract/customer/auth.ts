import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, field, Nullable, Text } from '../shapes.ts'
import { codeExample, emailExample } from './account-shapes.ts'
import { elsewhereRows, visitor } from './auth/elsewhere.ts'
import { subscriptionSignInRows } from './auth/subscription.ts'
import {
  CodeExpiresAt,
  Email,
  LinkFlag,
  MailedCode,
  ReferralCode,
  RefreshToken,
  SignedIn,
  TelegramMiniApp,
  TelegramWidget,
} from './auth-shapes.ts'

/** How a customer gets a session. Limits are counted per address; wrong codes have stricter ones beside them. */

export const auth = table({
  listSignInMethods: {
    ...visitor,
    method: 'GET',
    path: '/auth/methods',
    summary: {
      en: 'The ways to sign in that this service offers',
      ru: 'Способы входа, которые предлагает этот сервис',
    },
    limit: per(60, 60),
    request: {},
    response: {
      200: Closed({
        email: Type.Boolean(),
        passkey: Type.Boolean(),
        telegram_bot: field(Nullable(Type.String()), {
          en: 'Name of the bot for the login widget',
          ru: 'Имя бота для виджета входа',
          example: 'example_vpn_bot',
        }),
        telegram_bot_id: field(Nullable(Type.Integer()), {
          en: 'Number of the bot, for a page that sends the browser to oauth.telegram.org instead of loading the widget',
          ru: 'Номер бота — для страницы, которая отправляет браузер на oauth.telegram.org и не загружает виджет',
          example: 123_456_789,
        }),
        oauth: Type.Array(
          Closed({
            provider: field(Type.String(), { example: 'google' }),
            title: field(Type.String(), { example: 'Google' }),
          }),
        ),
      }),
    },
    errors: [],
  },
  startEmailSignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/email/start',
    summary: {
      en: 'Mail a code, six digits and a longer one; the answer is the same whether or not the account exists, and when a letter has just been sent',
      ru: 'Прислать на почту код, шесть цифр и длинный; ответ один и тот же, есть аккаунт или нет, и когда письмо только что отправлено',
    },
    limit: per(10, 60),
    request: { body: Closed({ email: Email, referral_code: ReferralCode }) },
    example: { body: { email: emailExample, referral_code: 'OLGA2026' } },
    response: { 200: Closed({ expires_at: CodeExpiresAt }) },
    errors: [],
  },
  verifyEmailSignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/email/verify',
    summary: {
      en: 'Sign in with either code of the letter; a new address gets a new account',
      ru: 'Войти по любому из кодов письма; для нового адреса создаётся аккаунт',
    },
    request: {
      body: Closed({
        email: Email,
        code: MailedCode,
        referral_code: ReferralCode,
        link: LinkFlag,
      }),
    },
    response: { 200: SignedIn },
    errors: ['CONFLICT'],
  },
  ...subscriptionSignInRows,
  signInWithCode: {
    ...visitor,
    method: 'POST',
    path: '/auth/signInCode',
    summary: {
      en: 'Sign in with a code made on a device that is signed in already',
      ru: 'Войти по коду, созданному на устройстве, где вход уже выполнен',
    },
    request: {
      body: Closed({
        code: field(Text(4, 32), {
          en: 'The code shown on the other device',
          ru: 'Код, показанный на другом устройстве',
          example: codeExample,
        }),
      }),
    },
    response: { 200: SignedIn },
    errors: [],
  },
  signInWithOtp: {
    ...visitor,
    method: 'POST',
    path: '/auth/otp',
    summary: {
      en: 'Sign in with a one-time password; the login is the e-mail or the number of the account',
      ru: 'Войти по одноразовому паролю; логин — почта или номер аккаунта',
    },
    request: {
      body: Closed({
        login: field(Text(1, 254), {
          en: 'E-mail or number of the account',
          ru: 'Почта или номер аккаунта',
          example: emailExample,
        }),
        password: field(Text(4, 32), {
          en: 'The one-time password',
          ru: 'Одноразовый пароль',
          example: 'K7QM-2XPA',
        }),
      }),
    },
    response: { 200: SignedIn },
    errors: [],
  },
  signInWithTelegram: {
    ...visitor,
    method: 'POST',
    path: '/auth/telegram',
    summary: {
      en: 'Sign in with what the Telegram login widget or a Mini App was given',
      ru: 'Войти по данным виджета Telegram или мини-приложения',
    },
    request: { body: Type.Union([TelegramMiniApp, TelegramWidget]) },
    response: { 200: SignedIn },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  ...elsewhereRows,
  refreshSession: {
    ...visitor,
    method: 'POST',
    path: '/auth/refresh',
    summary: {
      en: 'A new session token and a new refresh token for the old one; if the answer is lost, repeat within 30 s',
      ru: 'Новый токен сессии и новый refresh-токен вместо старого; если ответ потерялся, повторите в течение 30 с',
    },
    limit: per(60, 60),
    request: { body: Closed({ refresh_token: RefreshToken }) },
    response: { 200: SignedIn },
    errors: [],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: {
      en: 'End this session; its tokens stop working at once, everywhere',
      ru: 'Завершить эту сессию; её токены сразу перестают работать везде',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Literal(true) },
    errors: [],
  },
  logoutAll: {
    method: 'POST',
    path: '/auth/logoutAll',
    summary: {
      en: 'End every session of the account, this one too',
      ru: 'Завершить все сессии аккаунта, эту тоже',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: {
      200: Closed({
        ended_count: field(Type.Integer(), {
          en: 'How many sessions were ended',
          ru: 'Сколько сессий завершено',
        }),
      }),
    },
    errors: [],
  },
})
