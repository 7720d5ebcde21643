import { randomBytes } from 'node:crypto'
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from '@sallyport/contract/customer/auth-shapes'
import { conflict } from '@sallyport/contract/errors'
import { type RelyingParty, relyingPartyOf } from '@sallyport/domain/identity/relying-party'
import type { Language } from '@sallyport/domain/text/language'
import { sha256 } from '../vault.ts'

/** Passkeys of customers and of operators: challenges, what a browser is asked for, and the checks of what it sends. */

const challengeTtlSeconds = 5 * 60
const ceremonyTimeoutMs = challengeTtlSeconds * 1000

export const mostPasskeys = 20

/** ES256, EdDSA and RS256: every authenticator knows one of them. */
const algorithms = [-7, -8, -257]

/** What the standard allows, and well above what keys of these algorithms take. */
const maxCredentialIdBytes = 1023
const maxPublicKeyBytes = 2048

/** How authenticators know the account; it says nothing about whose it is. */
export const userHandleOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

/** Challenges of one session, or of those who sign in. */
export interface Challenges {
  insert(hash: Uint8Array, expiresAt: number): Promise<void>
  /** False when there is no such one, or none that is good any more; it is gone afterwards. */
  take(hash: Uint8Array): Promise<boolean>
}

interface Asker {
  readonly publicUrl: () => string
  readonly now: number
  readonly challenges: Challenges
}

export interface Ceremony {
  readonly challenge: string
  readonly party: RelyingParty
}

export const startCeremony = async ({ publicUrl, now, challenges }: Asker): Promise<Ceremony> => {
  const party = relyingPartyOf(publicUrl())
  if (!party) {
    throw conflict('', 'passkeys need https and a domain name: ask the operator to set PUBLIC_URL to one')
  }
  const challenge = randomBytes(32).toString('base64url')
  await challenges.insert(sha256(challenge), now + challengeTtlSeconds)
  return { challenge, party }
}

const readClientData = (clientDataJSON: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) ?? {}
  } catch {
    return {}
  }
}

/** Uses up the challenge that was signed; undefined when it was not given for this, or too long ago. */
export const endCeremony = async (
  { publicUrl, challenges }: Omit<Asker, 'now'>,
  clientDataJSON: string,
): Promise<Ceremony | undefined> => {
  const { challenge, crossOrigin } = readClientData(clientDataJSON)
  const party = relyingPartyOf(publicUrl())
  if (typeof challenge !== 'string' || !party) return undefined
  const isOurs = await challenges.take(sha256(challenge))
  // Across origins means in a frame of another site.
  return isOurs && crossOrigin !== true ? { challenge, party } : undefined
}

/** The library takes a fifth of a second to load, so only those who use it load it. */
const loadLibrary = async () => ({
  ...(await import('@simplewebauthn/server')),
  ...(await import('@simplewebauthn/server/helpers')),
})
type Library = Awaited<ReturnType<typeof loadLibrary>>

/** No attestation was asked for. Checking one would mean to fetch what its certificates, a stranger's, point to. */
const withoutAttestation = (
  { decodeAttestationObject, isoBase64URL, isoCBOR }: Library,
  given: string,
): string => {
  const authData = decodeAttestationObject(isoBase64URL.toBuffer(given)).get('authData')
  const bare = new Map<string, string | Uint8Array | Map<string, string>>([
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', authData],
  ])
  return isoBase64URL.fromBuffer(isoCBOR.encode(bare))
}

export interface Registered {
  readonly credentialId: Uint8Array
  readonly publicKey: Uint8Array
  readonly counter: number
}

/** The passkey that was made; undefined when anything about it is not as it was asked for. */
export const readAttestation = async (
  { challenge, party }: Ceremony,
  { id, rawId, type, response }: PasskeyAttestation,
): Promise<Registered | undefined> => {
  const library = await loadLibrary()
  try {
    const attestationObject = withoutAttestation(library, response.attestationObject)
    const { clientDataJSON } = response
    const { registrationInfo } = await library.verifyRegistrationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!registrationInfo) return undefined
    const { publicKey, counter, ...made } = registrationInfo.credential
    const credentialId = Buffer.from(made.id, 'base64url')
    const isTooLong = credentialId.length > maxCredentialIdBytes || publicKey.length > maxPublicKeyBytes
    return isTooLong ? undefined : { credentialId, publicKey, counter }
  } catch {
    return undefined
  }
}

/** The new count of signatures; undefined when the passkey did not sign this challenge for this site. */
export const readAssertion = async (
  { challenge, party }: Ceremony,
  { id, rawId, type, response }: PasskeyAssertion,
  publicKey: Uint8Array,
): Promise<number | undefined> => {
  const { verifyAuthenticationResponse } = await loadLibrary()
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id,
        rawId,
        type,
        clientExtensionResults: {},
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The library judges the count before the signature, and anybody can make up a count: it is judged later.
      credential: { id, publicKey: Uint8Array.from(publicKey), counter: 0 },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    return undefined
  }
}

/** Authenticators that count never count back: a count seen before comes from a copy of the key. */
export const isCountedBack = (stored: number, given: number): boolean => stored > 0 && given <= stored

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

export interface KnownPasskey {
  readonly credential_id: Uint8Array
  readonly transports: string[]
}

const described = ({ credential_id, transports }: KnownPasskey) => ({
  id: base64url(credential_id),
  type: 'public-key' as const,
  transports,
})

/** What a browser needs to make a passkey, beside those that the account has. */
export const creationOf = (
  { challenge, party }: Ceremony,
  { uuid, name, passkeys }: { uuid: string; name: string; passkeys: readonly KnownPasskey[] },
): PasskeyCreation => ({
  rp: { id: party.id, name: 'Sallyport' },
  user: { id: base64url(userHandleOf(uuid)), name, displayName: name },
  challenge,
  pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
  timeout: ceremonyTimeoutMs,
  attestation: 'none',
  excludeCredentials: passkeys.map(described),
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
})

/** What a browser needs to sign with a passkey: any of this site, or one of those that are named. */
export const requestOf = (
  { challenge, party }: Ceremony,
  passkeys: readonly KnownPasskey[] = [],
): PasskeyRequest => ({
  challenge,
  rpId: party.id,
  timeout: ceremonyTimeoutMs,
  userVerification: 'required',
  allowCredentials: passkeys.map(described),
})

const words = { ru: 'Ключ доступа', en: 'Passkey' }

/** The name of a passkey that was given none. */
export const freeTitle = (passkeys: readonly { readonly title: string }[], language: Language): string => {
  const taken = passkeys.map(({ title }) => title)
  for (let number = 1; ; number++) {
    const title = `${words[language]} ${number}`
    if (!taken.includes(title)) return title
  }
}
