import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Database, type Db, openDatabase } from '../../db/client.ts'
import { readOnly } from '../../doctor/database/read-only.ts'
import { DatabaseAway, type Subject } from '../../doctor/subject.ts'
import { explainStart } from '../../local/start-errors.ts'

/** The database as checks read it: a few at a time, and nothing can be written. */

/** A database that is short of connections shall not be short of more. */
const atOnce = 3

const openAnyway = async (config: Config): Promise<Database> => {
  const { databaseUrl, dataDir } = config
  if (!databaseUrl && !existsSync(join(dataDir, 'database'))) {
    throw new DatabaseAway('there is no database in DATA_DIR yet')
  }
  try {
    // A standby is looked at too: whoever leads to one shall hear just that.
    const database = await openDatabase({ ...config, database: { ...config.database, mayBeStandby: true } })
    await database.engine.check()
    return database
  } catch (error) {
    const { message } = error as Error
    if (!databaseUrl && message.includes('is in use by another')) {
      throw new DatabaseAway(
        'the service that runs holds the embedded database; stop it to have this looked at',
      )
    }
    const cause = new Error(explainStart(error, config) ?? message)
    throw new DatabaseAway('the database does not answer', { cause })
  }
}

export const openForReading = (config: Config): Pick<Subject, 'read'> & { close(): Promise<void> } => {
  let opening: Promise<Database> | undefined
  const lanes = Array.from({ length: atOnce }, () => Promise.resolve())
  let next = 0
  const read = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    opening ??= openAnyway(config)
    const { db } = await opening
    const lane = next++ % atOnce
    const turn = (lanes[lane] as Promise<void>).then(() => readOnly(db, work))
    lanes[lane] = turn.then(
      () => undefined,
      () => undefined,
    )
    return turn
  }
  const close = async (): Promise<void> => {
    const database = await opening?.catch(() => undefined)
    await database?.close()
  }
  return { read, close }
}
