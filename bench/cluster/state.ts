import { readdirSync, readFileSync } from 'node:fs'
import type { Cluster } from './cluster.ts'
import { table } from './run.ts'

/** What programs and tables take, at one moment. */

interface ProgramState {
  readonly name: string
  readonly bytes: number
  readonly descriptors: number
}

interface RelationState {
  readonly rows: number
  readonly heap: number
  readonly indexes: number
}

export interface Moment {
  readonly programs: readonly ProgramState[]
  readonly relations: ReadonlyMap<string, RelationState>
  readonly connections: number
  readonly redisBytes: number
}

export const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MB`

const programState = (name: string, pid: number): ProgramState => {
  const kept = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { name, bytes: Number(kept) * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length }
}

export const lookAt = async (cluster: Cluster, database: string): Promise<Moment> => {
  const client = await cluster.connect(database)
  try {
    const tables = await client.query(
      `select relname, n_live_tup::int as rows, pg_table_size(relid)::bigint as heap, pg_indexes_size(relid)::bigint as indexes
       from pg_stat_user_tables`,
    )
    const sessions = await client.query(
      `select count(*)::int as count from pg_stat_activity where datname = $1`,
      [database],
    )
    return {
      programs: [
        ...cluster.instances.map(({ program }) => programState(program.name, program.pid)),
        programState('haproxy', cluster.balancer.program.pid),
      ],
      relations: new Map(
        tables.rows.map(({ relname, rows, heap, indexes }) => [
          relname,
          { rows, heap: Number(heap), indexes: Number(indexes) },
        ]),
      ),
      connections: sessions.rows[0].count,
      redisBytes: await cluster.sentinels.usedBytes(),
    }
  } finally {
    await client.end()
  }
}

const average = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** How much more the last third has than the first, as a share. */
export const growthOf = (values: readonly number[]): number => {
  const third = Math.max(1, Math.floor(values.length / 3))
  return average(values.slice(-third)) / average(values.slice(0, third)) - 1
}

const mostMemoryGrowth = 0.1
const mostNewDescriptors = 0.2

/** What goes on growing after it has settled. */
export const programProblems = (moments: readonly Moment[]): string[] =>
  (moments[0]?.programs ?? []).flatMap(({ name }) => {
    const states = moments.flatMap(({ programs }) => programs.filter((one) => one.name === name))
    const memory = growthOf(states.map(({ bytes }) => bytes))
    const descriptors = growthOf(states.map((state) => state.descriptors))
    return [
      ...(memory > mostMemoryGrowth ? [`the memory of ${name} grew by ${(memory * 100).toFixed(0)} %`] : []),
      ...(descriptors > mostNewDescriptors
        ? [`the descriptors of ${name} grew by ${(descriptors * 100).toFixed(0)} %`]
        : []),
    ]
  })

const shown = 15
const mostBloat = 0.3
/** Smaller growth is pages kept ready. */
const pettyBytes = 8 * 2 ** 20

/** Rows are there to stay; room beyond what they need is not. */
export const bloatOf = (settled: Moment, last: Moment): { text: string; problems: string[] } => {
  const changes = [...last.relations].flatMap(([name, now]) => {
    const before = settled.relations.get(name)
    if (!before) return []
    const bytes = { before: before.heap + before.indexes, now: now.heap + now.indexes }
    const needed = bytes.before * Math.max(1, now.rows / Math.max(1, before.rows))
    return [{ name, before, now, bytes, excess: bytes.now - needed }]
  })
  const grown = changes
    .filter(({ bytes }) => bytes.now !== bytes.before)
    .sort((a, b) => b.bytes.now - b.bytes.before - (a.bytes.now - a.bytes.before))
  const lines = grown
    .slice(0, shown)
    .map(({ name, before, now, bytes }) => [
      ...[name, before.rows, now.rows, megabytes(bytes.before), megabytes(bytes.now)],
      ...[
        (bytes.before / Math.max(1, before.rows)).toFixed(0),
        (bytes.now / Math.max(1, now.rows)).toFixed(0),
      ],
    ])
  return {
    text: table(
      [
        'table',
        'rows, settled',
        'at the end',
        'with indexes, settled',
        'at the end',
        'bytes a row',
        'at the end',
      ],
      lines,
    ),
    problems: changes
      .filter(({ bytes, excess }) => excess > pettyBytes && excess > bytes.before * mostBloat)
      .map(({ name, excess }) => `${name} has ${megabytes(excess)} more than its rows need`),
  }
}
