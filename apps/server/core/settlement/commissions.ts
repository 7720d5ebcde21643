import { commissionOf } from '@sallyport/domain/money/referral'
import { secondsInDay } from '@sallyport/domain/time/period'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Job } from '../kernel/jobs.ts'
import { readSettings } from '../kernel/settings.ts'
import { lockBalance, transfer } from '../ledger/ledger.ts'

/** What referrers earn: held for a while, then theirs, taken back when the money it came from goes back. */

/** Few, because a referrer's refund or withdrawal waits as long as the batch that has their account. */
const releaseBatch = 20

export interface EarnedFrom {
  /** Who paid. */
  readonly userId: number
  readonly receiptId: number
  readonly orderId: number
  /** What came from outside, in roubles. */
  readonly valueRub: number
  readonly now: number
}

/**
 * Held, so that nothing is earned by an account that is being deleted, or emptied into another; nor from one that is
 * deleted, whose money waits to go back.
 */
const lockReferrer = async (tx: Db, userId: number): Promise<number | undefined> => {
  const referrer = await tx
    .selectFrom('users as u')
    .innerJoin('users as r', 'r.id', 'u.referrer_id')
    .select('r.id')
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .where('r.deleted_at', 'is', null)
    .forShare('r')
    .executeTakeFirst()
  return referrer?.id
}

/** The referrer's share of one receipt, once; nothing when nobody brought the customer. */
export const earnCommission = async (tx: Db, from: EarnedFrom): Promise<void> => {
  const referrerId = await lockReferrer(tx, from.userId)
  if (referrerId === undefined) return
  const { referral_percent: percent, referral_hold_days: holdDays } = await readSettings(tx)
  const amount = commissionOf(from.valueRub, percent)
  if (amount <= 0) return
  const earned = await tx
    .insertInto('commissions')
    .values({
      referrer_id: referrerId,
      referred_id: from.userId,
      receipt_id: from.receiptId,
      amount,
      state: 'held',
      release_at: from.now + holdDays * secondsInDay,
      created_at: from.now,
    })
    .onConflict((oc) => oc.column('receipt_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!earned) return
  await transfer(tx, {
    cause: `commission:${from.receiptId}:earn`,
    kind: 'commission',
    from: { kind: 'revenue' },
    to: { userId: referrerId, kind: 'referral_hold' },
    amount,
    orderId: from.orderId,
    now: from.now,
  })
}

/** Earnings whose hold has ended, by referrer: rival schedulers then take the same accounts in the same order. */
const takeDue = async (tx: Db, now: number) => {
  const due = await tx
    .selectFrom('commissions as c')
    .innerJoin('receipts as r', 'r.id', 'c.receipt_id')
    .select(['c.id', 'c.referrer_id', 'c.amount', 'r.order_id'])
    .where('c.state', '=', 'held')
    .where('c.release_at', '<=', now)
    .orderBy('c.release_at')
    .limit(releaseBatch)
    .forUpdate('c')
    .skipLocked()
    .execute()
  return due.sort((a, b) => a.referrer_id - b.referrer_id || a.id - b.id)
}

const releaseBatchOf = (db: Db, now: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    const due = await takeDue(tx, now)
    if (due.length === 0) return 0
    for (const { id, referrer_id: userId, amount, order_id: orderId } of due) {
      await transfer(tx, {
        cause: `commission:${id}:release`,
        kind: 'commission_release',
        from: { userId, kind: 'referral_hold' },
        to: { userId, kind: 'referral' },
        amount,
        orderId,
        now,
      })
    }
    const ids = due.map((row) => row.id)
    const released = { state: 'released', released_at: now } as const
    await tx.updateTable('commissions').set(released).where('id', 'in', ids).execute()
    return due.length
  })

/** Gives referrers what was held long enough; any number of schedulers may run it. Returns how many. */
export const releaseCommissions = async (db: Db, now: number): Promise<number> => {
  let total = 0
  for (;;) {
    const done = await releaseBatchOf(db, now)
    total += done
    if (done < releaseBatch) return total
  }
}

/**
 * Takes back what was earned from a receipt that is refunded. What the referrer has spent or withdrawn since is
 * the service's loss: nobody is left owing.
 */
export const reverseCommission = async (
  tx: Db,
  { receiptId, now }: { readonly receiptId: number; readonly now: number },
): Promise<void> => {
  const earned = await tx
    .selectFrom('commissions as c')
    .innerJoin('receipts as r', 'r.id', 'c.receipt_id')
    .select(['c.id', 'c.referrer_id', 'c.amount', 'c.state', 'r.order_id'])
    .where('c.receipt_id', '=', receiptId)
    .forUpdate('c')
    .executeTakeFirst()
  if (!earned || earned.state === 'reversed') return
  const { id, referrer_id: userId, amount, order_id: orderId } = earned
  const kind = earned.state === 'held' ? 'referral_hold' : 'referral'
  const taken = kind === 'referral_hold' ? amount : Math.min(amount, await lockBalance(tx, userId, kind))
  if (taken > 0) {
    await transfer(tx, {
      cause: `commission:${id}:reverse`,
      kind: 'commission_reversal',
      from: { userId, kind },
      to: { kind: 'revenue' },
      amount: taken,
      orderId,
      now,
    })
  }
  const reversed = { state: 'reversed', reversed_at: now } as const
  await tx.updateTable('commissions').set(reversed).where('id', '=', id).execute()
}

export const releaseCommissionsJob: Job<{ readonly db: Db }> = {
  name: 'release commissions',
  everySeconds: 60,
  run: ({ db }, now) => releaseCommissions(db, now),
}
