import Type from 'typebox'
import { per, table } from '../operation.ts'
import { ofEachProduct } from '../product-types.ts'
import { Closed, CreatedAt, ExpiresAt, exampleTime, field, Id, Nullable, Text } from '../shapes.ts'
import { Title } from '../visible-text.ts'
import { ApiKey, Balance, codeExample, KeyPrefix, NewApiKey, ReferralBalance } from './account-shapes.ts'
import { CodeExpiresAt, Passkey, PasskeyAttestation, PasskeyCreation } from './auth-shapes.ts'
import { renewalRows } from './credentials.ts'
import { exportRows } from './export.ts'
import { sessionRows } from './sessions.ts'

/** Operations that need a session token: an API key gets FORBIDDEN. */
export const session = table({
  listApiKeys: {
    method: 'GET',
    path: '/profile/api-keys',
    summary: {
      en: 'API keys of the account, without their secrets',
      ru: 'API-ключи аккаунта без секретной части',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(ApiKey) },
    errors: [],
  },
  createApiKey: {
    method: 'POST',
    path: '/profile/api-keys',
    summary: {
      en: 'Issue an API key; the full key is shown this once. At most 5 per account',
      ru: 'Выпустить API-ключ; целиком он показывается один раз. Не больше 5 на аккаунт',
    },
    auth: 'session',
    limit: 'global',
    request: { body: Closed({ title: Type.Optional(Nullable(Title)) }) },
    example: { body: { title: 'Laptop' } },
    response: {
      201: Closed({
        id: Id,
        title: field(Nullable(Type.String()), { example: 'Laptop' }),
        prefix: KeyPrefix,
        api_key: NewApiKey,
        created_at: CreatedAt,
      }),
    },
    errors: ['API_KEY_LIMIT', 'CONFLICT'],
    idempotent: true,
  },
  revokeApiKey: {
    method: 'DELETE',
    path: '/profile/api-keys/:id',
    summary: {
      en: 'Revoke an API key; it stops working at once, everywhere',
      ru: 'Отозвать API-ключ; он перестаёт работать сразу и везде',
    },
    auth: 'session',
    limit: 'global',
    request: { params: Closed({ id: Id }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND'],
  },
  createOtp: {
    method: 'POST',
    path: '/profile/otp',
    summary: {
      en: 'A one-time password for signing in elsewhere with the e-mail or number of the account',
      ru: 'Одноразовый пароль, чтобы войти на другом устройстве по почте или номеру аккаунта',
    },
    auth: 'session',
    limit: per(3, 60),
    request: {},
    response: {
      201: Closed({ password: field(Type.String(), { example: 'K7QM-2XPA' }), expires_at: CodeExpiresAt }),
    },
    errors: [],
  },
  createSignInCode: {
    method: 'POST',
    path: '/profile/signInCode',
    summary: {
      en: 'A code that signs another device in to this account, once',
      ru: 'Код, по которому другое устройство один раз войдёт в этот аккаунт',
    },
    auth: 'session',
    limit: per(3, 60),
    request: {},
    response: {
      201: Closed({ code: field(Type.String(), { example: codeExample }), expires_at: CodeExpiresAt }),
    },
    errors: [],
  },
  finishOnboarding: {
    method: 'PATCH',
    path: '/profile/onboarding',
    summary: { en: 'Remember that the introduction was seen', ru: 'Запомнить, что знакомство пройдено' },
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Literal(true) },
    errors: [],
  },
  listPasskeys: {
    method: 'GET',
    path: '/profile/passkeys',
    summary: { en: 'Passkeys of the account', ru: 'Passkeys аккаунта' },
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: Type.Array(Passkey) },
    errors: [],
  },
  startPasskey: {
    method: 'POST',
    path: '/profile/passkeys',
    summary: {
      en: 'Begin to register a passkey: what the browser needs to make one',
      ru: 'Начать добавление passkey: что нужно браузеру, чтобы его создать',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: { 200: PasskeyCreation },
    errors: ['CONFLICT'],
  },
  verifyPasskey: {
    method: 'POST',
    path: '/profile/passkeys/verify',
    summary: {
      en: 'Register the passkey that the browser made',
      ru: 'Добавить passkey, созданный браузером',
    },
    auth: 'session',
    limit: 'global',
    request: { body: PasskeyAttestation },
    response: { 201: Passkey },
    errors: ['CONFLICT'],
  },
  deletePasskey: {
    method: 'DELETE',
    path: '/profile/passkeys/:id',
    summary: {
      en: 'Delete a passkey; the last way to sign in stays',
      ru: 'Удалить passkey; последний способ входа остаётся',
    },
    auth: 'session',
    limit: 'global',
    request: { params: Closed({ id: Id }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  listIdentities: {
    method: 'GET',
    path: '/profile/identities',
    summary: {
      en: 'Accounts elsewhere (Telegram, identity providers) that open this account',
      ru: 'Аккаунты Telegram и других сервисов, через которые открывается вход в этот',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: {
      200: Type.Array(
        Closed({
          id: Id,
          provider: field(Type.String(), { example: 'google' }),
          title: field(Type.String(), { example: 'Google' }),
          created_at: CreatedAt,
        }),
      ),
    },
    errors: [],
  },
  deleteIdentity: {
    method: 'DELETE',
    path: '/profile/identities/:id',
    summary: {
      en: 'Unlink an account elsewhere; the last way to sign in stays',
      ru: 'Отвязать аккаунт другого сервиса; последний способ входа остаётся',
    },
    auth: 'session',
    limit: 'global',
    request: { params: Closed({ id: Id }) },
    response: { 200: Type.Literal(true) },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  createTransferKey: {
    method: 'POST',
    path: '/profile/transfer/createKey',
    summary: {
      en: 'A key with which another account takes over the products and balances of this one; 15 minutes, once',
      ru: 'Ключ, по которому другой аккаунт заберёт продукты и балансы этого; действует 15 минут, один раз',
    },
    auth: 'session',
    limit: 'global',
    request: {},
    response: {
      201: Closed({
        key: field(Type.String(), { example: codeExample }),
        expires_at: field(ExpiresAt, { example: exampleTime + 900 }),
      }),
    },
    errors: [],
  },
  activateTransferKey: {
    method: 'POST',
    path: '/profile/transfer/activateKey',
    summary: {
      en: 'Take over all products, balances and promocodes of the account that made the key',
      ru: 'Забрать все продукты, балансы и промокоды аккаунта, создавшего ключ',
    },
    auth: 'session',
    limit: 'global',
    request: {
      body: Closed({
        key: field(Text(4, 32), {
          en: 'The key made on the other account',
          ru: 'Ключ, созданный в другом аккаунте',
          example: codeExample,
        }),
      }),
    },
    guesses: 'transfer_key',
    response: {
      200: Closed({
        ...ofEachProduct(() => Type.Integer()),
        configs: field(Type.Integer(), { example: 3 }),
        promocodes: Type.Integer(),
        balance: Balance,
        referral_balance: ReferralBalance,
      }),
    },
    errors: ['TRANSFER_KEY_INVALID', 'CONFLICT'],
  },
  ...sessionRows,
  ...exportRows,
  ...renewalRows,
  deleteAccount: {
    method: 'DELETE',
    path: '/profile',
    summary: {
      en: 'Delete the account: products are switched off, personal data erased, keys and sessions dead at once',
      ru: 'Удалить аккаунт: продукты отключаются, личные данные стираются, ключи и сессии сразу перестают работать',
    },
    auth: 'session',
    limit: per(1, 300),
    request: {},
    response: { 200: Type.Literal(true) },
    errors: ['CONFLICT'],
  },
})
