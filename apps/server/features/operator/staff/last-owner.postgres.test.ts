import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { insertOperatorWithToken } from '../../../core/operators/operators.ts'

/** Somebody may always let others in, however many leave at once. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

/** The only owners there are. */
const onlyOwners = async (count: number) => {
  await service.db.updateTable('operators').set({ role: 'support' }).execute()
  const people = Array.from({ length: count }, () =>
    insertOperatorWithToken(service.db, { name: 'owner', role: 'owner', now: service.clock.now() }),
  )
  return (await Promise.all(people)).map(({ id, token }) => ({
    id,
    change: (other: number, body: object) =>
      service.call('PATCH', `/operator/v1/operators/${other}`, { token, body }),
  }))
}

const countOwners = async (): Promise<number> => {
  const owners = service.db
    .selectFrom('operators')
    .where('role', '=', 'owner')
    .where('revoked_at', 'is', null)
  return (await owners.select('id').execute()).length
}

test('the last owner can be neither switched off nor given another role', async () => {
  const [owner] = await onlyOwners(1)
  for (const [fields, path] of [
    [{ is_active: false }, 'is_active'],
    [{ role: 'support' }, 'role'],
    [{ role: 'technician', is_active: false }, 'is_active'],
  ] as const) {
    const { status, body } = (await owner?.change(owner.id, fields)) ?? {}
    expect([status, body.errorCode, body.details[0].path]).toEqual([409, 6, path])
  }
  const harmless = await owner?.change(owner.id, { name: 'still', role: 'owner', is_active: true })
  expect(harmless?.status).toBe(200)
  expect(await countOwners()).toBe(1)
})

test('one who is switched off is no owner who is left', async () => {
  const [first, second] = await onlyOwners(2)
  expect((await first?.change(second?.id ?? 0, { is_active: false }))?.status).toBe(200)
  expect((await first?.change(first.id, { role: 'finance' }))?.status).toBe(409)
  expect((await first?.change(second?.id ?? 0, { is_active: true }))?.status).toBe(200)
  expect((await first?.change(first.id, { role: 'finance' }))?.status).toBe(200)
})

test.each([2, 3, 5])('of %i owners who switch each other off at once one is left', async (count) => {
  for (let round = 0; round < 8; round++) {
    const owners = await onlyOwners(count)
    const answers = await Promise.all(
      owners.map(({ change }, at) => {
        const next = owners[(at + 1) % count]?.id ?? 0
        return change(next, (round + at) % 2 ? { is_active: false } : { role: 'support' })
      }),
    )
    expect(await countOwners()).toBeGreaterThanOrEqual(1)
    for (const { status } of answers) expect([200, 401, 403, 409]).toContain(status)
  }
})

test.each([2, 4])('of %i owners who leave at once one stays', async (count) => {
  const owners = await onlyOwners(count)
  const answers = await Promise.all(owners.map(({ id, change }) => change(id, { role: 'support' })))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([...Array<number>(count - 1).fill(200), 409])
  expect(await countOwners()).toBe(1)
})
