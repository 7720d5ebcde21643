import { compareMigrations, type MigrationState } from '../../db/migrate.ts'
import { counted, type Finding, ok, problem, some } from '../finding.ts'
import type { Check } from '../subject.ts'

/** Whether the database is as this release expects it. */

const judgeMigrations = ({ pending, unknown, changed }: MigrationState): readonly Finding[] => {
  const findings: Finding[] = []
  if (pending.length > 0) {
    findings.push(
      problem(
        `${counted(pending.length, 'migration')} of this release ${pending.length === 1 ? 'is' : 'are'} not applied: ${some(pending, 3)}`,
        'sallyport migrate; instances that run go on meanwhile. A start does it too.',
      ),
    )
  }
  if (unknown.length > 0) {
    findings.push(
      problem(
        `the database is newer than this release: ${some(unknown, 3)}`,
        'Run the newer release here too, or restore a backup from before it.',
      ),
    )
  }
  if (changed.length > 0) {
    findings.push(
      problem(
        `migrations were changed after they were applied: ${some(changed, 3)}`,
        'Put the files of the release back as they were.',
      ),
    )
  }
  return findings.length > 0 ? findings : [ok('the database is up to date')]
}

export const migrationsCheck: Check = {
  name: 'migrations',
  about: 'whether the database is as this release expects it',
  run: (subject) => subject.read(async (tx) => judgeMigrations(await compareMigrations(tx))),
}
