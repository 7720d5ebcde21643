import { createHmac } from 'node:crypto'
import type { session } from '@sallyport/contract/customer/session'
import { ApiError, conflict } from '@sallyport/contract/errors'
import { ofEachProduct, productClasses } from '@sallyport/contract/product-types'
import { products } from '@sallyport/contract/products'
import { networkKey } from '@sallyport/domain/identity/ip-key'
import { roublesText } from '@sallyport/domain/text/counted'
import type { Language } from '@sallyport/domain/text/language'
import { recordEvent } from '../../core/accounts/account-events.ts'
import {
  issueBareCode,
  type RightCode,
  readBareCode,
  spendCode,
  tryCode,
} from '../../core/accounts/one-time-codes.ts'
import { lockUsers, lockWithSession } from '../../core/accounts/users.ts'
import type { Call, Handlers } from '../../core/call.ts'
import { type AccountMove, findMoved, type Moved, moveEverything } from '../../core/closing/account-move.ts'
import { notify } from '../../core/kernel/notifications.ts'
import { hasAccesses } from '../../core/vpn/access/reads.ts'
import { type Db, inTransaction } from '../../db/client.ts'

const keyTtlSeconds = 15 * 60

type ActivateCall = Call<typeof session.activateTransferKey>

/** The same for every reason, so that an answer tells a guesser nothing. */
const invalid = (): ApiError =>
  new ApiError('TRANSFER_KEY_INVALID', [
    { path: 'key', problem: 'is unknown, used or too old; make a new one on the other account' },
  ])

const isWrongKey = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'TRANSFER_KEY_INVALID'

const readKey = async (call: ActivateCall): Promise<RightCode & { userId: number }> => {
  const { db, vault, body, ip, now } = call
  const given = readBareCode(body.key)
  const right = given && (await tryCode(db, vault, { kind: 'transfer', ...given, from: networkKey(ip), now }))
  if (!right || right.userId === null) throw invalid()
  return { ...right, userId: right.userId }
}

const requireBoth = async (tx: Db, { fromId, toId }: AccountMove): Promise<void> => {
  const locked = await lockUsers(tx, [fromId, toId])
  if (!locked.some(({ id }) => id === toId)) throw new ApiError('UNAUTHORIZED')
  if (locked.length < 2) throw invalid()
  if (locked.some((user) => user.is_blocked)) {
    throw conflict('key', 'one of the accounts is blocked; write to support')
  }
}

/** Credentials go along, so that nothing has to be set up again; whoever had them before may still know them. */
const renewal = {
  ru: ' Ключи подключения прежние, и всё, что подключено, продолжит работать. Если их может знать кто-то ещё, замените все сразу в настройках кабинета (в API — POST /v1/profile/resetCredentials).',
  en: ' The connection keys are the same, and whatever is connected keeps working. If someone else may know them, replace all of them in the settings of your account (in the API: POST /v1/profile/resetCredentials).',
}

const countedIn = (moved: Moved, language: Language): string =>
  productClasses.map((product) => `${products[product].counted[language]}: ${moved[product]}`).join(', ')

const tellBoth = async (tx: Db, move: AccountMove, moved: Moved): Promise<void> => {
  const { fromId, toId, cause, now } = move
  const canRenew = await hasAccesses(tx, toId)
  const { promocodes, balance, referral_balance: referral } = moved
  const ru = `${countedIn(moved, 'ru')}, подарков: ${promocodes}, баланс: ${roublesText(balance, 'ru')}, заработок с друзей: ${roublesText(referral, 'ru')}`
  const en = `${countedIn(moved, 'en')}, gifts: ${promocodes}, balance: ${roublesText(balance, 'en')}, earnings from friends: ${roublesText(referral, 'en')}`
  await notify(tx, {
    userId: fromId,
    cause: `${cause}:out`,
    ru: `Всё из этого аккаунта перенесено в аккаунт № ${toId} (${ru}).`,
    en: `Everything in this account was moved to account ${toId} (${en}).`,
    now,
  })
  await notify(tx, {
    userId: toId,
    cause: `${cause}:in`,
    ru: `Из аккаунта № ${fromId} перенесено: ${ru}.${canRenew ? renewal.ru : ''}`,
    en: `Moved here from account ${fromId}: ${en}.${canRenew ? renewal.en : ''}`,
    now,
  })
}

/** What is kept of a key once it is used. */
const keyHashOf = ({ vault, body }: ActivateCall): string => {
  const { subject = '', code = '' } = readBareCode(body.key) ?? {}
  return createHmac('sha256', vault.subkey('transfer-keys'))
    .update(subject + code)
    .digest('hex')
}

const recordBoth = async (tx: Db, move: AccountMove, moved: Moved, keyHash: string): Promise<void> => {
  const { fromId, toId, now } = move
  const out = { to_user_id: toId, ...moved }
  await recordEvent(tx, { userId: fromId, kind: 'transferred_out', details: out, now })
  const into = { from_user_id: fromId, key_hash: keyHash, ...moved }
  await recordEvent(tx, { userId: toId, kind: 'transferred_in', details: into, now })
}

const answerOf = (moved: Moved): Moved => ({
  ...ofEachProduct((product) => moved[product]),
  promocodes: moved.promocodes,
  balance: moved.balance,
  referral_balance: moved.referral_balance,
})

const moveByKey = async (call: ActivateCall): Promise<Moved> => {
  const key = await readKey(call)
  if (key.userId === call.userId) {
    throw conflict('key', 'was made on this account; use it on the account that is to receive everything')
  }
  const cause = `transfer:${key.codeHash.toString('hex')}`
  const move = { fromId: key.userId, toId: call.userId, cause, now: call.now }
  return inTransaction(call.db, async (tx) => {
    await requireBoth(tx, move)
    if (!(await spendCode(tx, key))) throw invalid()
    const moved = await moveEverything(tx, call, move)
    await recordBoth(tx, move, moved, keyHashOf(call))
    await tellBoth(tx, move, moved)
    return moved
  })
}

/** Whoever did not hear the answer may ask again, and gets it again. */
const activate = async (call: ActivateCall): Promise<Moved> => {
  try {
    return answerOf(await moveByKey(call))
  } catch (error) {
    const before = isWrongKey(error) && (await findMoved(call.db, call.userId, keyHashOf(call)))
    if (!before) throw error
    return answerOf(before)
  }
}

export const transferHandlers: Pick<Handlers<typeof session>, 'createTransferKey' | 'activateTransferKey'> = {
  createTransferKey: ({ db, vault, userId, sessionId, now }) =>
    inTransaction(db, async (tx) => {
      await lockWithSession(tx, userId, sessionId)
      const wanted = { kind: 'transfer', userId, sessionId, ttlSeconds: keyTtlSeconds, now } as const
      const { code, expiresAt } = await issueBareCode(tx, vault, wanted)
      return { key: code, expires_at: expiresAt }
    }),

  activateTransferKey: activate,
}
