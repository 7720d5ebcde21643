import { counted, type Finding, lasting, ok, orElse, problem, skipped, some, warning } from '../finding.ts'
import { type Check, DatabaseAway, isProduction, type Subject } from '../subject.ts'
import {
  type Connections,
  type DatabaseSettings,
  type LongTransaction,
  listLongTransactions,
  readConnections,
  readSettings,
  readUpkeep,
  readVersion,
  type Upkeep,
} from './queries.ts'

/** PostgreSQL: whether it answers, keeps what it was given, has room, and is looked after. */

const embedded = 'the embedded database has no such thing'

/** A check of PostgreSQL only. */
const ofPostgres =
  (run: (subject: Subject) => Promise<readonly Finding[]>): Check['run'] =>
  async (subject) =>
    isProduction(subject) ? run(subject) : [skipped(embedded)]

const oldestVersion = 14

export const judgeVersion = (at: {
  readonly number: number
  readonly name: string
  readonly isReplica: boolean
  /** Whether this role may make tables. */
  readonly mayCreate: boolean
  readonly millis: number
}): Finding => {
  if (at.isReplica) {
    return problem(
      'DATABASE_URL leads to a replica, which takes no writes',
      'Lead it to the primary: through HAProxy or with target_session_attrs, as docs/operations.md says.',
    )
  }
  const text = `PostgreSQL ${at.name} answers in ${Math.max(1, Math.round(at.millis))} ms`
  if (Math.floor(at.number / 10_000) < oldestVersion) {
    return problem(
      `${text}, and is older than ${oldestVersion}`,
      `Upgrade it to ${oldestVersion} or newer (pg_upgradecluster on Debian).`,
    )
  }
  if (!at.mayCreate) {
    return problem(
      `${text}, and this role may not make tables there`,
      'Give the database to the role: alter database … owner to …; and alter schema public owner to …;',
    )
  }
  if (at.millis <= 50) return ok(text)
  return warning(
    `${text}: every request waits for it several times`,
    'Bring the service and the database nearer to each other; see whether the database is overloaded.',
  )
}

export const databaseCheck: Check = {
  name: 'database',
  about: 'the database answers, is new enough, and takes writes',
  run: async (subject) => {
    try {
      const version = await subject.read(async (tx) => {
        await readVersion(tx)
        const before = performance.now()
        return { ...(await readVersion(tx)), millis: performance.now() - before }
      })
      return [
        isProduction(subject) ? judgeVersion(version) : ok(`the embedded database opens (${version.name})`),
      ]
    } catch (error) {
      if (!(error instanceof DatabaseAway)) throw error
      const cause = error.cause
      if (cause === undefined) return [skipped(error.message)]
      return [
        problem(
          String((cause as Error).message),
          'See whether PostgreSQL runs (systemctl status postgresql), and whether DATABASE_URL names it, its user and the password.',
        ),
      ]
    }
  },
}

const judgeDatabaseSettings = (settings: DatabaseSettings): readonly Finding[] => {
  const wanted = [
    ['fsync', 'a power cut can destroy the whole database'],
    ['full_page_writes', 'a power cut can leave torn pages'],
    ['synchronous_commit', 'purchases that were answered can be lost in a crash'],
  ] as const
  const findings = wanted.flatMap(([name, why]) =>
    settings[name] === 'off'
      ? [problem(`${name} is off: ${why}`, `alter system set ${name} = on; select pg_reload_conf();`)]
      : [],
  )
  if (settings.autovacuum === 'off') {
    findings.push(
      problem(
        'autovacuum is off: tables grow without end, and one day the database stops taking writes',
        'alter system set autovacuum = on; select pg_reload_conf();',
      ),
    )
  }
  if (!settings.isUtf8) {
    findings.push(
      problem(
        'the encoding is not UTF-8',
        "Make the database anew with encoding 'UTF8', and restore into it.",
      ),
    )
  }
  return orElse(findings, 'what is committed is kept: fsync, full_page_writes and synchronous_commit are on')
}

export const databaseSettingsCheck: Check = {
  name: 'database-settings',
  about: 'settings of PostgreSQL that lose data when they are off',
  run: ofPostgres(async (subject) => judgeDatabaseSettings(await subject.read(readSettings))),
}

export const judgeConnections = ({ max, used, ours, instances }: Connections): Finding => {
  const text = `${used} of ${max} connections are in use, ${ours} by ${counted(instances, 'instance')} of the service`
  const more =
    'Raise max_connections, make the pools smaller, or put PgBouncer in between (docs/operations.md).'
  if (used >= 0.95 * max) return problem(text, more)
  const each = instances > 0 ? Math.ceil(ours / instances) : 0
  if (used >= 0.8 * max || used + each > max) {
    return warning(`${text}: another instance, as an upgrade starts one, may not fit`, more)
  }
  return ok(text)
}

export const databaseConnectionsCheck: Check = {
  name: 'database-pools',
  about: 'connections of all instances against what PostgreSQL has',
  run: ofPostgres(async (subject) => [judgeConnections(await subject.read(readConnections))]),
}

const longSeconds = 300

export const judgeTransactions = (long: readonly LongTransaction[]): readonly Finding[] => {
  const findings = long.map(({ pid, state, seconds, program }) => {
    const who = `${state}, ${program || 'without a name'}`
    if (pid === 0) {
      const text = `a prepared transaction waits for ${lasting(seconds)} (${program})`
      return problem(text, `rollback prepared '${program}'; unless whoever prepared it will end it.`)
    }
    const text = `a transaction is open for ${lasting(seconds)} (pid ${pid}, ${who}): nothing that it could see is cleaned up`
    const advice = `See what it does; end it with select pg_terminate_backend(${pid});`
    return seconds > 3600 ? problem(text, advice) : warning(text, advice)
  })
  return orElse(findings, `none is open for longer than ${longSeconds / 60} min`)
}

export const transactionsCheck: Check = {
  name: 'database-transactions',
  about: 'transactions that are open for long',
  run: ofPostgres(async (subject) =>
    judgeTransactions(await subject.read((tx) => listLongTransactions(tx, longSeconds))),
  ),
}

const billion = 1e9

export const judgeUpkeep = ({ age, invalidIndexes, unvacuumedTables }: Upkeep): readonly Finding[] => {
  const findings: Finding[] = []
  if (age > 0.6 * billion) {
    const text = `the oldest transaction is ${Math.round(age / 1e6)} million transactions old; at 2,100 million the database stops`
    const advice =
      'Let vacuum get through: end old transactions, drop unused replication slots, then vacuumdb --all --freeze.'
    findings.push(age > 1.5 * billion ? problem(text, advice) : warning(text, advice))
  }
  if (invalidIndexes.length > 0) {
    const first = invalidIndexes[0]
    findings.push(
      warning(
        `indexes that a broken build left behind cost and serve nobody: ${some(invalidIndexes)}`,
        `reindex index concurrently ${first}; or drop index ${first} if its name ends with _ccnew.`,
      ),
    )
  }
  if (unvacuumedTables.length > 0) {
    const first = unvacuumedTables[0]
    findings.push(
      warning(
        `autovacuum is off for ${some(unvacuumedTables)}`,
        `alter table ${first} reset (autovacuum_enabled);`,
      ),
    )
  }
  return orElse(
    findings,
    `indexes are whole, and the oldest transaction is ${Math.round(age / 1e6)} million old`,
  )
}

export const upkeepCheck: Check = {
  name: 'database-upkeep',
  about: 'age of transactions, broken indexes, tables that are not vacuumed',
  run: ofPostgres(async (subject) => judgeUpkeep(await subject.read(readUpkeep))),
}
