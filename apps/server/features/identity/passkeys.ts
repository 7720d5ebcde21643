import type { PasskeyCreation } from '@sallyport/contract/auth-shapes'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { session } from '@sallyport/contract/session'
import type { Language } from '@sallyport/domain/language'
import { recordEvent } from '../../core/account-events.ts'
import type { Call, Handlers } from '../../core/call.ts'
import { holdUser } from '../../core/users.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import { isUniqueViolation } from '../../db/driver.ts'
import { accountOf, canSignIn, deletePasskey, insertPasskey, listPasskeys } from './passkey-queries.ts'
import {
  algorithms,
  ceremonyTimeoutMs,
  endCeremony,
  type Registered,
  readAttestation,
  startCeremony,
  userHandleOf,
} from './webauthn.ts'

const maxPasskeys = 20

const refuseMore = (): ApiError =>
  conflict('', `an account has at most ${maxPasskeys} passkeys; delete one that is not used any more`)

const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')

const words = { ru: 'Ключ доступа', en: 'Passkey' }

const freeTitle = (taken: readonly string[], language: Language): string => {
  for (let number = 1; ; number++) {
    const title = `${words[language]} ${number}`
    if (!taken.includes(title)) return title
  }
}

const creationFor = async (call: Call<typeof session.startPasskey>): Promise<PasskeyCreation> => {
  const { db, userId } = call
  const [account, passkeys] = [await accountOf(db, userId), await listPasskeys(db, userId)]
  if (passkeys.length >= maxPasskeys) throw refuseMore()
  const { challenge, party } = await startCeremony(call)
  const name = account.email ?? `#${userId}`
  return {
    rp: { id: party.id, name: 'Sallyport' },
    user: { id: base64url(userHandleOf(account.uuid)), name, displayName: name },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: ceremonyTimeoutMs,
    attestation: 'none',
    excludeCredentials: passkeys.map(({ credential_id, transports }) => ({
      id: base64url(credential_id),
      type: 'public-key',
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
  }
}

const addPasskey = async (tx: Db, call: Call<typeof session.verifyPasskey>, registered: Registered) => {
  const { userId, body, language, now } = call
  await holdUser(tx, userId)
  const passkeys = await listPasskeys(tx, userId)
  if (passkeys.length >= maxPasskeys) throw refuseMore()
  const titles = passkeys.map(({ title }) => title)
  const title = body.title ?? freeTitle(titles, language)
  const transports = body.response.transports ?? []
  const passkey = await insertPasskey(tx, { userId, ...registered, transports, title, now })
  await recordEvent(tx, { userId, kind: 'passkey_added', details: { passkey_id: passkey.id }, now })
  return passkey
}

export const passkeyHandlers: Pick<
  Handlers<typeof session>,
  'listPasskeys' | 'startPasskey' | 'verifyPasskey' | 'deletePasskey'
> = {
  listPasskeys: ({ db, userId }) => listPasskeys(db, userId),

  startPasskey: creationFor,

  verifyPasskey: async (call) => {
    const ceremony = await endCeremony(call, call.body.response.clientDataJSON)
    const registered = ceremony && (await readAttestation(ceremony, call.body))
    if (!registered) {
      throw badRequest('', 'the passkey was not accepted; begin again with POST /profile/passkeys')
    }
    try {
      return await inTransaction(call.db, (tx) => addPasskey(tx, call, registered))
    } catch (error) {
      if (!isUniqueViolation(error, 'passkeys_credential_id_key')) throw error
      throw conflict('id', 'this passkey is registered already; make another one')
    }
  },

  deletePasskey: ({ db, userId, params, now }) =>
    inTransaction(db, async (tx): Promise<true> => {
      await holdUser(tx, userId)
      if (!(await deletePasskey(tx, userId, params.id))) throw new ApiError('NOT_FOUND')
      if (!(await canSignIn(tx, userId))) {
        throw conflict(
          'id',
          'is the last way to sign in to the account; add an e-mail or another passkey first',
        )
      }
      await recordEvent(tx, { userId, kind: 'passkey_deleted', details: { passkey_id: params.id }, now })
      return true
    }),
}
