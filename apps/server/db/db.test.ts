import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../test/support/databases/database.ts'
import { typedColumns } from '../../../test/support/databases/typed-columns.ts'
import { inSnapshot, inTransaction } from './client.ts'
import { migrate } from './migrate.ts'

const database = useTestDatabase()

const location = (id: number) => ({
  id,
  code: 'NL',
  title_ru: '',
  title_en: '',
  description_ru: '',
  description_en: '',
  caption_ru: '',
  caption_en: '',
  ping_ip: null,
})

test('types.ts names the tables and columns of the migrations, no more and no less', async () => {
  const { rows } = await sql<{ table_name: string; column_name: string }>`
    select c.table_name, c.column_name from information_schema.columns c
    join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migrations'
    order by 1, 2`.execute(database().db)
  const real = rows.map((row) => `${row.table_name}.${row.column_name}`)
  expect(typedColumns()).toEqual(real.sort())
})

test('bytes come as they are, and keep no more in memory than there are of them', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  const { rows } = await sql<{ none: Uint8Array; hash: Uint8Array; all: Uint8Array }>`
    select ''::bytea as none, sha256('') as hash, ${all}::bytea as all`.execute(database().db)
  const [row] = rows
  expect(Buffer.from(row?.all ?? [])).toEqual(all)
  expect([row?.none, row?.hash, row?.all].map((bytes) => bytes?.buffer.byteLength)).toEqual([0, 32, 256])
})

test('large numbers are numbers, alone and in lists', async () => {
  const { rows } = await sql<{ one: number; many: number[] }>`
    select 9007199254740991::bigint as one, array[1, 9007199254740991]::bigint[] as many`.execute(
    database().db,
  )
  expect(rows).toEqual([{ one: Number.MAX_SAFE_INTEGER, many: [1, Number.MAX_SAFE_INTEGER] }])
})

test('migrating again changes nothing', async () => {
  expect(await migrate(database())).toEqual([])
})

test('whether it answers is found out though others have every connection, and while a transaction has failed', async () => {
  const { engine } = database()
  const taken = await Promise.all(
    Array.from({ length: engine.kind === 'embedded' ? 1 : 10 }, () => engine.acquire()),
  )
  const [first] = taken
  await first?.query('begin', [])
  await expect(first?.query('select nonsense', [])).rejects.toThrow()
  const late = setTimeout(1000, 'late')
  expect(await Promise.race([Promise.all([engine.check(), engine.check()]), late])).not.toBe('late')
  await first?.query('rollback', [])
  for (const connection of taken) connection.release()
  await engine.check()
})

describe('transactions', () => {
  test('all or nothing', async () => {
    const attempt = inTransaction(database().db, async (tx) => {
      await tx.insertInto('locations').values(location(1)).execute()
      throw new Error('changed my mind')
    })
    await expect(attempt).rejects.toThrow('changed my mind')
    expect(await database().db.selectFrom('locations').select('id').execute()).toEqual([])
  })

  test('the outer handle inside a transaction is refused, not waited for', async () => {
    const attempt = inTransaction(database().db, () =>
      database().db.selectFrom('locations').selectAll().execute(),
    )
    await expect(attempt).rejects.toThrow('inside a transaction')
  })

  test('a swallowed failure cannot be committed', async () => {
    const attempt = inTransaction(database().db, async (tx) => {
      await tx.insertInto('locations').values(location(2)).execute()
      await sql`select no_such_column from locations`.execute(tx).catch(() => undefined)
    })
    await expect(attempt).rejects.toThrow('swallowed')
    expect(await database().db.selectFrom('locations').select('id').execute()).toEqual([])
  })

  test('reads of a snapshot see one moment', async () => {
    const seen = await inSnapshot(database().db, async (tx) => {
      const { rows } = await sql<{
        level: string
      }>`select current_setting('transaction_isolation') as level`.execute(tx)
      return rows[0]?.level
    })
    expect(seen).toBe('repeatable read')
  })

  test('messages arrive when their transaction commits, and not when it does not', async () => {
    const heard: string[] = []
    await database().engine.listen('sallyport', {
      onMessage: (text) => heard.push(text),
      onLive: () => undefined,
    })
    const notify = (text: string, fail: boolean) =>
      inTransaction(database().db, async (tx) => {
        await sql`select pg_notify('sallyport', ${text})`.execute(tx)
        if (fail) throw new Error('no')
      }).catch(() => undefined)
    await notify('lost', true)
    await notify('kept', false)
    await expect.poll(() => heard).toEqual(['kept'])
  })
})
