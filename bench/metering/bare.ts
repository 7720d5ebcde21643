import pg from 'pg'
import type { MeteredNode } from './seed.ts'
import { cpuSecondsOfFamily, walBytes } from './watch.ts'

/**
 * The least that can be done with a counter: its row and its meter are written anew, with the values they have, by two statements for
 * as many rows as a report has. Nothing is checked, believed or noted. What reports cost is compared with this, in the same run and on
 * the same tables.
 */

export interface Bare {
  readonly counters: number
  readonly seconds: number
  readonly postgresCpuSeconds: number
  readonly walBytes: number
}

const countersAtOnce = 5000
const connections = 2

const statements = [
  `update traffic_counters t set up = t.up, down = t.down, seen_at = t.seen_at from unnest($2::bigint[]) as g (access_id)
   where t.node_id = $1 and t.access_id = g.access_id and t.boot_id = 'boot'`,
  `update meters m set up = m.up, down = m.down from unnest($2::bigint[]) as g (access_id)
   where m.access_id = g.access_id and $1::bigint > 0`,
]

const workOn = async (
  databaseUrl: string,
  nodes: readonly MeteredNode[],
  isOver: () => boolean,
): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  let counters = 0
  for (let at = 0; !isOver(); at++) {
    const { nodeId, accessIds } = nodes[at % nodes.length] as MeteredNode
    for (let from = 0; from < accessIds.length && !isOver(); from += countersAtOnce) {
      const ids = accessIds.slice(from, from + countersAtOnce)
      await client.query('begin')
      for (const [which, text] of statements.entries())
        await client.query({ name: `bare${which}`, text, values: [nodeId, `{${ids.join(',')}}`] })
      await client.query('commit')
      counters += ids.length
    }
  }
  await client.end()
  return counters
}

/** Several at once, each on nodes of its own. */
export const runBare = async (
  at: { readonly databaseUrl: string; readonly postgresPid: number; readonly client: pg.Client },
  nodes: readonly MeteredNode[],
  seconds: number,
): Promise<Bare> => {
  const startedMs = performance.now()
  const [cpuBefore, walBefore] = [cpuSecondsOfFamily(at.postgresPid), await walBytes(at.client)]
  const isOver = () => performance.now() >= startedMs + seconds * 1000
  const done = await Promise.all(
    Array.from({ length: connections }, (_, which) =>
      workOn(
        at.databaseUrl,
        nodes.filter((_node, n) => n % connections === which),
        isOver,
      ),
    ),
  )
  return {
    counters: done.reduce((sum, count) => sum + count, 0),
    seconds: (performance.now() - startedMs) / 1000,
    postgresCpuSeconds: cpuSecondsOfFamily(at.postgresPid) - cpuBefore,
    walBytes: (await walBytes(at.client)) - walBefore,
  }
}

/** Two rounds as one, so that the one before a run and the one behind it stand for what was between. */
export const together = (one: Bare, other: Bare): Bare => ({
  counters: one.counters + other.counters,
  seconds: one.seconds + other.seconds,
  postgresCpuSeconds: one.postgresCpuSeconds + other.postgresCpuSeconds,
  walBytes: one.walBytes + other.walBytes,
})
