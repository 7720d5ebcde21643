import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../test/support/databases/waiting.ts'
import { startTestService } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'

test('while reads are slow fewer may be worked on, and all again when nobody is left', async () => {
  const service = await startTestService({ withoutLimits: true, env: { MAX_WAITING_REQUESTS: '500' } })
  try {
    const user = await service.createUser()
    const mostWaiting = async () => {
      const { body } = await service.call('GET', '/metrics')
      return Number(/^sallyport_http_most_waiting (\d+)$/m.exec(body)?.[1])
    }
    const topUp = () =>
      service.call('POST', '/v1/profile/balance/topup', {
        token: user.api_key,
        headers: { 'idempotency-key': 'slow-reads-top-up' },
        body: { amount: 100, payment_method_id: 2 },
      })
    const profile = () => service.call('GET', '/v1/profile', { token: user.api_key })
    expect([(await profile()).status, await mostWaiting()]).toEqual([200, 500])
    const stays = await inTransaction(service.db, async (keys) => {
      await sql`lock table idempotency_keys in access exclusive mode`.execute(keys)
      const paying = outside(topUp)
      await untilWaits(keys, paying)
      const reads = await outside(() =>
        inTransaction(service.db, async (users) => {
          await sql`lock table users in access exclusive mode`.execute(users)
          const begun = outside(() => Promise.all(Array.from({ length: 16 }, profile)))
          await sleep(600)
          return { begun }
        }),
      )
      expect((await outside(() => reads.begun)).map(({ status }) => status)).toEqual(Array(16).fill(200))
      expect(await outside(mostWaiting)).toBe(100)
      return { paying }
    })
    expect((await stays.paying).status).toBeLessThan(300)
    expect(await mostWaiting()).toBe(500)
  } finally {
    await service.stop()
  }
})
