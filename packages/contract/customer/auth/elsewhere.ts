import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Text } from '../../shapes.ts'
import {
  LinkFlag,
  OauthProvider,
  PasskeyAssertion,
  PasskeyRequest,
  ReferralCode,
  ReturnTo,
  SignedIn,
} from '../auth-shapes.ts'

export const visitor = { auth: 'visitor', limit: per(30, 60) } as const
const OauthQuery = Closed({ return_to: ReturnTo, referral_code: ReferralCode })
const ByProvider = Closed({ provider: OauthProvider })
const ProviderUrl = Closed({
  url: field(Type.String(), { example: 'https://accounts.google.com/o/oauth2/v2/auth?…' }),
})
const fromProvider = { en: 'As the provider sent it', ru: 'Как вернул провайдер' }

/** Part of signing in: by what an identity provider or the browser vouches for. */
export const elsewhereRows = table({
  openOauth: {
    ...visitor,
    method: 'GET',
    path: '/auth/oauth/:provider/start',
    summary: { en: 'Send the browser to an identity provider', ru: 'Отправить браузер к провайдеру входа' },
    request: { params: ByProvider, query: OauthQuery },
    response: { 302: ProviderUrl },
    errors: ['NOT_FOUND'],
  },
  startOauth: {
    ...visitor,
    method: 'POST',
    path: '/auth/oauth/:provider/start',
    summary: {
      en: 'The address of an identity provider to open, for pages that also want to link it to an account',
      ru: 'Адрес провайдера входа — для страниц, которые хотят ещё и привязать его к аккаунту',
    },
    request: {
      params: ByProvider,
      body: Closed({ return_to: ReturnTo, referral_code: ReferralCode, link: LinkFlag }),
    },
    example: { body: { return_to: '/', link: true } },
    response: { 200: ProviderUrl },
    errors: ['NOT_FOUND'],
  },
  finishOauth: {
    ...visitor,
    method: 'GET',
    path: '/auth/oauth/:provider/callback',
    summary: {
      en: 'Where the identity provider sends the browser back; with return_to, on to that page with a sign-in code',
      ru: 'Сюда провайдер входа возвращает браузер; с return_to — дальше на эту страницу с кодом для входа',
    },
    request: {
      params: ByProvider,
      query: Closed({
        state: field(Type.Optional(Text(1, 512)), fromProvider),
        code: field(Type.Optional(Text(1, 8192)), fromProvider),
        error: Type.Optional(Text(0, 512)),
        iss: Type.Optional(Text(0, 2048)),
        device_id: Type.Optional(Text(0, 512)),
      }),
    },
    response: { 200: SignedIn, 302: ProviderUrl },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  startPasskeySignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/passkey/options',
    summary: { en: 'A challenge for a passkey', ru: 'Вызов для passkey' },
    limit: per(60, 60),
    request: {},
    response: { 200: PasskeyRequest },
    errors: ['CONFLICT'],
  },
  verifyPasskeySignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/passkey/verify',
    summary: { en: 'Sign in with the signed challenge', ru: 'Войти с подписанным вызовом' },
    request: { body: PasskeyAssertion },
    response: { 200: SignedIn },
    errors: [],
  },
})
