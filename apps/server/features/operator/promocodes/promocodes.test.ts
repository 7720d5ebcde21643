import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import { issuePromocode, redeemPromocode } from '../../../core/sales/promocodes.ts'
import { inTransaction } from '../../../db/client.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser()
})
afterAll(() => service.stop())

const codeShape = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/
const order = { product_type: 'configs', days: 30, count: 1 }
const path = '/operator/v1/promocodes'
const send = (body: object, headers: Record<string, string> = {}) =>
  service.call('POST', path, { token: service.operatorToken, body: { ...order, ...body }, headers })
const issue = async (body: object = {}): Promise<string[]> => {
  const answer = await send(body)
  expect(answer.status).toBe(201)
  return answer.body.data.codes
}
const list = async (query = '') => (await service.operator('GET', `/promocodes${query}`)).body.data
const newest = async () => (await list('?limit=1'))[0]
const revoke = (id: number) => service.operator('DELETE', `/promocodes/${id}`)
const redeem = (code: string) =>
  inTransaction(service.db, (tx) =>
    redeemPromocode(tx, service.running.services.vault, {
      code,
      product: 'configs',
      productId: null,
      userId: user.id,
      now: service.clock.now(),
    }),
  )
const buyKey = async (buyerId: number, expiresAt?: number) => {
  const now = service.clock.now()
  const key = { product: 'configs', days: 90, buyerId, expiresAt, now } as const
  return issuePromocode(service.db, service.running.services.vault, key)
}
const mask = (code: string) => `${code.slice(0, 4)}-••••-••••-${code.slice(-4)}`
const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

/** Every row of every table, as text; bytes show as hexadecimal digits. */
const dump = async (): Promise<string> => {
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public'`.execute(service.db)
  const texts = await Promise.all(
    tables.rows.map(async ({ name }) => {
      const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.id(name)} t`.execute(
        service.db,
      )
      return rows.map(({ row }) => row).join('\n')
    }),
  )
  return texts.join('\n').toLowerCase()
}

describe('POST /promocodes', () => {
  test('issues as many keys as asked, each of which works once', async () => {
    const codes = await issue({ count: 3 })
    expect(new Set(codes).size).toBe(3)
    for (const code of codes) {
      expect(code).toMatch(codeShape)
      expect(await redeem(code)).toMatchObject({ days: 30, isGift: true })
    }
    expect(await issue({ count: 1000, product_type: 'cloud_servers' })).toHaveLength(1000)
  })

  test('is audited by ids, and nothing kept shows a code', async () => {
    const answer = await send({ count: 2, days: 7 }, { 'idempotency-key': 'dump' })
    const entry = await lastAudit()
    expect(entry).toMatchObject({ action: 'issuePromocodes', subject: 'promocodes' })
    const ids = (await list('?limit=2')).map((row: { id: number }) => row.id).reverse()
    expect(entry.details).toEqual({
      after: { product_type: 'configs', days: 7, count: 2, expires_at: null, ids },
    })
    const kept = await dump()
    expect(kept).toContain('issuepromocodes')
    for (const code of answer.body.data.codes as string[]) {
      for (const text of [code, code.replaceAll('-', '')]) {
        expect(kept).not.toContain(text.toLowerCase())
        expect(kept).not.toContain(Buffer.from(text).toString('hex'))
      }
    }
  })

  test('with an Idempotency-Key issues once and answers the same', async () => {
    const before = (await newest()).id
    const answers = await Promise.all([1, 2, 3].map(() => send({ count: 5 }, { 'idempotency-key': 'five' })))
    expect(new Set(answers.map((answer) => JSON.stringify(answer.body))).size).toBe(1)
    expect((await list('?limit=500')).filter((row: { id: number }) => row.id > before)).toHaveLength(5)
    expect((await send({ count: 6 }, { 'idempotency-key': 'five' })).status).toBe(409)
  })

  test('refuses an end that has passed', async () => {
    const { status, body } = await send({ expires_at: service.clock.now() })
    expect([status, body.errorCode, body.details[0].path]).toEqual([400, 3, 'expires_at'])
    expect(await issue({ expires_at: service.clock.now() + 1 })).toHaveLength(1)
    expect(await issue({ expires_at: null })).toHaveLength(1)
  })

  test.each([
    [{ count: 0 }],
    [{ count: 1001 }],
    [{ count: 1.5 }],
    [{ days: 0 }],
    [{ days: 3651 }],
    [{ product_type: 'all' }],
    [{ code: 'ABCD' }],
  ])('refuses %j', async (body) => {
    expect((await send(body)).status).toBe(400)
  })
})

test('owner and finance may issue and revoke, support may look, nobody else may anything', async () => {
  const now = service.clock.now()
  for (const role of ['support', 'finance'] as const) {
    const token = await createOperator(service.db, { name: role, role, now })
    const isSupport = role === 'support'
    const issued = await service.call('POST', path, { token, body: order })
    expect(issued.status).toBe(isSupport ? 403 : 201)
    const { id } = (await service.call('GET', path, { token })).body.data[0]
    const revoked = await service.call('DELETE', `${path}/${id}`, { token })
    expect(revoked.status).toBe(isSupport ? 403 : 200)
  }
  for (const token of [user.api_key, user.session_token, undefined]) {
    const as = token === undefined ? {} : { token }
    expect((await service.call('POST', path, { ...as, body: order })).status).toBe(401)
    expect((await service.call('GET', path, as)).status).toBe(401)
    expect((await service.call('DELETE', `${path}/1`, as)).status).toBe(401)
  }
})

describe('GET /promocodes', () => {
  test('shows issued and bought keys, newest first, with their middle hidden', async () => {
    const now = service.clock.now()
    const [gift] = (await issue({ expires_at: now + 60 })) as [string]
    const bought = await buyKey(user.id)
    await redeem(bought.code)
    const [second, first] = await list('?limit=2')
    const common = { product_type: 'configs', revoked_at: null, created_at: now }
    expect(first).toEqual({
      ...common,
      id: expect.any(Number),
      code: mask(gift),
      days: 30,
      is_active: true,
      buyer_id: null,
      used_by: null,
      used_at: null,
      expires_at: now + 60,
    })
    expect(second).toEqual({
      ...common,
      id: bought.id,
      code: mask(bought.code),
      days: 90,
      is_active: false,
      buyer_id: user.id,
      used_by: user.id,
      used_at: now,
      expires_at: null,
    })
    service.clock.advance(60)
    expect((await list('?limit=2'))[1].is_active).toBe(false)
  })

  test('pages back from an id, and picks by class and by use', async () => {
    await issue({ count: 4, product_type: 'paid_options' })
    const all = await list('?product_type=paid_options')
    expect(all).toHaveLength(4)
    const older = await list(`?product_type=paid_options&limit=2&before=${all[1].id}`)
    expect(older).toEqual(all.slice(2))
    await revoke(all[0].id)
    const ids = async (query: string) => (await list(query)).map((row: { id: number }) => row.id)
    const allIds = all.map((row: { id: number }) => row.id)
    expect(await ids('?product_type=paid_options&is_active=true')).toEqual(allIds.slice(1))
    expect(await ids('?product_type=paid_options&is_active=false')).toEqual(allIds.slice(0, 1))
    expect(await list()).toHaveLength(50)
  })
})

describe('DELETE /promocodes/:id', () => {
  test('makes an unused key worthless, once', async () => {
    const [code] = (await issue()) as [string]
    const { id } = await newest()
    const { status, body } = await revoke(id)
    expect([status, body.data]).toEqual([200, true])
    expect(await newest()).toMatchObject({ id, is_active: false, revoked_at: service.clock.now() })
    const entry = await lastAudit()
    expect(entry).toMatchObject({ action: 'revokePromocode', subject: `promocode:${id}` })
    expect(entry.details).toEqual({
      before: { product_type: 'configs', days: 30, buyer_id: null },
      after: null,
    })
    await expect(redeem(code)).rejects.toMatchObject({ code: 'PROMOCODE_INVALID' })
    const again = await revoke(id)
    expect([again.status, again.body.errorCode]).toEqual([404, 1])
  })

  test('a used key is 409, an unknown one 404, and neither is audited', async () => {
    const [code] = (await issue()) as [string]
    const { id } = await newest()
    await redeem(code)
    const before = await lastAudit()
    const used = await revoke(id)
    expect([used.status, used.body.errorCode]).toEqual([409, 6])
    expect(used.body.details[0].problem).toContain('was used')
    const unknown = await revoke(999_999_999)
    expect([unknown.status, unknown.body.errorCode]).toEqual([404, 1])
    expect((await lastAudit()).id).toBe(before.id)
  })

  test('revoked and used at the same moment is one or the other', async () => {
    const codes = await issue({ count: 20 })
    const rows = (await list('?limit=20')).reverse()
    const results = await Promise.all(
      codes.map((code, at) =>
        Promise.all([
          redeem(code).then(
            () => 409,
            () => 200,
          ),
          revoke(rows[at].id).then(({ status }) => status),
        ]),
      ),
    )
    for (const [wanted, status] of results) expect(status).toBe(wanted)
  })
})
