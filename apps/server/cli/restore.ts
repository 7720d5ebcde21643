import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '@sallyport/cli/usage-error'
import { type PlaceConfig, readPlace } from '../config.ts'
import { restoreEmbedded } from '../local/backup/embedded-restore.ts'
import { demandRepository } from '../local/backup/postgres/pgbackrest.ts'
import { type RestoreWish, restorePostgres } from '../local/backup/postgres/postgres-restore.ts'
import { restoreText } from '../local/backup/restore-text.ts'
import { systemClock } from '../ports/clock.ts'
import { flagsIn, json, writeJson } from './command.ts'

export const help = `sallyport restore [--to MOMENT] [--from BACKUP] [--force] [--sign-everybody-out] [--json]

Brings a service back from BACKUP_REPOSITORY, with the passphrase in BACKUP_KEY_FILE and nothing else: the database, and the secret
key beside the passphrase. Everything is restored aside and checked (the books, the secret key, the release), and only then takes
its place. With PostgreSQL it is for the machine that PostgreSQL is to run on, while it does not run there.

--to MOMENT           as it was then, like '2026-11-18 12:00:00' (UTC, unless it ends with a zone like +03:00); of the embedded
                      database the last backup before. Everything that was archived when not said
--from BACKUP         a name of sallyport backup list
--force               where there is a database already: it is put aside, under another name
--sign-everybody-out  ends every customer's session too: those ended after that moment would live again

What it does to nodes, payments, sessions and machines is in docs/operations.md.

Examples:
  sallyport restore
  sallyport restore --to '2026-11-18 12:00:00' --force`

const readMoment = (text: string | undefined): Date | undefined => {
  if (text === undefined) return undefined
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)\s*(Z|[+-]\d\d:\d\d)?$/.exec(text)
  const moment = parts && new Date(`${parts[1]}T${parts[2]}${parts[3] ?? 'Z'}`)
  if (!moment || Number.isNaN(moment.getTime()))
    throw new UsageError(`--to looks like '2026-11-18 12:00:00', not “${text}”.`)
  if (moment.getTime() > Date.now()) throw new UsageError(`--to ${text} is in the future.`)
  return moment
}

/** By what is in the repository where no settings say it: a machine that begins from nothing has none. */
const isOfPostgres = ({ databaseUrl, backup }: PlaceConfig): boolean => {
  const repository = demandRepository(backup)
  return (
    databaseUrl !== undefined || repository.kind !== 'folder' || existsSync(join(repository.path, 'archive'))
  )
}

export const run = async (args: string[]): Promise<void> => {
  const given = flagsIn(args, {
    to: { type: 'string' },
    from: { type: 'string' },
    force: { type: 'boolean' },
    'sign-everybody-out': { type: 'boolean' },
    ...json,
  })
  const place = readPlace()
  const wish: RestoreWish = {
    to: readMoment(given.to),
    from: given.from,
    isForced: given.force ?? false,
    signsEverybodyOut: given['sign-everybody-out'] ?? false,
    now: systemClock.now(),
    say: (line) => console.error(line),
  }
  const isPostgres = isOfPostgres(place)
  const report = await (isPostgres ? restorePostgres : restoreEmbedded)(place, wish)
  if (given.json) return writeJson(report)
  console.log(restoreText(report, { isPostgres, now: wish.now }))
}
