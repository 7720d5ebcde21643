import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CloudTests } from '../../../test/support/cloud-servers.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import { afterCommit, inTransaction } from '../db/client.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

test('a job that a purchase asks for runs once the purchase is committed, and outside of it', async () => {
  const errors = vi.spyOn(service.running.services.log, 'error')
  await service.heartbeat()
  const clouds = new CloudTests(service)
  const { id } = await clouds.order(await service.createUser({ balance: 10_000 }))
  await vi.waitFor(async () => expect((await clouds.machine(id))?.cloud_id).not.toBe(null), 1500)
  expect(errors.mock.calls).toEqual([])
})

test('what is left for after a commit is never done for what was rolled back', async () => {
  const done: string[] = []
  const failing = inTransaction(service.db, async () => {
    afterCommit(() => done.push('rolled back'))
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  await inTransaction(service.db, async () => {
    afterCommit(() => done.push('committed'))
    expect(done).toEqual([])
  })
  afterCommit(() => done.push('outside'))
  expect(done).toEqual(['committed', 'outside'])
})
