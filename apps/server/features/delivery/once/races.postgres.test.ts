import { afterAll, beforeAll, expect, test } from 'vitest'
import { outside, untilWaits } from '../../../../../test/support/databases/waiting.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { inTransaction } from '../../../db/client.ts'

/** What only many connections at once can show. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, content: 'demo' })
  await service.heartbeat()
})
afterAll(() => service.stop())

/** A link that somebody else holds for a moment, and a request that comes then; before it is let go, its owner takes new keys. */
const openedMeanwhile = async () => {
  const owner = await service.createUser({ balance: 5000 })
  const config = await service.buy(owner)
  const { data: link } = (await service.customer(owner, 'POST', '/one-time-links', { config_id: config.id }))
    .body
  const body = { key: new URL(link.url).hash.slice(1) }
  const open = () => service.call('POST', '/v1/one-time-links/open', { body })
  const held = await inTransaction(service.db, async (tx) => {
    await tx.selectFrom('one_time_links').select('id').where('id', '=', link.id).forUpdate().execute()
    const answer = outside(open)
    await untilWaits(tx, answer)
    await outside(() => service.customer(owner, 'POST', `/configs/${config.id}/resetCredentials`))
    return { answer }
  })
  const answer = await held.answer
  const [kept] = (await service.customer(owner, 'GET', '/one-time-links')).body.data
  return { answer, kept }
}

test('keys that are made while a link is being opened are not shown, and it is not spent', async () => {
  const { answer, kept } = await openedMeanwhile()
  expect([answer.status, answer.body.message]).toEqual([404, 'NOT_FOUND'])
  expect(kept.used_at).toBeNull()
})
