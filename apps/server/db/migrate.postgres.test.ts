import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { afterAll, describe, expect, type TestContext, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/support/databases/database.ts'
import { type Database, type Db, openDatabase } from './client.ts'
import { lockNumber, type MigrationWait, migrate, usualFolder } from './migrate.ts'

const names = readdirSync(usualFolder).sort()
/** What the first release has; whatever comes after it runs beside the release before. */
const baseline = ['0001_people.sql', '0002_catalogue.sql', '0003_accesses.sql', '0004_money.sql']

/** Releases to come, each of which touches a table that is in use. */
const later = ['9001_users.sql', '9002_sessions.sql']
const folder = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'migrations-'))}/`)
const write = (name: string, text: string) => writeFileSync(new URL(name, folder), text)
for (const name of baseline) write(name, readFileSync(new URL(name, usualFolder), 'utf8'))
write('9001_users.sql', 'alter table users add column nickname text; create table nicknames (name text)')
write('9002_sessions.sql', 'alter table sessions add column place text')
afterAll(() => rmSync(folder, { recursive: true }))

type OnEnd = TestContext['onTestFinished']

/** Three instances on one empty database. */
const onEmpty = async (onEnd: OnEnd): Promise<[Database, Database, Database]> => {
  const { databaseUrl, dataDir, remove } = await createTestDatabase()
  onEnd(remove)
  const open = async (): Promise<Database> => {
    const database = await openDatabase({ databaseUrl, dataDir })
    onEnd(database.close)
    return database
  }
  const first = await open()
  await first.engine.exec('drop schema public cascade; create schema public')
  return [first, await open(), await open()]
}

const addUser = (db: Db) =>
  sql`
  insert into users (sign_in_method, referral_code, created_at) values ('otp', random()::text, 1)`.execute(db)

const addSession = (db: Db) =>
  sql`
  insert into sessions (id, user_id, created_at, expires_at) values (gen_random_uuid(), 2, 1, 2)`.execute(db)

/** The same on a database of the release before, with two customers. */
const onEarlier = async (onEnd: OnEnd): Promise<[Database, Database, Database]> => {
  const instances = await onEmpty(onEnd)
  const [{ engine, db }] = instances
  await engine.exec('create table migrations (name text primary key, checksum text not null)')
  for (const name of baseline) {
    const text = readFileSync(new URL(name, usualFolder), 'utf8')
    await engine.exec(text)
    const checksum = createHash('sha256').update(text).digest('hex')
    await sql`insert into migrations values (${name}, ${checksum})`.execute(db)
  }
  await addUser(db)
  await addUser(db)
  await addSession(db)
  return instances
}

/** A transaction that stays open until it is told to end; by hand, because inTransaction would try again. */
const beginWith = async ({ engine }: Database, statement: string, onEnd: OnEnd) => {
  const connection = await engine.acquire()
  let isOpen = true
  const run = (text: string) => connection.query(text, [])
  const endWith = async (last: string) => {
    if (!isOpen) return
    isOpen = false
    await run(last)
    await run('commit')
    connection.release()
  }
  await run('begin')
  onEnd(() => endWith('rollback'))
  await run(statement)
  return { endWith }
}

/** Until the migration stands in the queue for a table. */
const queueing = async ({ db }: Database, table: string) => {
  const migrations = sql`
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where l.relation = ${table}::regclass and not l.granted and a.query like '%pg_advisory_xact_lock%'`
  const isThere = async () => expect((await migrations.execute(db)).rows).toHaveLength(1)
  await vi.waitFor(isThere, { interval: 20, timeout: 10_000 })
}

/** What customers do meanwhile, over and over: fails if a lock keeps one for two seconds, else tells the longest wait. */
const goOn = (work: () => Promise<unknown>) => {
  let isOver = false
  const loop = async () => {
    let slowestMs = 0
    while (!isOver) {
      const begun = performance.now()
      await work()
      slowestMs = Math.max(slowestMs, performance.now() - begun)
      await sleep(5)
    }
    return slowestMs
  }
  const looping = Promise.all(Array.from({ length: 4 }, loop))
  return async () => {
    isOver = true
    return Math.max(...(await looping))
  }
}

const readUser = 'select created_at from users where id = 1'
const lockUser = `${readUser} for update`
const touchUser = 'update users set is_blocked = false where id = 1'
const touchSession = 'update sessions set expires_at = 3'

// They wait for one another's locks more than they work.
describe.concurrent('migrating a service that runs', () => {
  test.for([
    { begun: lockUser, ended: touchSession, holds: 'users', delayed: later[0] },
    { begun: touchSession, ended: touchUser, holds: 'sessions', delayed: later[1] },
  ])('an old transaction that holds $holds delays the migration, and nobody else for long', async (row, {
    onTestFinished,
  }) => {
    const [service, starting] = await onEarlier(onTestFinished)
    const old = await beginWith(service, row.begun, onTestFinished)
    const waits: MigrationWait[] = []
    const migrating = migrate(starting, { folder, onWait: (wait) => waits.push(wait) })
    const reading = goOn(() => service.engine.read(readUser, []))
    const writing = goOn(() => addSession(service.db))
    await expect.poll(() => waits.length, { timeout: 20_000 }).toBe(2)
    await queueing(service, row.holds)
    await old.endWith(row.ended)
    expect(await migrating).toEqual(later)
    expect(waits).toHaveLength(2)
    const slowestReadMs = await reading()
    if (row.holds !== 'users') expect(slowestReadMs).toBeLessThan(1900)
    await writing()
    expect(waits[1]).toMatchObject({
      migration: row.delayed,
      tries: 2,
      oldTransactions: [{ state: 'idle in transaction', tables: [row.holds] }],
    })
  })

  test('it is given up in the end, with nothing done, and can be repeated', async ({ onTestFinished }) => {
    const [service, starting] = await onEarlier(onTestFinished)
    const old = await beginWith(service, lockUser, onTestFinished)
    await expect(migrate(starting, { folder, maxTries: 2 })).rejects.toThrow(
      /9001_users.sql could not .* 2 tries/,
    )
    const { rows } = await sql`select to_regclass('nicknames') as made`.execute(service.db)
    expect(rows).toEqual([{ made: null }])
    await old.endWith(readUser)
    expect(await migrate(starting, { folder, maxTries: 1 })).toEqual(later)
  })

  test('instances that start together migrate one after another', async ({ onTestFinished }) => {
    const instances = await onEmpty(onTestFinished)
    await Promise.all(instances.map((instance) => migrate(instance, { maxTries: 1 })))
    const { rows } = await sql<{ name: string }>`select name from migrations order by 1`.execute(
      instances[0].db,
    )
    expect(rows.map(({ name }) => name)).toEqual(names)
  })

  test('instances that start together all wait for an old transaction, and leave it pauses', async ({
    onTestFinished,
  }) => {
    const [service, ...starting] = await onEarlier(onTestFinished)
    const old = await beginWith(service, lockUser, onTestFinished)
    const waitedAt: number[] = []
    const onWait = () => waitedAt.push(performance.now())
    const startedAt = performance.now()
    const migrating = starting.map((instance) => migrate(instance, { folder, onWait }))
    await vi.waitFor(() => expect(waitedAt).toHaveLength(4), { timeout: 20_000 })
    await old.endWith(readUser)
    await Promise.all(migrating)
    // Four times a second and a half, and two pauses. A busy machine hears late of each, and never early.
    const [, , , fourth = 0] = waitedAt
    expect(fourth - startedAt).toBeGreaterThan(7500)
  })

  test('waiting for another instance that migrates has no such limit', async ({ onTestFinished }) => {
    const [other, starting] = await onEarlier(onTestFinished)
    const old = await beginWith(other, lockUser, onTestFinished)
    const migrating = migrate(starting, { folder, maxTries: 2 })
    await queueing(other, 'users')
    const takeLock = `select pg_advisory_xact_lock(${lockNumber})`
    const migratingOther = await beginWith(other, takeLock, onTestFinished)
    await old.endWith(readUser)
    await sleep(2500)
    await migratingOther.endWith(readUser)
    expect(await migrating).toEqual(later)
  })

  test('what was made before the first release is refused in one line', async ({ onTestFinished }) => {
    const [{ db, engine }, starting] = await onEmpty(onTestFinished)
    await engine.exec('create table migrations (name text primary key, checksum text not null)')
    await sql`insert into migrations values ('0001_spine.sql', 'x')`.execute(db)
    await expect(migrate(starting)).rejects.toThrow(/^This database .* empty database or another DATA_DIR\.$/)
  })

  test.for([
    ['releases to come', folder],
    ['this release', usualFolder],
  ] as const)('the release before can go on writing beside %s', async ([, from], { onTestFinished }) => {
    const [{ db }, starting] = await onEarlier(onTestFinished)
    const columns = async () => {
      const { rows } = await sql<{ key: string; needed: boolean; type: string }>`
      select table_name || '.' || column_name as key, udt_name as type,
        is_nullable = 'NO' and column_default is null and is_identity = 'NO' as needed
      from information_schema.columns where table_schema = 'public'`.execute(db)
      return new Map(rows.map((row) => [row.key, row]))
    }
    const before = await columns()
    const applied = await migrate(starting, { folder: from })
    const tables = new Set([...before.keys()].map((key) => key.split('.')[0]))
    const after = await columns()
    // What had to be said may be left out by now; the release before goes on saying it.
    for (const [key, { type, needed }] of before) {
      expect(after.get(key)?.type, key).toBe(type)
      if (!needed) expect(after.get(key)?.needed, key).toBe(false)
    }
    const added = [...after.values()].filter(({ key }) => !before.has(key) && tables.has(key.split('.')[0]))
    expect(added.length > 0).toBe(applied.length > 0)
    expect(added.filter(({ needed }) => needed)).toEqual([])
    await addUser(db)
    await addSession(db)
  })
})
