import { lookWithKey, takeKey } from '../compose/database.ts'
import { config, flagsIn, json, settings, withDatabase, writeJson } from './command.ts'

export const help = `sallyport migrate [--dry-run] [--json]

Brings the database up to date; instances that run go on meanwhile. With --dry-run it says what would be applied, and changes
nothing: a release that cannot use the settings, the secret key or the database fails here.
${settings}

Example:
  DATABASE_URL=postgres://sallyport:…@db/sallyport SECRET_KEY=… sallyport migrate`

const look = async (isJson: boolean): Promise<void> => {
  const used = config()
  const state = await lookWithKey(used, takeKey(used))
  if (isJson) return writeJson(state)
  const { pending, unknown, changed } = state
  console.log(pending.length > 0 ? `To be applied: ${pending.join(', ')}.` : 'The database is up to date.')
  if (unknown.length > 0) console.log(`Of a newer release: ${unknown.join(', ')}.`)
  if (changed.length > 0) console.log(`Applied with another text: ${changed.join(', ')}.`)
}

export const run = (args: string[]): Promise<void> => {
  const given = flagsIn(args, { 'dry-run': { type: 'boolean' }, ...json })
  if (given['dry-run']) return look(given.json === true)
  return withDatabase(config(), (_database, applied) => {
    if (given.json) return writeJson({ applied })
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.')
  })
}
