import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountOf } from '../../../../test/support/people/account.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { linksOf } from '../../../../test/support/subscription.ts'

/** A rendered answer may be kept by the subscription's revision: whatever changes the answer raises it. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const delivered = async (user: TestUser) => {
  const { body } = await service.call('GET', `/sub/${user.subscription_key}`)
  const row = await service.db
    .selectFrom('subscriptions')
    .select('revision')
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  return { links: linksOf(body), revision: row.revision }
}

const extended = { use_extended_settings: true }
const day = 86_400

interface Bought {
  readonly user: TestUser
  readonly id: number
  readonly xray: string
}

const patch = (at: Bought, path: string, body: object) => service.customer(at.user, 'PATCH', path, body)

const moveNode = async ({ id }: Bought) => {
  const { node_id } = await service.db
    .selectFrom('placements')
    .select('node_id')
    .where('access_id', '=', id)
    .executeTakeFirstOrThrow()
  await service.db.updateTable('nodes').set({ address: '192.0.2.77' }).where('id', '=', node_id).execute()
}

const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
  await service.running.runJobs()
}

/** An answer that takes another form, or other content, for the same key. */
const changes: [name: string, change: (at: Bought) => Promise<unknown>][] = [
  ['a purchase', ({ user }) => service.buy(user)],
  ['a title', (at) => patch(at, `/configs/title/${at.id}`, { title: 'Дача' })],
  [
    'another protocol',
    (at) => patch(at, `/configs/${at.id}/settings`, { location_id: 1, protocol: 'trojan' }),
  ],
  [
    'another place',
    (at) => patch(at, `/configs/${at.id}/settings`, { location_id: 2, protocol: 'vless', ...extended }),
  ],
  [
    'an edited Xray',
    (at) => {
      const json = JSON.parse(at.xray)
      json.inbounds[0].streamSettings.realitySettings.shortIds = ['ccdd']
      return patch(at, `/configs/${at.id}/XrayConfig`, { xray_config: JSON.stringify(json) })
    },
  ],
  ['its end', () => pass(30 * day)],
]

describe('the revision of a subscription rises with', () => {
  test.each(changes)('%s', async (_name, change) => {
    await service.heartbeat()
    const user = await service.createUser({ balance: 10_000 })
    const config = await service.buy(user, extended)
    const before = await delivered(user)
    await change({ user, id: config.id, xray: config.xray_config })
    const after = await delivered(user)
    expect(after.links).not.toEqual(before.links)
    expect(after.revision).toBeGreaterThan(before.revision)
  })

  test('a renewal of what had ended', async () => {
    await service.heartbeat()
    const user = await service.createUser({ balance: 10_000 })
    const { id } = await service.buy(user)
    await pass(30 * day)
    const before = await delivered(user)
    await service.customer(user, 'POST', `/configs/renewal/${id}`, { payment_method_id: 1 })
    const after = await delivered(user)
    expect(after.links).not.toEqual(before.links)
    expect(after.revision).toBeGreaterThan(before.revision)
  })

  test.each([
    ['another address of its node', (at: Bought) => moveNode(at)],
    [
      'another name of its location',
      () => service.db.updateTable('locations').set({ title_ru: 'Там' }).execute(),
    ],
  ])('%s', async (_name, change) => {
    await service.heartbeat()
    const user = await service.createUser({ balance: 1000 })
    const { id } = await service.buy(user)
    const before = await delivered(user)
    await change({ user, id, xray: '' })
    const after = await delivered(user)
    expect(after.links).not.toEqual(before.links)
    expect(after.revision).toBe(before.revision + 1)
  })

  test('what leaves one account, and arrives at another', async () => {
    await service.heartbeat()
    const [source, target] = [await service.createUser({ balance: 1000 }), await service.createUser()]
    await service.buy(source)
    await service.buy(source)
    const [from, to] = [await delivered(source), await delivered(target)]
    expect((await accountOf(service).move(source, target)).status).toBe(200)
    const [left, arrived] = [await delivered(source), await delivered(target)]
    expect(arrived.links).toEqual(from.links)
    expect([left.revision, arrived.revision]).toEqual([from.revision + 1, to.revision + 1])
  })
})

test('what changes nothing in the answer leaves the revision, and nobody else’s rises', async () => {
  await service.heartbeat()
  const [user, other] = [await service.createUser({ balance: 1000 }), await service.createUser()]
  const { id } = await service.buy(user)
  const [before, others] = [await delivered(user), await delivered(other)]
  await patch({ user, id, xray: '' }, `/configs/${id}/auto-renewal`, { enabled: true, days: 30 })
  await service.db.updateTable('meters').set({ up: 5, down: 5 }).where('access_id', '=', id).execute()
  expect(await delivered(user)).toEqual(before)
  await service.buy(user)
  expect(await delivered(other)).toEqual(others)
})
