import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import type { Db } from '../../../db/client.ts'
import type { InboundRef } from '../live-queries.ts'
import { InboundCache } from './inbounds.ts'

const vless: InboundRef = { server_id: 1, protocol: 'vless', location_id: 1 }
const trojan: InboundRef = { server_id: 1, protocol: 'trojan', location_id: 1 }

/** Answers with the fleet as it is when it is asked, once it is let go. */
const database = () => {
  const fleet = { version: 1, address: 'one' }
  const asked: unknown[] = []
  const held: (() => void)[] = []
  let isHeld = false
  const executeQuery = async ({ parameters }: CompiledQuery) => {
    const [servers, protocols] = parameters as [number[], string[]]
    asked.push(protocols)
    const { version, address } = fleet
    if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
    const rows = servers.map((_, at) => ({ at: at + 1, fleet_version: version, address }))
    return { rows: rows.filter((_, at) => protocols[at] !== 'none') }
  }
  const hold = () => {
    isHeld = true
    return () => {
      isHeld = false
      for (const go of held.splice(0)) go()
    }
  }
  return { fleet, asked, hold, db: { executeQuery } as unknown as Db }
}

const addresses = async (cache: InboundCache, refs: readonly InboundRef[], version: number) =>
  (await cache.of(refs, version)).map((inbound) => inbound?.address)

describe('what is asked of the database', () => {
  test('each inbound once, those of one turn together', async () => {
    const { asked, db } = database()
    const cache = new InboundCache(db)
    expect(await addresses(cache, [vless, trojan], 1)).toEqual(['one', 'one'])
    await Promise.all([addresses(cache, [vless], 1), addresses(cache, [trojan, vless], 1)])
    expect(asked).toEqual([['vless', 'trojan']])
  })

  test('all of them again once the fleet is another one', async () => {
    const { fleet, asked, db } = database()
    const cache = new InboundCache(db)
    await addresses(cache, [vless], 1)
    Object.assign(fleet, { version: 2, address: 'two' })
    expect(await addresses(cache, [vless], 2)).toEqual(['two'])
    expect(await addresses(cache, [vless], 2)).toEqual(['two'])
    expect(asked).toHaveLength(2)
  })

  test('what was read before the fleet changed is not kept for after it', async () => {
    const { fleet, hold, db } = database()
    const cache = new InboundCache(db)
    const release = hold()
    const early = addresses(cache, [vless], 1)
    await new Promise(setImmediate)
    Object.assign(fleet, { version: 2, address: 'two' })
    release()
    expect(await addresses(cache, [trojan], 2)).toEqual(['two'])
    expect(await early).toEqual(['one'])
    expect(await addresses(cache, [vless, trojan], 2)).toEqual(['two', 'two'])
  })

  test('an inbound that is missing is asked for again', async () => {
    const { asked, db } = database()
    const cache = new InboundCache(db)
    const missing = { ...vless, protocol: 'none' }
    for (let n = 0; n < 2; n++)
      expect(await addresses(cache, [vless, missing], 1)).toEqual(['one', undefined])
    expect(asked).toEqual([['vless', 'none'], ['none']])
  })

  test('no more are kept than were allowed', async () => {
    const { asked, db } = database()
    const cache = new InboundCache(db, 1)
    for (let n = 0; n < 2; n++) for (const ref of [vless, trojan]) await cache.of([ref], 1)
    expect(asked).toHaveLength(4)
  })
})

describe('the next fetch sees', () => {
  let service: TestService
  let user: TestUser
  let serverId: number
  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
    await service.heartbeat()
    user = await service.createUser({ balance: 10_000 })
    serverId = (await service.buy(user, { protocol: 'trojan' })).server_id
  })
  afterAll(() => service.stop())

  /** Whoever changes an inbound raises the revisions too; here only what is remembered of it matters. */
  const links = async (): Promise<string> => {
    await service.db
      .updateTable('subscriptions')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .execute()
    const { body } = await service.call('GET', `/sub/${user.subscription_key}?format=links&lang=en`)
    return decodeURIComponent(String(body))
  }
  const versionOf = async () =>
    (await service.db.selectFrom('fleet_version').select('version').executeTakeFirstOrThrow()).version

  test.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'another address of the node',
      () => service.db.updateTable('nodes').set({ address: '203.0.113.77' }).execute(),
      /@203\.0\.113\.77:/,
    ],
    [
      'another name of the location',
      () => service.db.updateTable('locations').set({ title_en: 'Elsewhere' }).execute(),
      /Elsewhere/,
    ],
    [
      'another port of the inbound',
      () =>
        service.db
          .updateTable('inbounds')
          .set({ port: 12_345 })
          .where('server_id', '=', serverId)
          .where('protocol', '=', 'trojan')
          .execute(),
      /:12345\?/,
    ],
  ])('%s', async (_name, change, seen) => {
    expect(await links()).not.toMatch(seen)
    expect(await links()).not.toMatch(seen)
    const before = await versionOf()
    await change()
    expect(await versionOf()).toBeGreaterThan(before)
    expect(await links()).toMatch(seen)
  })

  test('what does not concern links raises nothing', async () => {
    const before = await versionOf()
    await service.heartbeat()
    await service.buy(user)
    await service.db.updateTable('locations').set({ caption_en: 'Near' }).execute()
    expect(await versionOf()).toBe(before)
  })
})
