import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { drainingOf } from '../../../../test/support/draining.ts'
import type { EnrolledNode } from '../../../../test/support/node.ts'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

/** How something was, which its node carries beside how it is now. */

let service: TestService
let at: ReturnType<typeof drainingOf>
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, hasIdleRounds: true })
  at = drainingOf(service)
})
afterEach(async () => expect(await at.broken()).toEqual([]))
afterAll(() => service.stop())

/** A configuration with a proxy, both of which were moved and are held. */
const held = async () => {
  const made = await at.setUp(3)
  const config = await made.buy()
  const path = `/configs/${config.id}/subconfig`
  const proxy = (await service.customer(made.user, 'POST', path, { protocol: 'socks5' })).body.data
  await at.drain(made.first.serverId, { to_server_ids: [made.second.serverId] })
  await at.round()
  const copies = await at.copiesOn(made.first)
  expect(copies).toHaveLength(2)
  return { ...made, config, proxy, copies }
}
type Held = Awaited<ReturnType<typeof held>>

describe('ends with what it is a copy of, in the same moment', () => {
  const ways: [string, number, (made: Held) => Promise<unknown>][] = [
    [
      'new credentials',
      0,
      ({ user, config }) => service.customer(user, 'POST', `/configs/${config.id}/resetCredentials`),
    ],
    [
      'new credentials of everything',
      0,
      ({ user }) => service.call('POST', '/v1/profile/resetCredentials', { token: user.session_token }),
    ],
    [
      'a move of the customer’s own',
      0,
      ({ user, config, locationId, nodes }) =>
        service.customer(user, 'PATCH', `/configs/${config.id}/settings`, {
          location_id: locationId,
          protocol: 'vless',
          server_id: nodes[2]?.serverId,
        }),
    ],
    [
      'another proxy: the configuration’s own stays',
      1,
      ({ user, config }) =>
        service.customer(user, 'PATCH', `/configs/${config.id}/subconfig`, { protocol: 'http' }),
    ],
    [
      'no proxy: the configuration’s own stays',
      1,
      ({ user, config }) => service.customer(user, 'DELETE', `/configs/${config.id}/subconfig`),
    ],
    [
      'its end',
      0,
      async ({ config }) => {
        const { term_id: id } = await service.db
          .selectFrom('accesses')
          .select('term_id')
          .where('id', '=', config.id)
          .executeTakeFirstOrThrow()
        await service.db
          .updateTable('terms')
          .set({ expires_at: service.clock.now() - 1 })
          .where('id', '=', id)
          .execute()
        await at.round()
      },
    ],
  ]
  test.each(ways)('%s', async (_, left, act) => {
    const made = await held()
    const answer = (await act(made)) as { status?: number; body?: unknown } | undefined
    if (answer?.status) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    expect(await at.copiesOn(made.first)).toHaveLength(left)
  })

  test('another account', async () => {
    const { first, user } = await held()
    const other = await service.createUser()
    const moved = await accountOf(service).move(user, other)
    expect(moved.status, JSON.stringify(moved.body)).toBeLessThan(300)
    expect(await at.copiesOn(first)).toEqual([])
  })

  test('an option that is switched off, and comes back without', async () => {
    const { first, second, user } = await at.setUp(2)
    const option = (
      await service.operator('POST', '/paid-options', {
        key: 'switched',
        title_ru: 'Опция',
        title_en: 'Option',
        caption_ru: 'Слова',
        caption_en: 'Words',
        description_ru: 'Слова',
        description_en: 'Words',
        protocol: 'vless',
        server_ids: [first.serverId],
        tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
      })
    ).body.data
    await service.customer(user, 'POST', '/paid-options', {
      paid_option_id: option.id,
      payment_method_id: 1,
      tariff_id: option.tariffs[0].id,
    })
    await at.drain(first.serverId)
    await at.round()
    expect(await at.copiesOn(first)).toHaveLength(1)
    const path = `/users/${user.id}/paid-options/${option.id}`
    await service.operator('PATCH', path, { is_disabled: true, reason: 'asked' })
    expect(await at.copiesOn(first)).toEqual([])
    await service.operator('PATCH', path, { is_disabled: false, reason: 'asked' })
    expect((await at.carried(first)).size).toBe(0)
    expect((await at.carried(second)).size).toBe(1)
  })
})

const metersOf = (id: number) =>
  service.db.selectFrom('meters').select(['up', 'down']).where('access_id', '=', id).executeTakeFirstOrThrow()

test('what it carries is counted with the rest, also after its end', async () => {
  const { first, second, user, config, copies } = await held()
  const tell = (node: EnrolledNode, id: string, bytes: number) =>
    node.report({ traffic: [{ boot_id: 'xray-1', id, up: bytes, down: 2 * bytes }] })
  await tell(first, copies[0] as string, 1000)
  await tell(second, `a${config.id}`, 10)
  expect(await metersOf(config.id)).toEqual({ up: 1010, down: 2020 })
  await at.fetched(user)
  await at.round()
  await tell(first, copies[0] as string, 1500)
  expect(await metersOf(config.id)).toEqual({ up: 1510, down: 3020 })
  const { revision } = await first.poll(0)
  await first.report({ applied_revision: revision })
  await at.round()
  const kept = await service.db
    .selectFrom('held_accesses')
    .select('id')
    .where('access_id', '=', config.id)
    .execute()
  expect(kept).toEqual([])
})

test('a node that does not carry it stops nobody’s days and moves nothing', async () => {
  const { first, user, config, copies } = await held()
  const said = { not_carried: { inbounds: [], accesses: copies, unfit: [] } }
  for (let minute = 0; minute < 4; minute++) {
    await first.report(said)
    service.clock.advance(60)
    await at.round()
  }
  expect((await at.configOf(user, config.id)).is_online).toBe(false)
  expect(await service.db.selectFrom('uncarried').selectAll().execute()).toEqual([])
})

test('a delta names it, and that it is over', async () => {
  const { first, buy, user } = await at.setUp(2)
  const config = await buy()
  const { revision } = await first.poll(0)
  await at.drain(first.serverId)
  await at.round()
  const moved = await first.poll(revision)
  expect(moved.removed).toEqual([`a${config.id}`])
  const [copy] = moved.accesses.map(({ id }) => id)
  expect(copy).toMatch(/^a-\d+$/)
  await at.fetched(user)
  await at.round()
  expect(await first.poll(moved.revision)).toMatchObject({ removed: [copy], accesses: [] })
})

test('moved on before the app has fetched, both old places work', async () => {
  const { nodes, first, second, user, buy } = await at.setUp(3)
  const config = await buy()
  await at.drain(first.serverId, { to_server_ids: [second.serverId] })
  await at.round()
  await at.drain(second.serverId, { to_server_ids: [nodes[2]?.serverId] })
  await at.round()
  expect((await at.configOf(user, config.id)).server_id).toBe(nodes[2]?.serverId)
  expect([await at.copiesOn(first), await at.copiesOn(second)].map((copies) => copies.length)).toEqual([1, 1])
  await at.fetched(user)
  await at.round()
  expect([await at.copiesOn(first), await at.copiesOn(second)]).toEqual([[], []])
})

test('a fetch between two moves ends the first copy alone', async () => {
  const { nodes, first, second, user, buy } = await at.setUp(3)
  await buy()
  await at.drain(first.serverId, { to_server_ids: [second.serverId] })
  await at.round()
  await at.fetched(user)
  await at.drain(second.serverId, { to_server_ids: [nodes[2]?.serverId] })
  await at.round()
  expect(await at.copiesOn(first)).toEqual([])
  expect(await at.copiesOn(second)).toHaveLength(1)
})
