import { afterAll, beforeAll, expect, test } from 'vitest'
import { addLocation, enrolNode } from '../../../test/support/node.ts'
import { accountOf } from '../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../test/support/service.ts'

const day = 86_400

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

/** What an agent does with what it is told. */
const follow = (
  known: Map<string, unknown>,
  state: { kind: string; accesses: readonly { id: string }[]; removed?: readonly string[] },
) => {
  if (state.kind === 'snapshot') known.clear()
  for (const access of state.accesses) known.set(access.id, access)
  for (const id of state.removed ?? []) known.delete(id)
}

test('check 41: a node that was away for five days gets what is right now, and its counters are exact', async () => {
  const locationId = await addLocation(service)
  const node = await enrolNode(service, locationId)
  await node.report()
  const place = { location_id: locationId, server_id: node.serverId }
  const people: Record<string, TestUser> = {}
  const ids: Record<string, string> = {}
  for (const name of ['stays', 'ends', 'blocked', 'deleted', 'renews']) {
    people[name] = await service.createUser({ balance: 5000 })
    ids[name] = `a${(await service.buy(people[name] as TestUser, place)).id}`
  }
  const { get, erase, broken, signInAgain } = accountOf(service)
  const known = new Map<string, unknown>()
  const first = await node.poll(0)
  follow(known, first)
  expect([...known.keys()].sort()).toEqual(Object.values(ids).sort())
  const before = new Map(known)
  const traffic = (boot_id: string, bytes: number) =>
    Object.values(ids).map((id) => ({ boot_id, id, up: bytes, down: 10 * bytes }))
  await node.report({ applied_revision: first.revision, traffic: traffic('boot-1', 100) })

  // Away; meanwhile it goes on serving whom it knew, and counts.
  expect(
    (await service.operator('PATCH', `/users/${people.blocked?.id}/blocked`, { is_blocked: true })).status,
  ).toBe(200)
  for (let hours = 0; hours < 5 * 24; hours += 12) {
    service.clock.advance(day / 2)
    await service.running.runJobs()
  }
  const ending = ids.ends?.slice(1)
  await service.db
    .updateTable('terms')
    .set({ expires_at: service.clock.now() - 1 })
    .where('id', 'in', service.db.selectFrom('accesses').select('term_id').where('id', '=', Number(ending)))
    .execute()
  await service.running.runJobs()
  expect((await erase(await signInAgain(people.deleted as TestUser))).status).toBe(200)
  const renewing = people.renews as TestUser
  const [renewed] = await get(renewing, '/configs')
  expect((await service.customer(renewing, 'POST', `/configs/${renewed.id}/resetCredentials`)).status).toBe(
    200,
  )
  const sold = await service.customer(people.stays as TestUser, 'POST', '/configs', {
    ...place,
    protocol: 'vless',
    payment_method_id: 1,
    tariff_id: 1,
  })
  expect(sold.status, 'nothing is sold at a node that is away').toBe(409)

  // Back, under the same boot and after a restart of its engine, with a report that is repeated.
  const returned = await node.poll(first.revision)
  follow(known, returned)
  expect([...known.keys()].sort()).toEqual([ids.stays, ids.renews].sort())
  expect(known.get(ids.stays as string)).toEqual(before.get(ids.stays as string))
  expect(known.get(ids.renews as string)).not.toEqual(before.get(ids.renews as string))
  const last = {
    applied_revision: returned.revision,
    traffic: [...traffic('boot-1', 5000), ...traffic('boot-2', 70)],
  }
  for (let n = 0; n < 3; n++) expect((await node.report(last)).status).toBe(200)
  for (const name of ['stays', 'renews']) {
    const meter = await service.db
      .selectFrom('meters')
      .select(['up', 'down'])
      .where('access_id', '=', Number(ids[name]?.slice(1)))
      .executeTakeFirstOrThrow()
    expect(meter, name).toEqual({ up: 5070, down: 50_700 })
  }
  // Whoever asks for everything is told the same.
  const whole = new Map<string, unknown>()
  follow(whole, await node.poll(0))
  expect(Object.fromEntries(whole)).toEqual(Object.fromEntries(known))
  expect((await node.poll(returned.revision)).kind).toBe('unchanged')
  expect(await broken({ isAtRest: false })).toEqual([])
  const again = await service.buy(people.stays as TestUser, place)
  follow(known, await node.poll(returned.revision))
  expect([...known.keys()]).toContain(`a${again.id}`)
})
