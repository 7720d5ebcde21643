import { join } from 'node:path'
import { keyFits } from '../../core/accounts/secret-key.ts'
import { DatabaseError } from '../../db/driver.ts'
import { type Finding, ok, problem, skipped, warning } from '../finding.ts'
import { type Check, DatabaseAway, isProduction, type Subject } from '../subject.ts'

/** The key is there, nobody else can read it, and it is the database's. */

/** Where the installer puts it. */
const installedFile = '/etc/sallyport/secret.key'

const filesOf = (subject: Subject): string[] =>
  isProduction(subject) ? [installedFile] : [join(subject.config.dataDir, 'secret.key')]

export const judgeMode = (path: string, mode: number | undefined): Finding[] => {
  if (mode === undefined) return []
  const shown = (mode & 0o777).toString(8).padStart(4, '0')
  if ((mode & 0o007) !== 0) {
    return [
      problem(
        `${path} can be read by everybody on this machine (${shown})`,
        `chmod o= ${path}; and think about who may have read it: with it everything sealed can be opened.`,
      ),
    ]
  }
  if ((mode & 0o020) !== 0) {
    return [warning(`${path} can be changed by its group (${shown})`, `chmod g-w ${path}`)]
  }
  return []
}

const noSuchTable = '42P01'

const backup = 'Keep a copy away from this machine and from the database.'

const judgeFit = (fit: 'fits' | 'another' | 'none yet'): Finding => {
  if (fit === 'fits') return ok(`is the database's. ${backup}`)
  if (fit === 'none yet') return ok('the database has not seen a key yet: the first start settles it')
  return problem(
    'is not the key that this database was set up with: with another no tunnel works and nothing sealed opens',
    'Set SECRET_KEY to the first one, from your backup if need be. Nothing but that key opens what is sealed.',
  )
}

export const secretKeyCheck: Check = {
  name: 'secret-key',
  about: 'the secret key is there, is kept from others, and is the one of the database',
  run: async (subject) => {
    const modes = filesOf(subject).flatMap((path) => judgeMode(path, subject.machine.modeOf(path)))
    const { vault } = subject
    if (!vault) {
      const path = join(subject.config.dataDir, 'secret.key')
      const text = `there is no key: neither SECRET_KEY nor ${path}`
      const advice = 'On a new machine sallyport start makes one. Otherwise put it back from your backup.'
      return [...modes, warning(text, advice)]
    }
    try {
      return [...modes, judgeFit(await subject.read((tx) => keyFits(tx, vault)))]
    } catch (error) {
      // A database where nothing was ever laid out.
      if (error instanceof DatabaseError && error.code === noSuchTable)
        return [...modes, judgeFit('none yet')]
      if (!(error instanceof DatabaseAway)) throw error
      return [...modes, skipped(`is there; whether it is the database's cannot be told: ${error.message}`)]
    }
  },
}
