import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { PlaceConfig } from '../../config.ts'
import { nameOfRepository } from '../../config-backup.ts'
import { runProgram } from '../backup/run-program.ts'
import { readBackupStatus } from '../backup-status.ts'
import { UpgradeProblem } from './problem.ts'
import { firstWords, mustRun } from './programs.ts'
import type { SchemaState } from './turn.ts'

/** What is done with the new release before it serves anybody. */

export type Environment = Readonly<Record<string, string | undefined>>
export type Say = (line: string) => void

export interface Newcomer {
  readonly version: string
  readonly folder: string
}

/** As the service itself would: by its user, with the settings of the machine. */
const runAsService = async (
  { version, folder }: Newcomer,
  args: readonly string[],
  { place, env }: { readonly place: PlaceConfig; readonly env: Environment },
): Promise<string> => {
  const { uid, gid } = statSync(place.dataDir)
  const settings = { ...env, NODE_COMPILE_CACHE: undefined, HOME: place.dataDir }
  const program = join(folder, 'bin/sallyport')
  const { code, output, errors } = await runProgram(program, args, { uid, gid }, settings)
  if (code === 0) return output
  throw new UpgradeProblem(`Release ${version} failed at ${args.join(' ')}.\n${firstWords(errors || output)}`)
}

type Context = Parameters<typeof runAsService>[2]

/** Whether it can use the settings, the secret key and the database; nothing is changed. */
export const lookAtSchema = async (newcomer: Newcomer, context: Context): Promise<SchemaState> => {
  const text = await runAsService(newcomer, ['migrate', '--dry-run', '--json'], context)
  return JSON.parse(text) as SchemaState
}

export const migrateWith = async (newcomer: Newcomer, context: Context): Promise<void> => {
  await runAsService(newcomer, ['migrate'], context)
}

/** What is younger need not be made again: PostgreSQL hands its log on meanwhile. */
const youngSeconds = 3600

const timeText = (seconds: number): string =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** Before the database is changed. */
export const backUpFirst = async ({ backup, dataDir }: PlaceConfig, now: number, say: Say): Promise<void> => {
  if (!backup.repository) {
    say('No backup is made: BACKUP_REPOSITORY is not set.')
    return
  }
  const last = readBackupStatus(dataDir)?.succeeded_at ?? undefined
  if (last !== undefined && now - last < youngSeconds) {
    say(`The last backup is of ${timeText(last)}.`)
    return
  }
  const where = nameOfRepository(backup.repository)
  say(`Backing up to ${where}${last === undefined ? '' : `; the last backup is of ${timeText(last)}`}.`)
  await mustRun(
    'systemctl',
    ['start', 'sallyport-backup.service'],
    'The backup before the upgrade failed (journalctl -u sallyport-backup); --no-backup goes on without it.',
  )
}

/** Units and the command, or the site of nginx, as that release has them. */
export const refreshMachine = async ({ version, folder }: Newcomer, part: 'units' | 'web'): Promise<void> => {
  const script = join(folder, 'deploy/install/refresh.sh')
  await mustRun(
    'sh',
    [script, part],
    `What release ${version} needs of the machine (${part}) could not be put in place.`,
  )
}
