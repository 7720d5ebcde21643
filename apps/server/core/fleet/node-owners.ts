import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

/** Whose a node is: the operator's, or made for a customer's machine. A cloud's own node is the operator's, whoever is on it. */

/** Of a column that names a node. */
export const isOperatorsOwn = (nodeId: string): string => `(
  not exists (select from machines m where m.node_id = ${nodeId})
  or exists (select from clouds c where c.node_id = ${nodeId}))`

export const isOperatorsNode = async (tx: Db, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select n.id from nodes n where n.id = ${id}::bigint and ${sql.raw(isOperatorsOwn('n.id'))}`.execute(tx)
  return rows.length > 0
}

/** Nobody else is served there. */
export const isCustomersNode = async (tx: Db, id: number): Promise<boolean> => {
  const { rows } = await sql`
    select n.id from nodes n where n.id = ${id}::bigint and not ${sql.raw(isOperatorsOwn('n.id'))}`.execute(
    tx,
  )
  return rows.length > 0
}
