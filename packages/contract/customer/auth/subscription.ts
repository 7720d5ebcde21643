import Type from 'typebox'
import { per, table } from '../../operation.ts'
import { Closed, field, Nullable } from '../../shapes.ts'
import { GivenSubscriptionKey } from '../account-shapes.ts'
import { CodeExpiresAt, MailedCode, SignedIn } from '../auth-shapes.ts'
import { visitor } from './elsewhere.ts'

/** Part of signing in: to the account that a subscription key belongs to. The key names it, and opens nothing. */
export const subscriptionSignInRows = table({
  startSubscriptionSignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/subscription/start',
    summary: {
      en: 'Mail a code to the address of the account that the key belongs to, and tell the other ways into it; the key alone signs nobody in',
      ru: 'Прислать код на почту аккаунта, которому принадлежит ключ, и назвать другие способы войти; сам по себе ключ никого не впускает',
    },
    limit: per(10, 60),
    request: { body: Closed({ subscription_key: GivenSubscriptionKey }) },
    response: {
      200: Closed({
        expires_at: field(Nullable(CodeExpiresAt), {
          en: 'Until when the code holds, Unix time in seconds; null when no letter was sent: there is no address, or too many were asked for by this key. Typing the address brings one then',
          ru: 'До какого времени действует код, время Unix в секундах; null, если письма не было: адреса нет или по этому ключу их просили слишком много. Тогда введите адрес сами',
        }),
        email_hint: field(Nullable(Type.String()), {
          en: 'The address, as far as its owner knows it by; null when there is none, or no letter was sent',
          ru: 'Адрес ровно настолько, чтобы владелец его узнал; null, если адреса нет или письма не было',
          example: 'a•••@e•••.com',
        }),
        passkey: field(Type.Boolean(), {
          en: 'The account has a passkey. This and the other ways are told with a letter, or when there is no address: otherwise false and an empty list',
          ru: 'У аккаунта есть passkey. Этот и другие способы названы, если есть письмо или нет адреса; иначе false и пустой список',
          example: true,
        }),
        telegram: field(Type.Boolean(), {
          en: 'Telegram opens the account',
          ru: 'В аккаунт можно войти через Telegram',
          example: false,
        }),
        oauth: field(
          Type.Array(
            Closed({
              provider: field(Type.String(), { example: 'google' }),
              title: field(Type.String(), { example: 'Google' }),
            }),
          ),
          { en: 'Identity providers that open the account', ru: 'Провайдеры, через которых можно войти' },
        ),
      }),
    },
    errors: ['NOT_FOUND'],
  },
  verifySubscriptionSignIn: {
    ...visitor,
    method: 'POST',
    path: '/auth/subscription/verify',
    summary: {
      en: 'Sign in to the account of the key with either code of the letter',
      ru: 'Войти в аккаунт, которому принадлежит ключ, по любому из кодов письма',
    },
    request: { body: Closed({ subscription_key: GivenSubscriptionKey, code: MailedCode }) },
    response: { 200: SignedIn },
    errors: ['NOT_FOUND'],
  },
})
