import { randomBytes } from 'node:crypto'
import type { auth } from '@sallyport/contract/customer/auth'
import { Email, type SignedIn } from '@sallyport/contract/customer/auth-shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import { readEmail } from '@sallyport/domain/identity/email-address'
import { Check } from 'typebox/value'
import { findSession } from '../../../core/accounts/credentials.ts'
import { issueBareCode } from '../../../core/accounts/one-time-codes.ts'
import {
  lockOpenAccount,
  type Proof,
  type SignInRequest,
  signIn,
  withAccount,
} from '../../../core/accounts/sign-in.ts'
import { lockUser } from '../../../core/accounts/users.ts'
import { type Call, type Cookie, type Handlers, Redirect, Reply, type Services } from '../../../core/call.ts'
import { sha256 } from '../../../core/kernel/vault.ts'
import type { Db } from '../../../db/client.ts'
import type { IdentityProvider } from '../../../ports/identity.ts'
import { linkTarget } from '../common/link-target.ts'
import { refuseUnknownReferrer, stillReferrer } from '../common/referrers.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'
import { failed, failureOfWord, pageWith, tellingPage } from './failures.ts'
import { findOauthState, insertOauthState, takeOauthState } from './queries.ts'

/** Signing in at an identity provider: the browser goes there with a state and comes back with it and a code. */

const stateTtlSeconds = 10 * 60
const exchangeTtlSeconds = 60
const oauthPath = '/v1/auth/oauth'
const cookieName = 'slp_oauth'
const cookieShape = /^[A-Za-z0-9_-]{43}$/
/** Some other letters become ASCII ones in small letters, and so another person's address. */
const asciiShape = /^[\x20-\x7e]*$/

type Finish = Call<(typeof auth)['finishOauth']>

interface Wish {
  readonly returnTo: string | undefined
  readonly referralCode: string | undefined
  /** The account to link to, and the session that asks for it. */
  readonly link: { readonly userId: number; readonly sessionId: string } | undefined
}

/** Sealed beside the state. */
interface Kept {
  readonly checks: string
  readonly linkSessionId: string | null
}

type Journey = NonNullable<Awaited<ReturnType<typeof takeOauthState>>> & Kept

const random = (): string => randomBytes(32).toString('base64url')
const checksContext = (stateHash: Buffer): string => `oauth_states.checks:${stateHash.toString('hex')}`

const providerOf = (call: Services & { readonly params: { readonly provider: string } }) => {
  const provider = call.identityProviders.get(call.params.provider)
  if (!provider) throw new ApiError('NOT_FOUND')
  return provider
}

const redirectUriOf = ({ publicUrl }: Services, { name }: IdentityProvider): string =>
  `${publicUrl()}${oauthPath}/${name}/callback`

/** A browser keeps its cookie, so that sign-ins in two of its tabs do not end each other. */
const browserCookie = (call: Services & { readonly cookie: Finish['cookie'] }): Cookie => {
  const known = call.cookie(cookieName)
  return {
    name: cookieName,
    value: known !== undefined && cookieShape.test(known) ? known : random(),
    path: oauthPath,
    maxAgeSeconds: stateTtlSeconds,
    isSecure: call.publicUrl().startsWith('https:'),
  }
}

const begin = async (
  call: Services & { readonly cookie: Finish['cookie']; readonly now: number },
  provider: IdentityProvider,
  wish: Wish,
): Promise<{ url: string; cookie: Cookie }> => {
  await refuseUnknownReferrer(call.db, wish.referralCode)
  const state = random()
  const stateHash = sha256(state)
  const { url, checks } = await provider.begin({ redirectUri: redirectUriOf(call, provider), state })
  const cookie = browserCookie(call)
  const kept: Kept = { checks, linkSessionId: wish.link?.sessionId ?? null }
  await insertOauthState(call.db, {
    state_hash: stateHash,
    provider: provider.name,
    browser_hash: sha256(cookie.value),
    checks_sealed: call.vault.seal(JSON.stringify(kept), checksContext(stateHash)),
    return_to: wish.returnTo ?? null,
    referral_code: wish.referralCode ?? null,
    link_user_id: wish.link?.userId ?? null,
    expires_at: call.now + stateTtlSeconds,
  })
  return { url, cookie }
}

/** Undefined when it is not this browser's to finish, or not any more. */
const takeJourney = async (call: Finish, stateHash: Buffer): Promise<Journey | undefined> => {
  const taken = await takeOauthState(call.db, {
    stateHash,
    provider: call.params.provider,
    browserHash: sha256(call.cookie(cookieName) ?? ''),
    now: call.now,
  })
  if (!taken) return undefined
  const kept = JSON.parse(call.vault.open(taken.checks_sealed, checksContext(stateHash))) as Kept
  return { ...taken, ...kept }
}

const explainMissing = async (call: Finish, stateHash: Buffer): Promise<Redirect> => {
  const waiting = await findOauthState(call.db, { stateHash, provider: call.params.provider })
  return tellingPage(call, waiting?.return_to, async () => {
    throw failed(waiting && waiting.expires_at > call.now ? 'wrong_browser' : 'expired')
  })
}

const readProviderEmail = (email: string | null): string | null =>
  email !== null && asciiShape.test(email) && Check(Email, email) ? readEmail(email) : null

const prove = async (call: Finish, provider: IdentityProvider, journey: Journey): Promise<Proof> => {
  const { code, error, state = '', iss, device_id: deviceId } = call.query
  if (error !== undefined || code === undefined) throw failureOfWord(error ?? '')
  const { subject, email } = await provider.finish({
    redirectUri: redirectUriOf(call, provider),
    checks: journey.checks,
    answer: { code, state, iss, deviceId },
  })
  return {
    method: provider.name,
    email: readProviderEmail(email),
    identity: { provider: provider.name, subject, title: provider.title },
  }
}

/** Whoever signed out meanwhile, or was signed out by the owner, links nothing any more. */
const refuseEndedSession = async (tx: Db, journey: Journey, now: number): Promise<void> => {
  const { link_user_id: userId, linkSessionId } = journey
  if (userId === null || linkSessionId === null) return
  await lockUser(tx, userId)
  const session = await findSession(tx, linkSessionId)
  if (session?.user_id !== userId || session.expires_at <= now) throw failed('signed_out')
}

const finish = async (
  call: Finish,
  proof: Proof,
  journey: Journey,
): Promise<SignedIn | Reply<SignedIn> | Redirect> => {
  // The provider may have taken its time.
  const now = call.clock.now()
  const request: SignInRequest = {
    proof,
    referralCode: await stillReferrer(call.db, journey.referral_code),
    linkTo: journey.link_user_id ?? undefined,
    origin: originOf(call),
    spend: (tx) => refuseEndedSession(tx, journey, now),
    now,
  }
  if (journey.return_to === null) return signedInFrom(call, request.origin, await signIn(call, request))
  // The session begins where the page exchanges the code: no token is ever part of an address.
  const { code } = await withAccount(call, request, async (tx, { userId }) => {
    await lockOpenAccount(tx, userId)
    const session = { userId, method: proof.method, ttlSeconds: exchangeTtlSeconds, now }
    return issueBareCode(tx, call.vault, { kind: 'exchange', ...session })
  })
  return pageWith(call.publicUrl(), journey.return_to, { sign_in_code: code })
}

export const oauthHandlers: Pick<Handlers<typeof auth>, 'openOauth' | 'startOauth' | 'finishOauth'> = {
  openOauth: async (call) => {
    const provider = providerOf(call)
    const { return_to: returnTo, referral_code: referralCode } = call.query
    return tellingPage(call, returnTo, async () => {
      const { url, cookie } = await begin(call, provider, { returnTo, referralCode, link: undefined })
      return new Redirect(url, cookie)
    })
  },

  startOauth: async (call) => {
    const { sessionId, body } = call
    const provider = providerOf(call)
    const userId = linkTarget(call)
    const link = userId !== undefined && sessionId !== undefined ? { userId, sessionId } : undefined
    const wish = { returnTo: body.return_to, referralCode: body.referral_code, link }
    return tellingPage(call, undefined, async () => {
      const { url, cookie } = await begin(call, provider, wish)
      return new Reply({ url }, cookie)
    })
  },

  finishOauth: async (call) => {
    const provider = providerOf(call)
    const { state, code, error } = call.query
    if (state === undefined) throw badRequest('state', 'is required')
    if (code === undefined && error === undefined) throw badRequest('code', 'is required')
    const stateHash = sha256(state)
    const journey = await takeJourney(call, stateHash)
    if (!journey) return explainMissing(call, stateHash)
    return tellingPage(call, journey.return_to, async () =>
      finish(call, await prove(call, provider, journey), journey),
    )
  },
}
