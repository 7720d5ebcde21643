import Type from 'typebox'
import { table } from '../operation.ts'
import { Closed, CreatedAt, exampleTime, field, Nullable, resource, Text, UnixSeconds } from '../shapes.ts'

/** Where the account is signed in. */

const sessionExample = '0b0c6b1e-4a53-4c39-9a4e-3f3d6f0f7c11'

/** The most that are listed; those that were used last come first. */
export const mostSessions = 50

export const Session = resource('Session', {
  id: field(Type.String(), { example: sessionExample }),
  client: field(Nullable(Type.String()), {
    en: 'The browser or app and the system that it ran on at the sign-in; null when it did not say',
    ru: 'Браузер или приложение и система, с которых выполнен вход; null, если они себя не назвали',
    example: 'Chrome, Android',
  }),
  sign_in_method: field(Nullable(Type.String()), {
    en: 'How the session began; null when nobody signed in for it',
    ru: 'Каким способом выполнен вход; null, если сессию открыл не сам клиент',
    example: 'authCode',
  }),
  created_at: CreatedAt,
  last_used_at: field(UnixSeconds, {
    en: 'When it was last used, to the day, Unix time in seconds',
    ru: 'Когда использована последний раз, с точностью до суток, время Unix в секундах',
    example: exampleTime + 86_400,
  }),
  is_current: field(Type.Boolean(), {
    en: 'The one that asks',
    ru: 'Та, из которой пришёл запрос',
    example: true,
  }),
})

export const sessionRows = table({
  listSessions: {
    method: 'GET',
    path: '/profile/sessions',
    summary: {
      en: 'Where the account is signed in: this session, then those used last, at most 50',
      ru: 'Где выполнен вход в аккаунт: эта сессия, затем недавно использованные, не больше 50',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Session) },
    errors: [],
  },
  endSession: {
    method: 'DELETE',
    path: '/profile/sessions/:id',
    summary: {
      en: 'End one session of the account; its tokens and its cookie stop working at once, everywhere',
      ru: 'Завершить одну сессию аккаунта; её токены и cookie сразу перестают работать везде',
    },
    auth: 'session',
    limit: 'global',
    request: { params: Closed({ id: field(Text(1, 64), { example: sessionExample }) }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
})
