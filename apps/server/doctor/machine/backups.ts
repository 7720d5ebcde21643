import type { BackupStatus } from '../../ports/backups.ts'
import { type Archiver, readArchiver } from '../database/queries.ts'
import { type Finding, lasting, ok, problem, warning } from '../finding.ts'
import { type Check, DatabaseAway, isProduction, nowOf, type Subject } from '../subject.ts'
import { isHere } from './disk.ts'

/** When the last backup was made, and whether PostgreSQL still hands its log to the archive. */

const dueSeconds = 26 * 3600
const lateSeconds = 3 * 86_400
const howTo =
  'Make one with sallyport backup, and let a timer do it every night (docs/operations.md, Back up).'

const whereItRuns =
  'See that it is backed up there, to any moment, and that SECRET_KEY is kept too (docs/operations.md, Back up).'

export const judgeBackup = (
  backup: BackupStatus | undefined,
  now: number,
  isOfCustomers: boolean,
  isElsewhere = false,
): Finding => {
  if (!backup && isElsewhere)
    return warning('none are made from here, for PostgreSQL runs elsewhere', whereItRuns)
  if (!backup) {
    const text = 'no backup was ever made from here'
    return warning(isOfCustomers ? `${text}: a lost disk is the end of every account` : text, howTo)
  }
  const age = now - (backup.ok ? backup.finished_at : (backup.succeeded_at ?? 0))
  if (!backup.ok) {
    const last = backup.succeeded_at ? `; the last good one is ${lasting(age)} old` : ''
    const why = backup.problem ? `: ${backup.problem.slice(0, 300)}` : ''
    const text = `the last backup (${backup.kind}) failed${why}${last}`
    return problem(
      text,
      'Read what it said (journalctl -u sallyport-backup), mend it, and run sallyport backup.',
    )
  }
  const text = `the last backup (${backup.kind}) is ${lasting(age)} old`
  if (age > lateSeconds) return problem(text, howTo)
  return age > dueSeconds
    ? warning(text, 'See whether its timer runs: systemctl list-timers sallyport-backup.timer')
    : ok(text)
}

/** What fails now is what failed after the last success. */
export const judgeArchiver = ({ isOn, archivedAgo, failedAgo, failures }: Archiver): Finding[] => {
  const isFailing = isOn && failedAgo !== null && (archivedAgo === null || failedAgo < archivedAgo)
  if (!isFailing) return []
  const since = archivedAgo === null ? 'never worked' : `last worked ${lasting(archivedAgo)} ago`
  return [
    problem(
      `the archive of the database's log fails (${failures} times; it ${since}): no moment can be restored, and the log fills the disk`,
      'Run pgbackrest check as the user of PostgreSQL, and read the log of PostgreSQL for what archive_command says.',
    ),
  ]
}

const archiving = async (subject: Subject): Promise<Finding[]> => {
  if (!isProduction(subject)) return []
  try {
    return judgeArchiver(await subject.read(readArchiver))
  } catch (error) {
    if (error instanceof DatabaseAway) return []
    throw error
  }
}

export const backupsCheck: Check = {
  name: 'backups',
  about: 'the age of the last backup, and whether the archive of the log works',
  run: async (subject) => {
    const isElsewhere = isProduction(subject) && !isHere(subject.config.databaseUrl)
    const backup = judgeBackup(subject.lastBackup(), nowOf(subject), isProduction(subject), isElsewhere)
    return [backup, ...(await archiving(subject))]
  },
}
