import { config, flagsIn, json, settings, withDatabase, writeJson } from './command.ts'

export const help = `sallyport migrate [--json]

Brings the database up to date; instances that run go on meanwhile.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport migrate`

export const run = (args: string[]): Promise<void> => {
  const given = flagsIn(args, json)
  return withDatabase(config(), (_database, applied) => {
    if (given.json) return writeJson({ applied })
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  })
}
