import type { AuditRule, Operation } from '@sallyport/contract/operation'
import type { Call } from '../core/call.ts'
import { type AuditNote, type Change, insertAudit } from '../core/kernel/audit.ts'
import { inTransaction } from '../db/client.ts'

/** What changes, as the log names it; what there is one of has no id. */
const subjectNamer = ({ path }: Operation, { subject }: AuditRule) => {
  const parameter = /:(\w+)/.exec(path)?.[1]
  return (params: unknown, { id: made }: AuditNote): string => {
    const id = made ?? (parameter && (params as Record<string, unknown>)[parameter])
    return id === undefined ? subject : `${subject}:${id}`
  }
}

/** Runs an operator's change and writes its entry with it: both are done, or neither. */
export const auditing = (name: string, row: Operation, rule: AuditRule) => {
  const subjectOf = subjectNamer(row, rule)
  const { action = name } = rule
  return (call: Call<Operation>, change: Change<unknown>): Promise<unknown> =>
    inTransaction(call.db, async (tx) => {
      const { data, note } = await change(tx)
      if (note) {
        const { operatorId } = call as unknown as { readonly operatorId: number }
        const subject = subjectOf(call.params, note)
        await insertAudit(tx, { operatorId, action, subject, note, now: call.now })
      }
      return data
    })
}
