import type { Role } from '@sallyport/contract/operation'
import { alertLetter, type LetterAlert } from '@sallyport/domain/text/alert-letter'
import { fleetAlertKinds } from '@sallyport/domain/text/alert-words'
import { sql } from 'kysely'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Mailer } from '../../ports/mail.ts'
import type { Job, Kick } from '../kernel/jobs.ts'
import { letGo, type PostedLetter, postLetter } from '../kernel/mail.ts'
import type { Vault } from '../kernel/vault.ts'

/** New alerts go to operators who want them: one letter about all of them, and the next one not before a while has passed. */

const betweenSeconds = 600
const mostAtOnce = 500
const keepSeconds = 86_400

interface Parts {
  readonly db: Db
  readonly vault: Vault
  readonly mailer: Mailer
  readonly clock: Clock
  readonly log: Log
  readonly publicUrl: () => string
  readonly kick: Kick
  readonly stopping: AbortSignal
}

interface AlertRow extends LetterAlert {
  readonly id: number
  readonly is_by_itself: boolean
}

/** True for one instance at a time, when it is time. */
const takeTurn = async (tx: Db, now: number): Promise<boolean> => {
  const { rows } = await sql`
    select from alert_letters where posted_at <= ${now - betweenSeconds}::bigint for update skip locked`.execute(
    tx,
  )
  return rows.length > 0
}

interface Recipient {
  readonly role: Role
  readonly email: string
}

const listRecipients = async (tx: Db): Promise<Recipient[]> => {
  const rows = await tx
    .selectFrom('operators')
    .select(['role', 'email'])
    .where('revoked_at', 'is', null)
    .where('email', 'is not', null)
    .where('wants_alerts', '=', true)
    .orderBy('id')
    .execute()
  return rows.map(({ role, email }) => ({ role, email: email as string }))
}

const listOpened = async (tx: Db, recipients: readonly Recipient[]): Promise<AlertRow[]> => {
  // Those that nobody is told of stay new, for whoever comes to want them.
  const isWanted = recipients.every(({ role }) => role === 'technician')
    ? sql`kind = any(${[...fleetAlertKinds]}::text[])`
    : sql`true`
  const { rows } = await sql<AlertRow>`
    select id, kind, subject, details, false as is_by_itself from alerts
    where mailed_at is null and resolved_at is null and ${isWanted} order by id limit ${mostAtOnce}`.execute(
    tx,
  )
  return rows
}

/** Of which a letter has spoken. */
const listEnded = async (tx: Db): Promise<AlertRow[]> => {
  const { rows } = await sql<AlertRow>`
    select id, kind, subject, details, resolved_by is null as is_by_itself from alerts
    where mailed_at is not null and resolved_at is not null and end_mailed_at is null
    order by id limit ${mostAtOnce}`.execute(tx)
  return rows
}

const countOpen = async (tx: Db): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await sql<{ kind: string; count: number }>`
    select kind, count(*)::integer as count from alerts where resolved_at is null group by kind`.execute(tx)
  return new Map(rows.map(({ kind, count }) => [kind, count]))
}

/** Who looks after machines alone is told of these alone. */
const isFor =
  (role: Role) =>
  ({ kind }: { readonly kind: string }): boolean =>
    role !== 'technician' || (fleetAlertKinds as readonly string[]).includes(kind)

const noteMailed = async (
  tx: Db,
  column: 'mailed_at' | 'end_mailed_at',
  alerts: readonly AlertRow[],
  now: number,
): Promise<void> => {
  const ids = alerts.map(({ id }) => id)
  await sql`update alerts set ${sql.ref(column)} = ${now}::bigint where id = any(${ids}::bigint[])`.execute(
    tx,
  )
}

const postLetters = async (tx: Db, at: Parts, now: number): Promise<PostedLetter[]> => {
  if (!(await takeTurn(tx, now))) return []
  const recipients = await listRecipients(tx)
  const [opened, ended] = [await listOpened(tx, recipients), await listEnded(tx)]
  // An end is no news for those who come later: they were not told of the beginning.
  await noteMailed(tx, 'end_mailed_at', ended, now)
  const open = await countOpen(tx)
  const posted: PostedLetter[] = []
  for (const { role, email } of recipients) {
    const news = {
      opened: opened.filter(isFor(role)),
      ended: ended.filter((alert) => alert.is_by_itself && isFor(role)(alert)),
      openCount: [...open].reduce((sum, [kind, count]) => (isFor(role)({ kind }) ? sum + count : sum), 0),
      url: at.publicUrl(),
    }
    if (news.opened.length === 0 && news.ended.length === 0) continue
    const letter = { to: email, ...alertLetter(news) }
    const expiresAt = now + keepSeconds
    posted.push(await postLetter(tx, at.vault, { letter, now, expiresAt }))
  }
  if (posted.length === 0) return []
  await noteMailed(tx, 'mailed_at', opened, now)
  await tx.updateTable('alert_letters').set({ posted_at: now }).execute()
  return posted
}

export const sendAlertLetters = async (at: Parts, now: number): Promise<void> => {
  for (const letter of await inTransaction(at.db, (tx) => postLetters(tx, at, now))) await letGo(at, letter)
}

export const sendAlertLettersJob: Job<Parts> = {
  name: 'send letters about alerts',
  everySeconds: 60,
  run: sendAlertLetters,
}
