import Type, { type Static } from 'typebox'
import { Closed, Id, Nullable, Text, UnixSeconds } from '../shapes.ts'
import { Title } from '../visible-text.ts'

/** What a sign-in takes and gives. */

export const emailPattern =
  '^\\s*[^@\\s\\x00-\\x1f\\x7f"(),:;<>\\[\\]\\\\]{1,64}@[^@\\s\\x00-\\x1f\\x7f"(),:;<>\\[\\]\\\\.]+(\\.[^@\\s\\x00-\\x1f\\x7f"(),:;<>\\[\\]\\\\.]+)+\\s*$'

export const Email = Type.String({
  minLength: 3,
  maxLength: 254,
  pattern: emailPattern,
  description: 'An e-mail address',
})

/** Six digits, or the long code of the letter however it was typed. */
export const MailedCode = Type.String({
  minLength: 6,
  maxLength: 40,
  pattern: '^([0-9]{6}|[^\\x00]{16,40})$',
})

export const ReferralCode = Type.Optional(Text(1, 32))
export const LinkFlag = Type.Optional(
  Type.Boolean({ description: 'Attach to the account of the session sent along instead of signing in' }),
)

/** A new session: the token to call with, and the one that renews it. */
export const SignedIn = Closed({
  session_token: Type.String(),
  expires_at: UnixSeconds,
  refresh_token: Type.String({ description: 'Good for one refresh' }),
  refresh_expires_at: UnixSeconds,
  user_id: Id,
  is_new_account: Type.Boolean(),
})
export type SignedIn = Static<typeof SignedIn>

/** What the Telegram login widget hands to the page. */
export const TelegramWidget = Closed({
  id: Id,
  first_name: Type.Optional(Type.String({ maxLength: 256 })),
  last_name: Type.Optional(Type.String({ maxLength: 256 })),
  username: Type.Optional(Type.String({ maxLength: 64 })),
  photo_url: Type.Optional(Type.String({ maxLength: 2048 })),
  auth_date: UnixSeconds,
  hash: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  referral_code: ReferralCode,
  link: LinkFlag,
})
export type TelegramWidget = Static<typeof TelegramWidget>

/** What Telegram hands to a Mini App, untouched. */
export const TelegramMiniApp = Closed({
  init_data: Text(1, 8192),
  referral_code: ReferralCode,
  link: LinkFlag,
})
export type TelegramMiniApp = Static<typeof TelegramMiniApp>

export const OauthProvider = Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' })
/** Not `//host` or `/\\host`, which browsers take for another site. */
export const returnToPattern = '^/([^/\\\\\\x00-\\x1f\\x7f][^\\\\\\x00-\\x1f\\x7f]*)?$'
export const ReturnTo = Type.Optional(
  Type.String({
    maxLength: 512,
    pattern: returnToPattern,
    description: 'A page of this service to come back to, as a path',
  }),
)

/** Web Authentication speaks in base64url. */
const Bytes = Type.String({ minLength: 1, maxLength: 32_768, pattern: '^[A-Za-z0-9_-]+$' })
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
    publicKeyAlgorithm: Type.Optional(Type.Integer()),
    publicKey: Type.Optional(Nullable(Bytes)),
  }),
  clientExtensionResults: ExtensionResults,
  authenticatorAttachment: Attachment,
  title: Type.Optional(Title),
})
export type PasskeyAttestation = Static<typeof PasskeyAttestation>

const CredentialDescriptor = Closed({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Optional(Type.Array(Type.String())),
})

/** PublicKeyCredentialRequestOptionsJSON: what `navigator.credentials.get` takes. */
export const PasskeyRequest = Closed({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: Type.String(),
  allowCredentials: Type.Array(CredentialDescriptor),
})
export type PasskeyRequest = Static<typeof PasskeyRequest>

/** PublicKeyCredentialCreationOptionsJSON: what `navigator.credentials.create` takes. */
export const PasskeyCreation = Closed({
  rp: Closed({ id: Type.String(), name: Type.String() }),
  user: Closed({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  challenge: Type.String(),
  pubKeyCredParams: Type.Array(Closed({ alg: Type.Integer(), type: Type.Literal('public-key') })),
  timeout: Type.Integer(),
  attestation: Type.String(),
  excludeCredentials: Type.Array(CredentialDescriptor),
  authenticatorSelection: Closed({
    residentKey: Type.String(),
    requireResidentKey: Type.Boolean(),
    userVerification: Type.String(),
  }),
})
export type PasskeyCreation = Static<typeof PasskeyCreation>

export const Passkey = Closed({
  id: Id,
  title: Type.String(),
  created_at: UnixSeconds,
  last_used_at: Nullable(UnixSeconds),
})
