import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { prepared } from '../client.ts'

const database = useTestDatabase()

const quotient = prepared<[number], { value: number }>('select 1000 / $1::int as value')

test('hot reads come back after every connection was cut', async () => {
  await Promise.all(Array.from({ length: 20 }, () => quotient(database().db, 1)))
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(database().db)
  await expect
    .poll(() => Promise.all(Array.from({ length: 20 }, () => quotient(database().db, 1))).catch(() => []))
    .toHaveLength(20)
})
