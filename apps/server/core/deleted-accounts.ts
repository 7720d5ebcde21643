import type { Db } from '../db/client.ts'
import { raiseAlert } from './alerts.ts'
import { isDeleted } from './users.ts'

/** Money that came for an account that is gone: it is on a balance nobody can spend, so a person is told. */
export const tellIfDeleted = async (
  tx: Db,
  credit: {
    readonly userId: number
    readonly orderId: number
    /** What is credited, once. */
    readonly subject: string
    readonly valueRub: number
    readonly now: number
  },
): Promise<void> => {
  const { userId, orderId, subject, valueRub, now } = credit
  if (!(await isDeleted(tx, userId))) return
  const details = { user_id: userId, order_id: orderId, value_rub: valueRub }
  await raiseAlert(tx, { kind: 'paid_after_deletion', subject, details, now })
}
