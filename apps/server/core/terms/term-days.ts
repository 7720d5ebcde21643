import { conflict } from '@sallyport/contract/errors'
import type { Role } from '@sallyport/contract/operation'
import { daysText } from '@sallyport/domain/text/counted'
import { type Granting, secondsInDay } from '@sallyport/domain/time/period'
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { notify } from '../kernel/notifications.ts'
import type { GrantContext, Words } from '../sales/products.ts'
import { addDays, requireRenewable } from './extend-term.ts'
import { forgetReminders } from './reminders.ts'
import { subjectOf, type TermProduct } from './term-product.ts'
import { type Term, updateTerm } from './terms.ts'

/** Days that operators give to a term, or take. Each is kept, for an end is worked out again when an order is refunded. */

export interface DaysChange {
  /** Below zero they are taken. */
  readonly days: number
  readonly operatorId: number
  readonly role: Role
}

/** What all of support may give to a term within as many days. */
export const mostBySupport = 30

/** What was given and taken, as the orders of an item are: with the moment that each came. */
export const listGivenDays = async (db: Db, termId: number): Promise<Granting[]> => {
  const rows = await db
    .selectFrom('term_days')
    .select(['created_at', 'days', 'merged_at'])
    .where('term_id', '=', termId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ at: row.created_at, days: row.days, mergedAt: row.merged_at }))
}

/** Two items became one: what was given to the first is of the second now, as its orders are. */
export const reassignDays = async (
  tx: Db,
  moved: { readonly from: number; readonly to: number; readonly now: number },
): Promise<void> => {
  await tx
    .updateTable('term_days')
    .set({ term_id: moved.to, merged_at: moved.now })
    .where('term_id', '=', moved.from)
    .execute()
}

const requireSupportMay = async (tx: Db, term: Term, days: number, now: number): Promise<void> => {
  const { given } = await tx
    .selectFrom('term_days')
    .select(sql<number>`coalesce(sum(days), 0)::integer`.as('given'))
    .where('term_id', '=', term.id)
    .where('role', '=', 'support')
    .where('created_at', '>', now - mostBySupport * secondsInDay)
    .executeTakeFirstOrThrow()
  if (given + days <= mostBySupport) return
  const [most, so] = [daysText(mostBySupport, 'en'), daysText(given, 'en')]
  throw conflict(
    'days',
    `support gives at most ${most} to a term within ${most}, and has given ${so} already`,
  )
}

/** At most what is left: then it ends now, and does not renew itself. */
const takeDays = async (tx: Db, at: GrantContext, term: Term, days: number): Promise<number> => {
  const end = Math.max(at.now, term.expires_at - days * secondsInDay)
  await updateTerm(tx, term.id, {
    expires_at: end,
    renewal_tried_at: null,
    ...(end <= at.now && { stopped_at: null, auto_renewal: false, auto_renewal_days: null }),
  })
  await forgetReminders(tx, term)
  return end
}

const wordsOf = ({ words }: TermProduct, name: Words | undefined, days: number, isOver: boolean): Words => {
  const [ru, en] = [daysText(Math.abs(days), 'ru'), daysText(Math.abs(days), 'en')]
  const of = name ? `${words.genitive.ru} ${name.ru}` : words.genitive.ru
  const subject = subjectOf(words, name).en
  const it = `${subject.charAt(0).toLowerCase()}${subject.slice(1)}`
  if (days > 0) {
    return { ru: `Поддержка увеличила срок ${of} на ${ru}.`, en: `Support added ${en} to ${it}.` }
  }
  return isOver
    ? { ru: `Поддержка завершила срок ${of}.`, en: `Support ended ${it}.` }
    : { ru: `Поддержка сократила срок ${of} на ${ru}.`, en: `Support took ${en} from ${it}.` }
}

const keep = async (tx: Db, term: Term, change: DaysChange, now: number): Promise<number> => {
  const { operatorId: operator_id, role, days } = change
  const row = { term_id: term.id, operator_id, role, days, created_at: now }
  const { id } = await tx.insertInto('term_days').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/**
 * Returns the new end. What has ended comes back as by a renewal, and what has none left is switched off by the next round of expiry.
 * The customer is told. The caller locks the term.
 */
export const changeDays = async (
  tx: Db,
  at: GrantContext,
  product: TermProduct,
  locked: Term,
  change: DaysChange,
): Promise<number> => {
  const { days } = change
  const { now } = at
  const term = locked.state === 'active' ? locked : requireRenewable(product, locked, now)
  if (days < 0 && (term.state !== 'active' || term.expires_at <= now)) {
    throw conflict('id', 'has ended: there are no days to take')
  }
  if (change.role === 'support') await requireSupportMay(tx, term, days, now)
  const id = await keep(tx, term, change, now)
  const expiresAt =
    days > 0 ? await addDays(tx, at, product, term, days) : await takeDays(tx, at, term, -days)
  const name = (await product.namesOf(tx, [term])).get(term.id)?.short
  const told = wordsOf(product, name, days, expiresAt <= now)
  await notify(tx, { userId: term.user_id, cause: `term-days:${id}`, ...told, now })
  return expiresAt
}
