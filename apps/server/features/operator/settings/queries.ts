import type { Db } from '../../../db/client.ts'

interface Page {
  readonly limit: number
  readonly before?: number | undefined
}

interface AlertFilter extends Page {
  readonly isOpen?: boolean | undefined
  readonly isTaken?: boolean | undefined
  readonly takenBy?: number | undefined
  /** Only these. */
  readonly kinds: readonly string[] | undefined
}

export const listAlerts = (db: Db, page: AlertFilter) => {
  const { before, isOpen, isTaken, takenBy, kinds } = page
  return db
    .selectFrom('alerts as a')
    .leftJoin('operators as o', 'o.id', 'a.taken_by')
    .select([
      'a.id',
      'a.kind',
      'a.subject',
      'a.details',
      'a.created_at',
      'a.resolved_at',
      'a.resolved_by',
      'a.taken_by',
      'o.name as taken_by_name',
    ])
    .$if(before !== undefined, (query) => query.where('a.id', '<', before as number))
    .$if(isTaken !== undefined, (query) => query.where('a.taken_by', isTaken ? 'is not' : 'is', null))
    .$if(takenBy !== undefined, (query) => query.where('a.taken_by', '=', takenBy as number))
    .$if(kinds !== undefined, (query) => query.where('a.kind', 'in', kinds as readonly string[]))
    .$if(isOpen !== undefined, (query) => query.where('a.resolved_at', isOpen ? 'is' : 'is not', null))
    .orderBy('a.id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Of those kinds, open or not. */
export const alertExists = async (
  db: Db,
  id: number,
  kinds: readonly string[] | undefined,
): Promise<boolean> => {
  const found = await db
    .selectFrom('alerts')
    .select('id')
    .where('id', '=', id)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds as readonly string[]))
    .executeTakeFirst()
  return found !== undefined
}

export const lockAlert = (tx: Db, id: number, kinds: readonly string[] | undefined) =>
  tx
    .selectFrom('alerts')
    .select(['taken_by', 'resolved_at'])
    .where('id', '=', id)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', kinds as readonly string[]))
    .forUpdate()
    .executeTakeFirst()

export const noteTaken = async (tx: Db, id: number, takenBy: number | null): Promise<void> => {
  await tx.updateTable('alerts').set({ taken_by: takenBy }).where('id', '=', id).execute()
}

/** Undefined when there is no such alert, or it was resolved before. */
export const resolveAlert = (
  tx: Db,
  id: number,
  by: {
    readonly operatorId: number
    readonly kinds: readonly string[] | undefined
    readonly now: number
  },
) =>
  tx
    .updateTable('alerts')
    .set({ resolved_at: by.now, resolved_by: by.operatorId })
    .where('id', '=', id)
    .$if(by.kinds !== undefined, (query) => query.where('kind', 'in', by.kinds as readonly string[]))
    .where('resolved_at', 'is', null)
    .returning(['kind', 'subject'])
    .executeTakeFirst()

/** What entries of before are called now. The log itself stays as it was written. */
const formerActions: Readonly<Record<string, string>> = {
  'option.create': 'createOption',
  'option.change': 'changeOption',
  'option.subscription': 'changeUserOption',
  'cloud.create': 'createCloud',
  'cloud.change': 'changeCloud',
  'cloud_configuration.create': 'createCloudConfiguration',
  'cloud_configuration.change': 'changeCloudConfiguration',
  'cloud_server.address': 'setMachineAddress',
  'cloud_server.retry': 'retryMachine',
}

/** All that an action was ever called. */
const namesOf = (action: string): string[] => [
  action,
  ...Object.keys(formerActions).filter((former) => formerActions[former] === action),
]

export interface AuditFilter extends Page {
  readonly action?: string | undefined
  readonly subject?: string | undefined
  readonly operatorId?: number | undefined
}

export const listAudit = async (db: Db, filter: AuditFilter) => {
  const { before, action, subject, operatorId } = filter
  const rows = await db
    .selectFrom('audit_log as a')
    .innerJoin('operators as o', 'o.id', 'a.operator_id')
    .select([
      'a.id',
      'a.operator_id',
      'o.name as operator',
      'a.action',
      'a.subject',
      'a.details',
      'a.created_at',
    ])
    .$if(before !== undefined, (query) => query.where('a.id', '<', before as number))
    .$if(action !== undefined, (query) => query.where('a.action', 'in', namesOf(action as string)))
    .$if(subject !== undefined, (query) => query.where('a.subject', '=', subject as string))
    .$if(operatorId !== undefined, (query) => query.where('a.operator_id', '=', operatorId as number))
    .orderBy('a.id', 'desc')
    .limit(filter.limit)
    .execute()
  return rows.map((row) => ({ ...row, action: formerActions[row.action] ?? row.action }))
}
