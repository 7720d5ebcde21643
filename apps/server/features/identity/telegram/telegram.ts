import type { auth } from '@sallyport/contract/customer/auth'
import { ApiError } from '@sallyport/contract/errors'
import {
  isFresh,
  isSignedFor,
  lastSecondOf,
  personIn,
  readInitData,
  readWidget,
  type TelegramData,
  type TelegramPerson,
} from '@sallyport/domain/identity/telegram-data'
import { signIn, signInFailed } from '../../../core/accounts/sign-in.ts'
import type { Call, Handlers } from '../../../core/call.ts'
import { guesserOf, requireGuess, signInGuess } from '../../../core/kernel/guesses.ts'
import { sha256 } from '../../../core/kernel/vault.ts'
import type { Db } from '../../../db/client.ts'
import { linkTarget } from '../common/link-target.ts'
import { stillReferrer } from '../common/referrers.ts'
import { originOf, signedInFrom } from '../common/session-origin.ts'
import { spendProof } from './queries.ts'

type TelegramCall = Call<(typeof auth)['signInWithTelegram']>

/** What the caller gave: a Mini App hands over one text, the widget several fields. */
const fieldOf = ({ body }: TelegramCall, ofWidget: 'id' | 'hash' | 'auth_date') =>
  'init_data' in body ? 'init_data' : ofWidget

/** Only wrong data counts, so that nobody is kept out by strangers who claim to be them. */
const refuseForged = async (call: TelegramCall, claimed: TelegramPerson | undefined): Promise<never> => {
  const subject = `telegram:${claimed?.id ?? 'nobody'}`
  await requireGuess(call.db, signInGuess({ ...guesserOf(call), subject }))
  throw signInFailed(fieldOf(call, 'hash'), 'was not made by Telegram for this service; sign in again')
}

const tooOld = (call: TelegramCall): ApiError =>
  signInFailed(fieldOf(call, 'auth_date'), 'is too old, or in the future; sign in again')

const believe = async (call: TelegramCall, botToken: string, data: TelegramData | undefined) => {
  const person = data && personIn(data)
  if (!data || !isSignedFor(botToken, data)) return refuseForged(call, person)
  if (!person || person.isBot) {
    throw signInFailed(fieldOf(call, 'id'), 'names no person; open the app from a chat')
  }
  if (!isFresh(data.source, person.signedAt, call.now)) throw tooOld(call)
  return { data, person }
}

/** A Mini App is opened again and again with the same data; what the widget gives passes through a browser once. */
const spendOf =
  ({ source, hash }: TelegramData, { signedAt }: TelegramPerson) =>
  async (tx: Db): Promise<void> => {
    if (source === 'mini_app') return
    const isFirst = await spendProof(tx, sha256(`telegram:${hash}`), lastSecondOf(source, signedAt))
    if (!isFirst) throw signInFailed('hash', 'was used already; sign in again')
  }

export const telegramHandlers: Pick<Handlers<typeof auth>, 'signInWithTelegram'> = {
  signInWithTelegram: async (call) => {
    const { db, telegram, body, now } = call
    if (!telegram) throw new ApiError('NOT_FOUND')
    const linkTo = linkTarget(call)
    const given = 'init_data' in body ? readInitData(body.init_data) : readWidget(body)
    const { data, person } = await believe(call, telegram.botToken, given)
    const origin = originOf(call, body.link)
    const signedIn = await signIn(call, {
      proof: {
        method: 'telegram',
        email: null,
        identity: { provider: 'telegram', subject: String(person.id), title: 'Telegram' },
      },
      referralCode: body.referral_code ?? (await stillReferrer(db, person.startParam ?? null)),
      linkTo,
      origin,
      spend: spendOf(data, person),
      outlast: (signedOutAt) => {
        if (person.signedAt <= signedOutAt) throw tooOld(call)
      },
      now,
    })
    return signedInFrom(call, origin, signedIn)
  },
}
