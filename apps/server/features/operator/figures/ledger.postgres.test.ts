import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../../test/support/databases/waiting.ts'
import { startTestService } from '../../../../../test/support/service.ts'
import { statementsDuring } from '../../../../../test/support/statements.ts'

test('checks of the books that are asked for at once read them once', async () => {
  const service = await startTestService({ withoutLimits: true })
  const ask = () => service.operator('GET', '/ledger/check')
  await ask()
  const statements = await statementsDuring(service, async () => {
    const asked = await service.db.transaction().execute(async (tx) => {
      await sql`lock table ledger_entries in access exclusive mode`.execute(tx)
      const begun = outside(() => Promise.all(Array.from({ length: 6 }, ask)))
      await untilWaits(tx, begun)
      return { begun }
    })
    for (const { body } of await asked.begun) expect(body.data.imbalance).toBe(0)
  })
  expect(statements.filter((statement) => statement.includes('imbalance'))).toHaveLength(1)
  expect((await ask()).body.data.imbalance).toBe(0)
  await service.stop()
})
