import type { Role } from '@sallyport/contract/operation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const person = async (role: Role) => {
  const name = crypto.randomUUID()
  const token = await createOperator(service.db, { name, role, now: service.clock.now() })
  const { id } = await service.db
    .selectFrom('operators')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirstOrThrow()
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/operator/v1${path}`, { token, body })
  return { id, name, token, call, path: `/operators/${id}/tokens` }
}

const works = async (token: string): Promise<number> =>
  (await service.call('GET', '/operator/v1/nodes', { token })).status

const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

test('the first token of an operator is listed and can be revoked, once', async () => {
  const olga = await person('support')
  expect(await works(olga.token)).toBe(200)
  const { status, body } = await service.operator('GET', olga.path)
  const [first] = body.data
  expect([status, body.data]).toEqual([
    200,
    [
      {
        id: expect.any(Number),
        title: olga.name,
        prefix: olga.token.split('_')[1],
        operations: null,
        created_at: service.clock.now(),
        expires_at: null,
        last_used_at: null,
      },
    ],
  ])
  const revoked = await service.operator('DELETE', `${olga.path}/${first.id}`)
  expect([revoked.status, revoked.body.data]).toEqual([200, true])
  expect(await lastAudit()).toMatchObject({
    action: 'revokeOperatorToken',
    subject: `operator:${olga.id}`,
    details: { before: { token_id: first.id, title: olga.name }, after: null },
  })
  expect(await works(olga.token)).toBe(401)
  expect((await service.operator('DELETE', `${olga.path}/${first.id}`)).status).toBe(404)
  expect((await service.operator('GET', olga.path)).body.data).toEqual([])
})

test('a new token is shown once, works beside the others, and ends when it was said to', async () => {
  const olga = await person('finance')
  const body = { title: 'bookkeeping', expires_in_days: 2 }
  const made = await olga.call('POST', olga.path, body)
  expect(made.status).toBe(201)
  const { token, ...row } = made.body.data
  expect(token).toMatch(/^slo_[0-9A-Za-z]{8}_[0-9A-Za-z]{24}$/)
  expect(row).toMatchObject({ title: 'bookkeeping', expires_at: service.clock.now() + 2 * 86_400 })
  const logged = await lastAudit()
  expect(logged).toMatchObject({ action: 'createOperatorToken', subject: `operator:${olga.id}` })
  expect(JSON.stringify(logged)).not.toContain(token)
  expect([await works(token), await works(olga.token)]).toEqual([200, 200])
  await service.running.runJobs()
  const { data } = (await olga.call('GET', olga.path)).body
  expect(data.map((one: { last_used_at: number }) => one.last_used_at)).toEqual([
    service.clock.now(),
    service.clock.now(),
  ])
  service.clock.advance(2 * 86_400)
  expect([await works(token), await works(olga.token)]).toEqual([401, 200])
})

test('a token for some operations calls these and no others', async () => {
  const olga = await person('support')
  const make = (operations: string[]) => olga.call('POST', olga.path, { title: 'program', operations })
  const { token } = (await make(['listNodes'])).body.data
  expect(await works(token)).toBe(200)
  const me = await service.call('GET', '/operator/v1/me', { token })
  expect(me.body.data.operations.sort()).toEqual(['listNodes', 'showMe'])
  const refused = await service.call('GET', '/operator/v1/alerts', { token })
  expect([refused.status, refused.body.errorCode]).toEqual([403, 4])
  for (const wrong of ['nothing', 'createNode', 'createOperatorToken', 'toString', 'buyConfig']) {
    const { status, body } = await make(['listNodes', wrong])
    expect([status, body.details[0].path], wrong).toEqual([400, 'operations.1'])
  }
})

describe('who is no owner', () => {
  test('sees and revokes its own tokens and nobody else’s', async () => {
    const [olga, pavel] = [await person('support'), await person('finance')]
    const [theirs] = (await pavel.call('GET', pavel.path)).body.data
    expect((await olga.call('GET', pavel.path)).status).toBe(404)
    expect((await olga.call('POST', pavel.path, { title: 'x' })).status).toBe(404)
    expect((await olga.call('DELETE', `${pavel.path}/${theirs.id}`)).status).toBe(404)
    expect((await olga.call('DELETE', `${olga.path}/${theirs.id}`)).status).toBe(404)
    expect(await works(pavel.token)).toBe(200)
    const [own] = (await olga.call('GET', olga.path)).body.data
    expect((await olga.call('DELETE', `${olga.path}/${own.id}`)).status).toBe(200)
    expect(await works(olga.token)).toBe(401)
  })
})

test('an operator has so many tokens and no more', async () => {
  const olga = await person('support')
  for (let n = 1; n < 50; n++) expect((await olga.call('POST', olga.path, { title: 'x' })).status).toBe(201)
  const refused = await olga.call('POST', olga.path, { title: 'x' })
  expect([refused.status, refused.body.errorCode]).toEqual([409, 6])
})
