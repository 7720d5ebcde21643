import type { Db } from '../../db/client.ts'
import { day, type GuesserAt, hour, keyed, ofAddress, ofPair, takeFirst } from '../kernel/guesses.ts'
import { type Counter, type Guess, windowStart } from '../kernel/security-counters.ts'

/**
 * How many letters with a code are mailed. What concerns the asker may refuse it; what concerns the recipient never
 * does, because strangers would fill it to keep the owner out: it decides what kind of letter is sent.
 */

/** The last kind of letter is sent once in such a time, and its code lasts for two of them. */
export const slotSeconds = 300

const ofRecipient = (
  name: string,
  { addressKey, subject }: Pick<GuesserAt, 'addressKey' | 'subject'>,
  most: number,
  windowSeconds: number,
): Counter => ({ key: `letter:${name}:${keyed(addressKey, subject)}`, most, windowSeconds })

/** What a network asks for. */
export const letterGuess = (at: GuesserAt): Guess => ({
  now: at.now,
  counters: [
    ofPair('letter:pair', at, 10),
    ofPair('letter:pair-day', at, 30, day),
    ofAddress('letter', at, 200),
  ],
})

/** Letters that were asked for by a subscription key. When they are used up, the address itself still brings one. */
export const keyLetters = (at: GuesserAt): Guess => ({
  now: at.now,
  counters: [ofRecipient('by-key', at, 6, hour), ofRecipient('by-key-day', at, 12, day)],
})

/** Letters with digits, of which each may be guessed at: so few that three networks together cannot use them up. */
const digitsOfPair = (at: GuesserAt): Counter => ofPair('letter:pair-digits', at, 12, day)

const reserved = (at: GuesserAt): Guess => ({
  now: at.now,
  counters: [
    ofPair('letter:pair-first', at, 1),
    digitsOfPair(at),
    ofRecipient('reserve', at, 10, hour),
    ofRecipient('reserve-day', at, 24, day),
  ],
})

const shared = (at: GuesserAt): Guess => ({
  now: at.now,
  counters: [digitsOfPair(at), ofRecipient('to', at, 15, hour), ofRecipient('to-day', at, 20, day)],
})

/** A letter with the long code alone, which nobody guesses. */
export const letterSlot = (at: Pick<GuesserAt, 'addressKey' | 'subject' | 'now'>): Guess => ({
  now: at.now,
  counters: [ofRecipient('slot', at, 1, slotSeconds)],
})

/** Since when a letter surely lies in the mailbox of somebody who is sent none. */
export const slotStart = (now: number): number => windowStart({ windowSeconds: slotSeconds }, now)

export interface LetterLeave {
  readonly guess: Guess
  readonly hasDigits: boolean
}

/** Undefined when no letter is to be sent: the mailbox got one with a long code since the slot began. */
export const takeLetter = async (db: Db, at: GuesserAt): Promise<LetterLeave | undefined> => {
  const slot = letterSlot(at)
  const guess = await takeFirst(db, [reserved(at), shared(at), slot])
  return guess && { guess, hasDigits: guess !== slot }
}

/** Tries at digits from networks that did not ask for them. Strangers may use these up: the long code needs none. */
export const foreignGuess = (at: GuesserAt): Guess => ({
  now: at.now,
  counters: [ofRecipient('foreign', at, 10, hour), ofRecipient('foreign-day', at, 30, day)],
})
