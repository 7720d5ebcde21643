import Type, { type Static } from 'typebox'
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
} from '../shapes.ts'
import { Title } from '../visible-text.ts'
import { emailExample, LastUsedAt, SessionToken } from './account-shapes.ts'

/** What a sign-in takes and gives. */

export const emailPattern =
  '^\\s*[^@\\s\\x00-\\x1f\\x7f"(),:;<>\\[\\]\\\\]{1,64}@[^@\\s\\x00-\\x1f\\x7f"(),:;<>\\[\\]\\\\.]+(\\.[^@\\s\\x00-\\x1f\\x7f"(),:;<>\\[\\]\\\\.]+)+\\s*$'

export const Email = field(Type.String({ minLength: 3, maxLength: 254, pattern: emailPattern }), {
  en: 'An e-mail address',
  ru: 'Адрес электронной почты',
  example: emailExample,
})

/** Six digits, or the long code of the letter however it was typed. */
export const MailedCode = field(
  Type.String({ minLength: 6, maxLength: 40, pattern: '^([0-9]{6}|[^\\x00]{16,40})$' }),
  {
    en: 'The code that was mailed; a letter has two, six digits and a long one that also works on another device',
    ru: 'Код из письма; в нём их два: шесть цифр и длинный, который подходит и на другом устройстве',
    example: '402817',
  },
)

export const ReferralCode = field(Type.Optional(Text(1, 32)), {
  en: 'Code of the customer who invited this one',
  ru: 'Код того, кто пригласил',
})
export const LinkFlag = field(Type.Optional(Type.Boolean()), {
  en: 'Attach to the account of the session sent along instead of signing in',
  ru: 'Привязать к аккаунту переданной сессии, а не входить',
})
/** What a code or a letter lives. */
export const CodeExpiresAt = field(ExpiresAt, { example: exampleTime + 600 })
const refreshToken = {
  en: 'Good for one refresh',
  ru: 'Годится на одно обновление',
  example: 'slr_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
}
export const RefreshToken = field(Text(1, 256), refreshToken)

/** A new session: the token to call with, and the one that renews it. */
export const SignedIn = Closed({
  session_token: SessionToken,
  expires_at: field(ExpiresAt, { example: exampleTime + 900 }),
  refresh_token: field(Type.String(), refreshToken),
  refresh_expires_at: field(UnixSeconds, {
    en: 'Until when the session can be refreshed, Unix time in seconds',
    ru: 'До какого времени можно обновить сессию, время Unix в секундах',
    example: exampleTime + 30 * 86_400,
  }),
  user_id: field(Id, { example: 1 }),
  is_new_account: field(Type.Boolean(), {
    en: 'This sign-in made the account',
    ru: 'Аккаунт создан этим входом',
    example: false,
  }),
})
export type SignedIn = Static<typeof SignedIn>

/** What the Telegram login widget hands to the page. */
export const TelegramWidget = Closed({
  id: Id,
  first_name: Type.Optional(Type.String({ maxLength: 256 })),
  last_name: Type.Optional(Type.String({ maxLength: 256 })),
  username: Type.Optional(Type.String({ maxLength: 64 })),
  photo_url: Type.Optional(Type.String({ maxLength: 2048 })),
  auth_date: field(UnixSeconds, { en: 'As Telegram sent it', ru: 'Как прислал Telegram' }),
  hash: field(Type.String({ pattern: '^[0-9a-f]{64}$' }), {
    en: 'The signature of Telegram',
    ru: 'Подпись Telegram',
  }),
  referral_code: ReferralCode,
  link: LinkFlag,
})
export type TelegramWidget = Static<typeof TelegramWidget>

/** What Telegram hands to a Mini App, untouched. */
export const TelegramMiniApp = Closed({
  init_data: field(Text(1, 8192), {
    en: 'The initData of the Mini App, untouched',
    ru: 'initData мини-приложения без изменений',
    example: 'query_id=…&user=…&auth_date=1767225600&hash=…',
  }),
  referral_code: ReferralCode,
  link: LinkFlag,
})
export type TelegramMiniApp = Static<typeof TelegramMiniApp>

export const OauthProvider = field(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), {
  en: 'Name of a configured provider',
  ru: 'Имя настроенного провайдера',
  example: 'google',
})
/** Not `//host` or `/\\host`, which browsers take for another site. */
export const returnToPattern = '^/([^/\\\\\\x00-\\x1f\\x7f][^\\\\\\x00-\\x1f\\x7f]*)?$'
export const ReturnTo = field(Type.Optional(Type.String({ maxLength: 512, pattern: returnToPattern })), {
  en: 'A page of this service to come back to, as a path',
  ru: 'Страница этого сервиса, куда вернуться: путь от корня',
})

/** Web Authentication speaks in base64url. */
const Bytes = field(Type.String({ minLength: 1, maxLength: 32_768, pattern: '^[A-Za-z0-9_-]+$' }), {
  example: 'p6Z0cF2xS1o9',
})
const Challenge = field(Type.String(), {
  en: 'WebAuthn challenge: hand it to the browser',
  ru: 'Вызов WebAuthn: передайте браузеру как есть',
  example: 'p6Z0cF2xS1o9…',
})
const Timeout = field(Type.Integer(), { example: 60_000 })
const Verification = field(Type.String(), { example: 'preferred' })
const ExtensionResults = Type.Object({}, { additionalProperties: true })
const Attachment = Type.Optional(Type.Enum(['platform', 'cross-platform']))
const credential = { id: Bytes, rawId: Bytes, type: Type.Literal('public-key') }

/** AuthenticationResponseJSON of Web Authentication. */
export const PasskeyAssertion = Closed({
  ...credential,
  response: Closed({
    clientDataJSON: Bytes,
    authenticatorData: Bytes,
    signature: Bytes,
    userHandle: Type.Optional(Nullable(Type.String({ maxLength: 128, pattern: '^[A-Za-z0-9_-]*$' }))),
  }),
  clientExtensionResults: ExtensionResults,
  authenticatorAttachment: Attachment,
})
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

/** RegistrationResponseJSON of Web Authentication, with a name for the passkey beside it. */
export const PasskeyAttestation = Closed({
  ...credential,
  response: Closed({
    clientDataJSON: Bytes,
    attestationObject: Bytes,
    authenticatorData: Type.Optional(Bytes),
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 8 })),
    publicKeyAlgorithm: Type.Optional(Type.Integer({ minimum: -(2 ** 31), maximum: 2 ** 31 - 1 })),
    publicKey: Type.Optional(Nullable(Bytes)),
  }),
  clientExtensionResults: ExtensionResults,
  authenticatorAttachment: Attachment,
  title: Type.Optional(Title),
})
export type PasskeyAttestation = Static<typeof PasskeyAttestation>

const CredentialDescriptor = Closed({
  id: field(Type.String(), { example: 'p6Z0cF2xS1o9…' }),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})

/** PublicKeyCredentialRequestOptionsJSON: what `navigator.credentials.get` takes. */
export const PasskeyRequest = Closed({
  challenge: Challenge,
  rpId: field(Type.String(), { example: 'vpn.example.com' }),
  timeout: Timeout,
  userVerification: Verification,
  allowCredentials: Type.Array(CredentialDescriptor),
})
export type PasskeyRequest = Static<typeof PasskeyRequest>

/** PublicKeyCredentialCreationOptionsJSON: what `navigator.credentials.create` takes. */
export const PasskeyCreation = Closed({
  rp: Closed({
    id: field(Type.String(), { example: 'vpn.example.com' }),
    name: field(Type.String(), { example: 'Sallyport' }),
  }),
  user: Closed({
    id: field(Type.String(), { example: 'Nw' }),
    name: field(Type.String(), { example: emailExample }),
    displayName: field(Type.String(), { example: emailExample }),
  }),
  challenge: Challenge,
  pubKeyCredParams: Type.Array(
    Closed({ alg: field(Type.Integer(), { example: -7 }), type: Type.Literal('public-key') }),
  ),
  timeout: Timeout,
  attestation: field(Type.String(), { example: 'none' }),
  excludeCredentials: Type.Array(CredentialDescriptor),
  authenticatorSelection: Closed({
    residentKey: field(Type.String(), { example: 'required' }),
    requireResidentKey: Type.Boolean(),
    userVerification: Verification,
  }),
})
export type PasskeyCreation = Static<typeof PasskeyCreation>

export const Passkey = Closed({
  id: Id,
  title: field(Type.String(), { example: 'iPhone' }),
  created_at: CreatedAt,
  last_used_at: LastUsedAt,
})
