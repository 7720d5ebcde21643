import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { type Letter, LetterRefused, type Mailer } from '../../ports/mail.ts'
import { takeDue } from './due-rows.ts'
import type { Job, Kick } from './jobs.ts'
import type { Vault } from './vault.ts'

/** Letters are posted with what they tell about and sent after it is committed; sealed, for they may hold codes. */

const sealContext = 'mails.letter'
const batchSize = 5
/** Longer than sending one takes: until then nobody else tries. */
const leaseSeconds = 60

interface Sender {
  readonly db: Db
  readonly vault: Vault
  readonly mailer: Mailer
  readonly clock: Clock
  readonly log: Log
  readonly stopping: AbortSignal
}

const columns = ['id', 'letter_sealed', 'attempts'] as const

export interface PostedLetter {
  readonly id: number
  readonly letter_sealed: Uint8Array
  readonly attempts: number
}

export interface NewLetter {
  readonly letter: Letter
  /** What it is about, when it takes the place of earlier letters about the same that were not sent yet. */
  readonly subject?: string
  readonly now: number
  readonly expiresAt: number
}

/** Of two at once about the same subject, the caller's transactions let one wait for the other. */
const replaceLetters = async (tx: Db, subjectHash: Buffer): Promise<void> => {
  await tx.deleteFrom('mails').where('subject_hash', '=', subjectHash).execute()
}

const insertLetter = async (
  tx: Db,
  vault: Vault,
  { letter, subject, now, expiresAt }: NewLetter,
  nextTryAt: number,
): Promise<PostedLetter> => {
  const subjectHash =
    subject === undefined ? null : createHmac('sha256', vault.subkey('letters')).update(subject).digest()
  if (subjectHash) await replaceLetters(tx, subjectHash)
  return tx
    .insertInto('mails')
    .values({
      letter_sealed: vault.seal(JSON.stringify(letter), sealContext),
      subject_hash: subjectHash,
      next_try_at: nextTryAt,
      expires_at: expiresAt,
      created_at: now,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Within the transaction. It is kept for its poster, who lets it go after the commit. */
export const postLetter = (tx: Db, vault: Vault, letter: NewLetter): Promise<PostedLetter> =>
  insertLetter(tx, vault, letter, letter.now + leaseSeconds)

/** Takes letters that are due and of use, for as long as the lease: whoever dies meanwhile leaves them to others. */
const takeDueLetters = (db: Db, now: number): Promise<PostedLetter[]> => {
  const due = { table: 'mails', column: 'next_try_at', where: sql`expires_at > ${now}` } as const
  return takeDue(db, { ...due, countsAttempts: true, leaseSeconds, limit: batchSize, now }, columns)
}

/** Unless somebody else has taken it since. */
const tryAgainAt = async (db: Db, { id, attempts }: PostedLetter, time: number): Promise<void> => {
  await db
    .updateTable('mails')
    .set({ next_try_at: time })
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
}

const deleteLetter = async (db: Db, id: number): Promise<void> => {
  await db.deleteFrom('mails').where('id', '=', id).execute()
}

const waitSeconds = (attempts: number): number => Math.min(300, 5 * 2 ** Math.min(attempts, 10))

/** False when it has to be tried again. A process killed between sending and deleting sends a letter twice, never none. */
const send = async ({ db, vault, mailer, clock, log }: Sender, row: PostedLetter): Promise<boolean> => {
  try {
    await mailer.send(JSON.parse(vault.open(row.letter_sealed, sealContext)) as Letter)
  } catch (error) {
    if (!(error instanceof LetterRefused)) {
      log.warn({ err: error, mailId: row.id }, 'a letter was not sent; it is tried again')
      await tryAgainAt(db, row, clock.now() + waitSeconds(row.attempts))
      return false
    }
    log.warn({ err: error, mailId: row.id }, 'a letter cannot be delivered and is given up')
  }
  await deleteLetter(db, row.id)
  return true
}

/** When a whole batch fails it is the mail server's fault, and the others wait for the next round. */
export const sendLetters = async (at: Sender): Promise<void> => {
  while (!at.stopping.aborted) {
    const letters = await takeDueLetters(at.db, at.clock.now())
    const outcomes = await Promise.all(letters.map((letter) => send(at, letter)))
    if (letters.length < batchSize || !outcomes.includes(true)) return
  }
}

export const sendLettersJob: Job<Sender> = { name: 'send letters', everySeconds: 5, run: sendLetters }

/** Within the transaction; the job sends it right after the commit, and nobody waits for that. */
export const postToJob = async (
  tx: Db,
  { vault, kick }: { readonly vault: Vault; readonly kick: Kick },
  letter: NewLetter,
): Promise<void> => {
  await insertLetter(tx, vault, letter, letter.now)
  kick(sendLettersJob)
}

/** After the commit. Waits for a mailer that is quick; a mail server is left to the job. */
export const letGo = async (
  services: Sender & { readonly kick: Kick },
  letter: PostedLetter | undefined,
): Promise<void> => {
  if (!letter) return
  if (services.mailer.isImmediate) await send(services, letter)
  else {
    await tryAgainAt(services.db, letter, services.clock.now())
    services.kick(sendLettersJob)
  }
}

export const forgetLetters = async (db: Db, now: number): Promise<void> => {
  await db.deleteFrom('mails').where('expires_at', '<=', now).execute()
}
