import type { PasskeyCreation } from '@sallyport/contract/customer/auth-shapes'
import type { session } from '@sallyport/contract/customer/session'
import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { recordAndTell, recordEvent } from '../../../core/accounts/account-events.ts'
import { lockWithSession } from '../../../core/accounts/users.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { customerPasskeys } from '../../../core/kernel/passkeys/store.ts'
import {
  creationOf,
  endCeremony,
  freeTitle,
  mostPasskeys,
  type Registered,
  readAttestation,
  startCeremony,
} from '../../../core/kernel/passkeys/webauthn.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { keepWayIn } from '../common/last-way.ts'
import { accountOf } from './queries.ts'

const refuseMore = (): ApiError =>
  conflict('', `an account has at most ${mostPasskeys} passkeys; delete one that is not used any more`)

const creationFor = async (call: Call<typeof session.startPasskey>): Promise<PasskeyCreation> => {
  const { db, userId } = call
  const [account, passkeys] = [await accountOf(db, userId), await customerPasskeys.list(db, userId)]
  if (passkeys.length >= mostPasskeys) throw refuseMore()
  const ceremony = await startCeremony({ ...call, challenges: customerPasskeys.challengesOf(call) })
  return creationOf(ceremony, { uuid: account.uuid, name: account.email ?? `#${userId}`, passkeys })
}

const addPasskey = async (tx: Db, call: Call<typeof session.verifyPasskey>, registered: Registered) => {
  const { userId, sessionId, body, language, now } = call
  await lockWithSession(tx, userId, sessionId)
  const passkeys = await customerPasskeys.list(tx, userId)
  if (passkeys.length >= mostPasskeys) throw refuseMore()
  const title = body.title ?? freeTitle(passkeys, language)
  const transports = body.response.transports ?? []
  const passkey = await customerPasskeys.insert(tx, {
    ownerId: userId,
    ...registered,
    transports,
    title,
    now,
  })
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
  listPasskeys: ({ db, userId }) => customerPasskeys.list(db, userId),

  startPasskey: creationFor,

  verifyPasskey: async (call) => {
    const ceremony = await endCeremony(
      { ...call, challenges: customerPasskeys.challengesOf(call) },
      call.body.response.clientDataJSON,
    )
    const registered = ceremony && (await readAttestation(ceremony, call.body))
    if (!registered) {
      throw badRequest('', 'the passkey was not accepted; begin again with POST /profile/passkeys')
    }
    return inTransaction(call.db, (tx) => addPasskey(tx, call, registered))
  },

  deletePasskey: (call) =>
    inTransaction(call.db, async (tx): Promise<true> => {
      const { userId, sessionId, params, now } = call
      await lockWithSession(tx, userId, sessionId)
      if (!(await customerPasskeys.delete(tx, userId, params.id))) throw new ApiError('NOT_FOUND')
      await keepWayIn(tx, call)
      await recordEvent(tx, { userId, kind: 'passkey_deleted', details: { passkey_id: params.id }, now })
      return true
    }),
}
