import type { AuditRule, Operation } from '@sallyport/contract/operation'
import { canonicalJson } from '@sallyport/domain/text/canonical-json'
import type { Call } from '../core/call.ts'
import { type Audited, type AuditNote, type Change, insertAudit } from '../core/kernel/audit.ts'
import { inTransaction } from '../db/client.ts'

type Fields = Readonly<Record<string, unknown>>

/** What changes, as the log names it; what there is one of has no id. */
const subjectNamer = ({ path }: Operation, { subject }: AuditRule) => {
  const parameter = /:(\w+)/.exec(path)?.[1]
  return (params: unknown, { id: made }: AuditNote): string => {
    const id = made ?? (parameter && (params as Fields)[parameter])
    return id === undefined ? subject : `${subject}:${id}`
  }
}

const isSame = (one: unknown, other: unknown): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null)

const without = (fields: Fields | null | undefined, left: ReadonlySet<string>): Fields | null | undefined =>
  fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !left.has(name)))

/**
 * Of what was and what is now: that which differs. What is hidden is only named. Of something that was made or is gone
 * there is one side alone.
 */
export const differenceOf = (
  note: Pick<AuditNote, 'before' | 'after'>,
  hidden: readonly string[] = [],
): Fields => {
  const [before, after] = [note.before, note.after] as (Fields | null | undefined)[]
  if (!before && !after) return {}
  const names = Object.keys({ ...before, ...after })
  const same = before && after ? names.filter((name) => isSame(before[name], after[name])) : []
  const changed = hidden.filter((name) => names.includes(name) && !same.includes(name))
  const left = new Set([...same, ...hidden, ...(before && after ? ['version'] : [])])
  return {
    before: without(before, left),
    after: without(after, left),
    ...(changed.length > 0 && { changed }),
  }
}

const reasonIn = (body: unknown): Fields => {
  const { reason } = (body ?? {}) as { readonly reason?: unknown }
  return typeof reason === 'string' ? { reason } : {}
}

/**
 * Runs an operator's change and writes its entry with it: both are done, or neither. A write that finds everything as it
 * should be is a write too: its entry has nothing before and nothing after. Who only looked leaves none.
 */
export const auditing = (action: string, row: Operation, rule: AuditRule) => {
  const subjectOf = subjectNamer(row, rule)
  return (call: Call<Operation>, change: Change<unknown>): Promise<Audited<unknown>> =>
    inTransaction(call.db, async (tx) => {
      const made = await change(tx)
      const { note } = made
      if (note) {
        const { operatorId } = call as unknown as { readonly operatorId: number }
        const subject = subjectOf(call.params, note)
        const details = { ...note.details, ...differenceOf(note, rule.hidden), ...reasonIn(call.body) }
        await insertAudit(tx, { operatorId, action, subject, details, now: call.now })
      }
      return made
    })
}
