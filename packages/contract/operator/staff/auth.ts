import Type, { type Static } from 'typebox'
import {
  Passkey,
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '../../customer/auth-shapes.ts'
import { per, roles, table } from '../../operation.ts'
import {
  Closed,
  CreatedAt,
  ExpiresAt,
  exampleTime,
  field,
  Id,
  Nullable,
  Text,
  UnixSeconds,
} from '../../shapes.ts'
import { ById, wholeOrPage } from '../shapes.ts'

/**
 * How people come in: by a link that an owner gives them, and then by a passkey. Anybody may call; what needs somebody who
 * is signed in finds them by the cookie, and by nothing else: no token adds a passkey.
 */

const forAnybody = { auth: 'public', limit: per(30, 60) } as const

export const SignedInOperator = Closed({
  operator_id: field(Id, { example: 2 }),
  role: field(Type.Enum([...roles]), { example: 'support' }),
  signed_in_at: field(UnixSeconds, {
    en: 'When the session began, Unix time in seconds',
    ru: 'Когда началась сессия, время Unix в секундах',
  }),
  expires_at: field(ExpiresAt, {
    en: 'When it ends if nothing more is asked, Unix time in seconds',
    ru: 'Когда закончится, если больше ничего не запросить, время Unix в секундах',
    example: exampleTime + 1800,
  }),
  ends_at: field(ExpiresAt, {
    en: 'When it ends at the latest, Unix time in seconds',
    ru: 'Когда закончится в любом случае, время Unix в секундах',
    example: exampleTime + 12 * 3600,
  }),
  proved_until: field(Nullable(UnixSeconds), {
    en: 'Until when the last passkey proof counts, Unix time in seconds; null when one is needed first',
    ru: 'До какого времени действует последнее подтверждение ключом доступа; null, если сначала нужно подтвердить',
    example: exampleTime + 300,
  }),
  has_passkey: field(Type.Boolean(), {
    en: 'False: register one now, links work once',
    ru: 'false: добавьте ключ доступа сейчас, ссылка действует один раз',
    example: true,
  }),
})
export type SignedInOperator = Static<typeof SignedInOperator>

const sessionExample = '5f0c2d9e-8d1b-4a57-9a3e-0c7f2b6d4e18'

const OperatorSession = Closed({
  id: field(Type.String(), { example: sessionExample }),
  client: field(Nullable(Type.String()), {
    en: 'The browser and the system in a few words',
    ru: 'Браузер и система в нескольких словах',
    example: 'Firefox, Linux',
  }),
  created_at: CreatedAt,
  last_seen_at: field(UnixSeconds, {
    en: 'When something was last asked from there, Unix time in seconds',
    ru: 'Когда оттуда последний раз что-то запрашивали, время Unix в секундах',
    example: exampleTime + 60,
  }),
  expires_at: field(ExpiresAt, {
    en: 'When it ends if nothing more is asked, Unix time in seconds',
    ru: 'Когда закончится, если больше ничего не запросить, время Unix в секундах',
    example: exampleTime + 1860,
  }),
  is_current: field(Type.Boolean(), {
    en: 'The one that asks',
    ru: 'Та, из которой пришёл запрос',
    example: true,
  }),
})

export const operatorAuthRows = table({
  signInByLink: {
    method: 'POST',
    path: '/auth/link',
    summary: {
      en: 'Sign in with the secret of a one-time link: what stands after # in it',
      ru: 'Войти по одноразовой ссылке: передайте то, что в ней после #',
    },
    ...forAnybody,
    request: {
      body: Closed({
        token: field(Text(1, 256), { example: '0123456789abcdefghijklmnopqrstuvwxyzABCDEFG' }),
      }),
    },
    response: { 200: SignedInOperator },
    errors: [],
  },
  startOperatorSignIn: {
    method: 'POST',
    path: '/auth/passkeys/options',
    summary: {
      en: 'Begin to sign in with a passkey: what the browser needs',
      ru: 'Начать вход по ключу доступа: что нужно браузеру',
    },
    ...forAnybody,
    request: {},
    response: { 200: PasskeyRequest },
    errors: ['CONFLICT'],
  },
  verifyOperatorSignIn: {
    method: 'POST',
    path: '/auth/passkeys/verify',
    summary: {
      en: 'Sign in with what the passkey signed',
      ru: 'Войти с тем, что подписал ключ доступа',
    },
    ...forAnybody,
    request: { body: PasskeyAssertion },
    response: { 200: SignedInOperator },
    errors: [],
  },
  listOperatorPasskeys: {
    method: 'GET',
    path: '/auth/passkeys',
    summary: { en: 'Your passkeys', ru: 'Ваши ключи доступа' },
    ...forAnybody,
    request: { query: Closed(wholeOrPage) },
    response: { 200: Type.Array(Passkey) },
    errors: [],
  },
  startOperatorPasskey: {
    method: 'POST',
    path: '/auth/passkeys/registration/options',
    summary: {
      en: 'Begin to register a passkey of yours; a further one needs a proof with one you have',
      ru: 'Начать добавление своего ключа доступа; следующий — после подтверждения уже добавленным',
    },
    ...forAnybody,
    request: {},
    response: { 200: PasskeyCreation },
    errors: ['REAUTHENTICATION_REQUIRED', 'CONFLICT'],
  },
  verifyOperatorPasskey: {
    method: 'POST',
    path: '/auth/passkeys/registration/verify',
    summary: {
      en: 'Register the passkey that the browser made; it counts as a proof',
      ru: 'Добавить созданный браузером ключ доступа; это засчитывается как подтверждение',
    },
    ...forAnybody,
    request: { body: PasskeyAttestation },
    response: { 201: Passkey },
    errors: ['REAUTHENTICATION_REQUIRED', 'CONFLICT'],
  },
  startOperatorProof: {
    method: 'POST',
    path: '/auth/passkeys/proof/options',
    summary: {
      en: 'Begin to prove anew that it is you: what the browser needs',
      ru: 'Начать повторное подтверждение, что это вы: что нужно браузеру',
    },
    ...forAnybody,
    request: {},
    response: { 200: PasskeyRequest },
    errors: ['CONFLICT'],
  },
  verifyOperatorProof: {
    method: 'POST',
    path: '/auth/passkeys/proof/verify',
    summary: {
      en: 'Prove with a passkey of yours that it is you; it counts for five minutes',
      ru: 'Подтвердить ключом доступа, что это вы; действует пять минут',
    },
    ...forAnybody,
    request: { body: PasskeyAssertion },
    response: { 200: SignedInOperator },
    errors: [],
  },
  deleteOperatorPasskey: {
    method: 'DELETE',
    path: '/auth/passkeys/:id',
    summary: {
      en: 'Delete a passkey of yours; the last one stays',
      ru: 'Удалить свой ключ доступа; последний остаётся',
    },
    ...forAnybody,
    request: { params: ById },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND', 'REAUTHENTICATION_REQUIRED', 'CONFLICT'],
  },
  refreshOperatorSession: {
    method: 'POST',
    path: '/auth/refresh',
    summary: {
      en: 'Go on with the session for another half an hour',
      ru: 'Продлить сессию ещё на полчаса',
    },
    ...forAnybody,
    limit: per(60, 60),
    request: {},
    response: { 200: SignedInOperator },
    errors: [],
  },
  listOperatorSessions: {
    method: 'GET',
    path: '/auth/sessions',
    summary: {
      en: 'Where you are signed in: this session, then those used last, at most 50',
      ru: 'Где выполнен ваш вход: эта сессия, затем недавно использованные, не больше 50',
    },
    ...forAnybody,
    request: {},
    response: { 200: Type.Array(OperatorSession) },
    errors: [],
  },
  endOperatorSession: {
    method: 'DELETE',
    path: '/auth/sessions/:id',
    summary: {
      en: 'End a session of yours; its cookie stops working at once, everywhere',
      ru: 'Завершить свою сессию; её cookie сразу перестаёт работать везде',
    },
    ...forAnybody,
    request: { params: Closed({ id: field(Text(1, 64), { example: sessionExample }) }) },
    response: { 200: Type.Boolean() },
    errors: ['NOT_FOUND'],
  },
  signOutOperator: {
    method: 'POST',
    path: '/auth/sign-out',
    summary: { en: 'End the session', ru: 'Завершить сессию' },
    ...forAnybody,
    request: {},
    response: { 200: Type.Boolean() },
    errors: [],
  },
})
