import type { PasskeyCreation } from '@sallyport/contract/customer/auth-shapes'
import type { session } from '@sallyport/contract/customer/session'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { Language } from '@sallyport/domain/text/language'
import { recordAndTell, recordEvent } from '../../../core/accounts/account-events.ts'
import { lockWithSession } from '../../../core/accounts/users.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { isUniqueViolation } from '../../../db/driver.ts'
import { keepWayIn } from '../common/last-way.ts'
import { accountOf, deletePasskey, insertPasskey, listPasskeys } from './queries.ts'
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
  const { userId, sessionId, body, language, now } = call
  await lockWithSession(tx, userId, sessionId)
  const passkeys = await listPasskeys(tx, userId)
  if (passkeys.length >= maxPasskeys) throw refuseMore()
  const titles = passkeys.map(({ title }) => title)
  const title = body.title ?? freeTitle(titles, language)
  const transports = body.response.transports ?? []
  const passkey = await insertPasskey(tx, { userId, ...registered, transports, title, now })
  await recordAndTell(
    tx,
    { userId, kind: 'passkey_added', details: { passkey_id: passkey.id }, now },
    {
      ru: `К вашему аккаунту добавлен ключ доступа «${title}». Если это были не вы, удалите его и завершите все сеансы.`,
      en: `The passkey “${title}” was added to your account. If it was not you, delete it and end all sessions.`,
    },
  )
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

  deletePasskey: (call) =>
    inTransaction(call.db, async (tx): Promise<true> => {
      const { userId, sessionId, params, now } = call
      await lockWithSession(tx, userId, sessionId)
      if (!(await deletePasskey(tx, userId, params.id))) throw new ApiError('NOT_FOUND')
      await keepWayIn(tx, call)
      await recordEvent(tx, { userId, kind: 'passkey_deleted', details: { passkey_id: params.id }, now })
      return true
    }),
}
