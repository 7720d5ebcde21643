import Type from 'typebox'
import { per, table } from '../operation.ts'
import { Closed, Text, UnixSeconds } from '../shapes.ts'
import {
  Email,
  LinkFlag,
  MailedCode,
  OauthProvider,
  PasskeyAssertion,
  PasskeyRequest,
  ReferralCode,
  ReturnTo,
  SignedIn,
  TelegramMiniApp,
  TelegramWidget,
} from './auth-shapes.ts'

/** How a customer gets a session. Limits are counted per address; wrong codes have stricter ones beside them. */

const visitor = { auth: 'visitor', limit: per(30, 60) } as const
const OauthQuery = Closed({ return_to: ReturnTo, referral_code: ReferralCode })
const ByProvider = Closed({ provider: OauthProvider })

export const auth = table({
  listSignInMethods: {
    ...visitor,
    method: 'GET',
    path: '/auth/methods',
    summary: 'The ways to sign in that this service offers',
    limit: per(60, 60),
    request: {},
    response: {
      200: Closed({
        email: Type.Boolean(),
        passkey: Type.Boolean(),
        telegram_bot: Type.Union([Type.String(), Type.Null()]),
        oauth: Type.Array(Closed({ provider: Type.String(), title: Type.String() })),
      }),
    },
    errors: [],
  },
  startEmailSignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/email/start',
    summary:
      'Mail a code, six digits and a longer one; the answer is the same whether or not the account exists, and when a letter has just been sent',
    limit: per(10, 60),
    request: { body: Closed({ email: Email, referral_code: ReferralCode }) },
    response: { 200: Closed({ expires_at: UnixSeconds }) },
    errors: [],
  },
  verifyEmailSignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/email/verify',
    summary: 'Sign in with either code of the letter; a new address gets a new account',
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
  signInWithCode: {
    ...visitor,
    method: 'POST',
    path: '/auth/signInCode',
    summary: 'Sign in with a code made on a device that is signed in already',
    request: { body: Closed({ code: Text(4, 32) }) },
    response: { 200: SignedIn },
    errors: [],
  },
  signInWithOtp: {
    ...visitor,
    method: 'POST',
    path: '/auth/otp',
    summary: 'Sign in with a one-time password; the login is the e-mail or the number of the account',
    request: { body: Closed({ login: Text(1, 254), password: Text(4, 32) }) },
    response: { 200: SignedIn },
    errors: [],
  },
  signInWithTelegram: {
    ...visitor,
    method: 'POST',
    path: '/auth/telegram',
    summary: 'Sign in with what the Telegram login widget or a Mini App was given',
    request: { body: Type.Union([TelegramMiniApp, TelegramWidget]) },
    response: { 200: SignedIn },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  openOauth: {
    ...visitor,
    method: 'GET',
    path: '/auth/oauth/:provider/start',
    summary: 'Send the browser to an identity provider',
    request: { params: ByProvider, query: OauthQuery },
    response: { 302: Closed({ url: Type.String() }) },
    errors: ['NOT_FOUND'],
  },
  startOauth: {
    ...visitor,
    method: 'POST',
    path: '/auth/oauth/:provider/start',
    summary: 'The address of an identity provider to open, for pages that also want to link it to an account',
    request: {
      params: ByProvider,
      body: Closed({ return_to: ReturnTo, referral_code: ReferralCode, link: LinkFlag }),
    },
    response: { 200: Closed({ url: Type.String() }) },
    errors: ['NOT_FOUND'],
  },
  finishOauth: {
    ...visitor,
    method: 'GET',
    path: '/auth/oauth/:provider/callback',
    summary:
      'Where the identity provider sends the browser back; with return_to, on to that page with a sign-in code',
    request: {
      params: ByProvider,
      query: Closed({
        state: Type.Optional(Text(1, 512)),
        code: Type.Optional(Text(1, 8192)),
        error: Type.Optional(Text(0, 512)),
        iss: Type.Optional(Text(0, 2048)),
        device_id: Type.Optional(Text(0, 512)),
      }),
    },
    response: { 200: SignedIn, 302: Closed({ url: Type.String() }) },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  startPasskeySignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/passkey/options',
    summary: 'A challenge for a passkey',
    limit: per(60, 60),
    request: {},
    response: { 200: PasskeyRequest },
    errors: ['CONFLICT'],
  },
  verifyPasskeySignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/passkey/verify',
    summary: 'Sign in with the signed challenge',
    request: { body: PasskeyAssertion },
    response: { 200: SignedIn },
    errors: [],
  },
  refreshSession: {
    ...visitor,
    method: 'POST',
    path: '/auth/refresh',
    summary:
      'A new session token and a new refresh token for the old one; if the answer is lost, repeat within 30 s',
    limit: per(60, 60),
    request: { body: Closed({ refresh_token: Text(1, 256) }) },
    response: { 200: SignedIn },
    errors: [],
  },
  logout: {
    method: 'POST',
    path: '/auth/logout',
    summary: 'End this session; its tokens stop working at once, everywhere',
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Literal(true) },
    errors: [],
  },
  logoutAll: {
    method: 'POST',
    path: '/auth/logoutAll',
    summary: 'End every session of the account, this one too',
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Closed({ ended_count: Type.Integer() }) },
    errors: [],
  },
})
