import { ApiError, type ErrorName } from '@sallyport/contract/errors'
import type { GuessKind, Operation } from '@sallyport/contract/operation'
import type { Call, Services } from '../core/call.ts'
import { countingGuess, guesserOf, promocodeGuess, transferGuess } from '../core/kernel/guesses.ts'
import type { Actor } from './actor.ts'

/** Attempts at what an operation's body may name. */

interface Guessed {
  readonly isTried: (body: unknown) => boolean
  readonly guessOf: typeof promocodeGuess
  /** What failed for another reason says nothing about what was tried. */
  readonly wrong: ErrorName
}

const guessed: Readonly<Record<GuessKind, Guessed>> = {
  promocode: {
    isTried: (body) => (body as { promocode?: string } | undefined)?.promocode !== undefined,
    guessOf: promocodeGuess,
    wrong: 'PROMOCODE_INVALID',
  },
  transfer_key: { isTried: () => true, guessOf: transferGuess, wrong: 'TRANSFER_KEY_INVALID' },
}

type Counted = <T>(call: Call<Operation>, actor: Actor | undefined, work: () => Promise<T>) => Promise<T>

const uncounted: Counted = (_call, _actor, work) => work()

/** Runs work as an attempt, where the row says that there is something to guess. */
export const guessing = ({ guesses }: Operation, { db }: Services): Counted => {
  if (!guesses) return uncounted
  const { isTried, guessOf, wrong } = guessed[guesses]
  const isWrong = (error: unknown) => error instanceof ApiError && error.code === wrong
  return (call, actor, work) => {
    if (!isTried(call.body)) return work()
    return countingGuess(db, guessOf({ ...guesserOf(call), userId: actor?.id ?? 0 }), isWrong, work)
  }
}
