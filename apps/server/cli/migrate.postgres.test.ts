import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases/database.ts'
import { lookWithKey, openWithKey, takeKey } from '../compose/database.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../db/client.ts'

const keyOf = (letter: string): string => Buffer.alloc(32, letter).toString('base64')

test('a look says what is missing and what is unknown, changes nothing, and knows a wrong key', async ({
  onTestFinished,
}) => {
  const made = await createTestDatabase('postgres', 'empty')
  onTestFinished(made.remove)
  const config = readConfig({
    DATABASE_URL: made.databaseUrl,
    DATA_DIR: made.dataDir,
    SECRET_KEY: keyOf('a'),
  })
  const look = (used = config) => lookWithKey(used, takeKey(used))
  const database = await openDatabase(config)
  onTestFinished(database.close)
  await database.engine.exec('drop schema public cascade; create schema public')
  const empty = await look()
  expect([empty.pending.at(0), empty.unknown, empty.changed]).toEqual(['0001_people.sql', [], []])
  const { rows } = await sql`select to_regclass('migrations') as found`.execute(database.db)
  expect(rows).toEqual([{ found: null }])

  await (await openWithKey(config, takeKey(config), () => undefined)).database.close()
  expect(await look()).toEqual({ pending: [], unknown: [], changed: [] })
  await sql`insert into migrations values ('9001_next.sql', 'x')`.execute(database.db)
  await sql`update migrations set checksum = 'y' where name = '0001_people.sql'`.execute(database.db)
  expect(await look()).toEqual({ pending: [], unknown: ['9001_next.sql'], changed: ['0001_people.sql'] })
  const other = readConfig({
    DATABASE_URL: made.databaseUrl,
    DATA_DIR: made.dataDir,
    SECRET_KEY: keyOf('b'),
  })
  await expect(look(other)).rejects.toThrow('is not the key that this database was set up with')
})
