import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, expect, type TestContext, test } from 'vitest'
import { createTestDatabase, testEngine } from '../../../test/support/databases/database.ts'
import { type Database, openDatabase } from './client.ts'
import { migrate, usualFolder } from './migrate.ts'

/** A release to come that makes two indexes on a table in use. */
const folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'migrations-'))}/`)
for (const name of readdirSync(usualFolder).filter((name) => name.endsWith('.sql')))
  writeFileSync(new URL(name, folder), readFileSync(new URL(name, usualFolder)))
const later = '9001_indexes.sql'
writeFileSync(
  new URL(later, folder),
  `-- concurrently: both are large
  create index concurrently if not exists users_later on users (created_at, id);
  create unique index concurrently if not exists users_latest
    on users (id) where created_at > 0;
  `,
)
afterAll(() => rmSync(folder, { recursive: true }))

type OnEnd = TestContext['onTestFinished']

const open = async (onEnd: OnEnd): Promise<() => Promise<Database>> => {
  const place = await createTestDatabase()
  onEnd(place.remove)
  return async () => {
    const database = await openDatabase(place)
    onEnd(database.close)
    return database
  }
}

const indexes = async ({ db }: Database) => {
  const { rows } = await sql<{ name: string; valid: boolean }>`
    select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
    where c.relname like 'users_late%' order by 1`.execute(db)
  return rows
}
const both = [
  { name: 'users_later', valid: true },
  { name: 'users_latest', valid: true },
]

test('a marked file makes its indexes one by one, and is recorded once', async ({ onTestFinished }) => {
  const database = await (await open(onTestFinished))()
  expect(await migrate(database, { folder })).toEqual([later])
  expect(await indexes(database)).toEqual(both)
  expect(await migrate(database, { folder })).toEqual([])
})

test('nothing but indexes that may be made again is taken', async ({ onTestFinished }) => {
  const database = await (await open(onTestFinished))()
  const other = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'migrations-'))}/`)
  onTestFinished(() => rmSync(other, { recursive: true }))
  for (const name of readdirSync(usualFolder).filter((name) => name.endsWith('.sql')))
    writeFileSync(new URL(name, other), readFileSync(new URL(name, usualFolder)))
  writeFileSync(new URL('9002_other.sql', other), '-- concurrently\nalter table users add column x int;')
  await expect(migrate(database, { folder: other })).rejects.toThrow(/9002_other.sql may only say/)
})

if (testEngine() === 'postgres') {
  test('instances that start together make them once, while the table is written to', async ({
    onTestFinished,
  }) => {
    const openOne = await open(onTestFinished)
    const [service, ...starting] = [await openOne(), await openOne(), await openOne(), await openOne()]
    const holder = await service.engine.acquire()
    await holder.query('begin', [])
    await holder.query('lock table users in row exclusive mode', [])
    const migrating = Promise.all(starting.map((one) => migrate(one, { folder })))
    const isBuilding = async () =>
      (await sql`select from pg_stat_progress_create_index`.execute(service.db)).rows.length
    await expect.poll(isBuilding).toBe(1)
    await sql`insert into users (sign_in_method, referral_code, created_at) values ('otp', 'while', 1)`.execute(
      service.db,
    )
    await holder.query('commit', [])
    holder.release()
    await migrating
    expect(await indexes(service)).toEqual(both)
  })

  test('one that was left half-built is made again', async ({ onTestFinished }) => {
    const openOne = await open(onTestFinished)
    const service = await openOne()
    const holder = await service.engine.acquire()
    await holder.query('begin', [])
    await holder.query('lock table users in row exclusive mode', [])
    const killed = migrate(await openOne(), { folder }).catch((error: Error) => error)
    const kill = async () => {
      // Before it waits for those who write, it has left nothing behind yet.
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_progress_create_index
        where phase = 'waiting for writers before build'`.execute(service.db)
      return rows.length
    }
    await expect.poll(kill).toBe(1)
    expect(await killed).toBeInstanceOf(Error)
    await holder.query('commit', [])
    holder.release()
    expect(await indexes(service)).toEqual([{ name: 'users_later', valid: false }])
    expect(await migrate(service, { folder })).toEqual([later])
    expect(await indexes(service)).toEqual(both)
  })
}
