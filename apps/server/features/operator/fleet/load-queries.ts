import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'

export const nodeExists = async (db: Db, id: number): Promise<boolean> =>
  (await db.selectFrom('nodes').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

export interface LoadSum {
  readonly at: number
  readonly samples: number
  readonly cpu: number
  readonly ram: number
  readonly up: number
  readonly down: number
  readonly online: number
}

/** Of each step that a node was heard of in, by when it began; nothing of what is after the last moment. */
export const sumLoad = async (
  db: Db,
  nodeId: number,
  starts: readonly number[],
  to: number,
): Promise<LoadSum[]> => {
  const { rows } = await sql<LoadSum>`
    select (${starts}::bigint[])[step] as at, samples, cpu, ram, up, down, online from (
      select width_bucket(at, ${starts}::bigint[]) as step, sum(samples)::bigint as samples, sum(cpu_sum) as cpu,
        sum(ram_sum) as ram, sum(up_sum) as up, sum(down_sum) as down, max(online_most) as online
      from node_hours where node_id = ${nodeId}::bigint and at >= ${starts[0] ?? 0}::bigint and at < ${to}::bigint
      group by 1
    ) steps order by step`.execute(db)
  return rows
}
