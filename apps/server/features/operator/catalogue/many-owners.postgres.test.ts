import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

/** However many have something in a location, a change of its title reaches each of their subscriptions, once. */

const owners = Number(process.env.SALLYPORT_TEST_OWNERS ?? 3000)

let service: TestService
beforeAll(async () => {
  service = await startTestService()
  // Rows as purchases leave them, without what purchases set off.
  const statements = [
    'set local session_replication_role = replica',
    `insert into users (sign_in_method, referral_code, created_at)
     select 'authCode', 'MANY' || n, 0 from generate_series(1, ${owners}) n`,
    `insert into subscriptions (user_id, kind, key_sealed, key_hash, created_at)
     select id, 'account', '', sha256(referral_code::bytea), 0 from users where referral_code like 'MANY%'`,
    `insert into terms (user_id, product, item_id, expires_at, created_at)
     select id, 'configs', 1000000 + id, 2000000000, 0 from users where referral_code like 'MANY%'`,
    `insert into accesses (id, term_id, server_id, location_id, protocol, credential_nonce, created_at)
     select t.item_id, t.id, 1 + t.id % 2, 1, 'vless', decode(repeat('00', 16), 'hex'), 0
     from terms t join users u on u.id = t.user_id where u.referral_code like 'MANY%'`,
    'analyze',
  ]
  await service.db.transaction().execute(async (tx) => {
    for (const statement of statements) await tx.executeQuery(CompiledQuery.raw(statement))
  })
})
afterAll(() => service.stop())

const revisions = async () => {
  const { rows } = await sql<{ revision: number; count: number }>`
    select s.revision, count(*)::int as count from subscriptions s join users u on u.id = s.user_id
    where u.referral_code like 'MANY%' group by s.revision`.execute(service.db)
  return rows
}

test('a title is changed for all who are there in one go', async () => {
  const bystander = await service.createUser({ balance: 1000 })
  await service.buy(bystander, { location_id: 2 })
  const seen = () =>
    service.db
      .selectFrom('subscriptions')
      .select('revision')
      .where('user_id', '=', bystander.id)
      .executeTakeFirstOrThrow()
  const before = await seen()
  const change = async (path: string, body: object): Promise<number> => {
    const began = performance.now()
    const { status } = await service.operator('PATCH', path, body)
    expect(status).toBe(200)
    return Math.round(performance.now() - began)
  }
  const ms = await change('/locations/1', { title_en: 'Holland', code: 'nl' })
  expect(await revisions()).toEqual([{ revision: 2, count: owners }])
  const again = await change('/locations/1', { title_en: 'Netherlands' })
  expect(await revisions()).toEqual([{ revision: 3, count: owners }])
  const unseen = await change('/locations/1', { description_en: 'By the sea' })
  expect(await revisions()).toEqual([{ revision: 3, count: owners }])
  expect(await seen()).toEqual(before)
  console.log(`a title for ${owners}: ${ms} ms, ${again} ms; what no link says: ${unseen} ms`)
})

test('two places of one transaction are raised once, with who else changed', async () => {
  const before = (await revisions())[0]?.revision as number
  await service.db.transaction().execute(async (tx) => {
    await sql`update locations set title_en = title_en || '.' where id in (1, 2)`.execute(tx)
    await sql`update nodes set address = '203.0.113.9' where id = 1`.execute(tx)
    await sql`update terms set expires_at = expires_at + 1 where id in (
      select t.id from terms t join users u on u.id = t.user_id where u.referral_code like 'MANY%' limit 5)`.execute(
      tx,
    )
  })
  expect(await revisions()).toEqual([{ revision: before + 1, count: owners }])
})
