import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { inTransaction, prepared } from '../client.ts'

const database = useTestDatabase()

const quotient = prepared<[number], { value: number }>('select 1000 / $1::int as value')
const locationIds = prepared<[string], { id: number }>('select id from locations where code = $1')

test('of many hot reads at once each gets its own answer, and a failing one fails alone', async () => {
  const divisors = Array.from({ length: 600 }, (_, n) => n % 100)
  const outcomes = await Promise.allSettled(divisors.map((divisor) => quotient(database().db, divisor)))
  const seen = outcomes.map((outcome) =>
    outcome.status === 'fulfilled' ? outcome.value[0]?.value : 'failed',
  )
  expect(seen).toEqual(divisors.map((divisor) => (divisor === 0 ? 'failed' : Math.floor(1000 / divisor))))
})

test('a hot read sees its transaction when given it, and refuses the outer handle there', async () => {
  const inside = inTransaction(database().db, async (tx) => {
    await sql`insert into locations values (1, 'XX', '', '', '', '', '', '')`.execute(tx)
    expect(await locationIds(tx, 'XX')).toEqual([{ id: 1 }])
    await locationIds(database().db, 'XX')
  })
  await expect(inside).rejects.toThrow('inside a transaction')
  expect(await locationIds(database().db, 'XX')).toEqual([])
})
