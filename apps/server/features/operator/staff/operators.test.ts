import { type Role, roles, rolesOf } from '@sallyport/contract/operation'
import { operationsOf, tablesFor } from '@sallyport/contract/tables'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ConsolePerson, secretOf } from '../../../../../test/support/people/console.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { insertOperatorWithToken } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const make = async (fields: object = {}) => {
  const { status, body } = await service.operator('POST', '/operators', {
    name: 'Olga',
    role: 'support',
    ...fields,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data
}

const change = (id: number, fields: object) => service.operator('PATCH', `/operators/${id}`, fields)

const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

const program = async (role: Role) => {
  const made = await insertOperatorWithToken(service.db, { name: role, role, now: service.clock.now() })
  const call = (method: string, path: string, body?: unknown) =>
    service.call(method, `/operator/v1${path}`, { token: made.token, body })
  return { ...made, call }
}

describe('a new operator', () => {
  test('is listed, comes without a token, and gets a link that no server sees the secret of', async () => {
    const now = service.clock.now()
    const {
      sign_in_link: link,
      link_expires_at: endsAt,
      ...row
    } = await make({ email: ' Olga@Example.com ' })
    expect(row).toEqual({
      id: expect.any(Number),
      name: 'Olga',
      email: 'olga@example.com',
      role: 'support',
      is_active: true,
      wants_alerts: true,
      has_passkey: false,
      signed_in_at: null,
      created_at: now,
      version: 1,
    })
    expect(link).toMatch(new RegExp(`^${service.running.url}/console/sign-in#[0-9A-Za-z]{43}$`))
    expect(endsAt).toBe(now + 3600)
    const [newest] = (await service.operator('GET', '/operators?limit=1')).body.data
    expect(newest).toEqual(row)
    expect((await service.operator('GET', `/operators/${row.id}/tokens`)).body.data).toEqual([])
    const kept = await service.db.selectFrom('operator_links').selectAll().execute()
    expect(JSON.stringify(kept)).not.toContain(secretOf(link))
  })

  test('is in the log without the address and the secret', async () => {
    const { id, sign_in_link: link } = await make({ email: 'secret@example.com', role: 'technician' })
    const entry = await lastAudit()
    expect(entry).toMatchObject({
      action: 'createOperator',
      subject: `operator:${id}`,
      details: { after: { name: 'Olga', role: 'technician', is_active: true }, changed: ['email'] },
    })
    expect(JSON.stringify(entry)).not.toMatch(/secret@/)
    expect(JSON.stringify(entry)).not.toContain(secretOf(link))
  })

  test('that is not active yet gets no link', async () => {
    expect(await make({ is_active: false })).toMatchObject({
      is_active: false,
      sign_in_link: null,
      link_expires_at: null,
    })
  })

  test('has an address of their own', async () => {
    await make({ email: 'taken@example.com' })
    const again = { name: 'Pavel', role: 'support', email: 'TAKEN@example.com' }
    const { status, body } = await service.operator('POST', '/operators', again)
    expect([status, body.errorCode, body.details[0].path]).toEqual([409, 6, 'email'])
    const { id } = await make()
    const changed = await change(id, { email: 'taken@example.com' })
    expect([changed.status, changed.body.details[0].path]).toEqual([409, 'email'])
  })

  test.each([
    [{ role: 'king' }, 'role'],
    [{ name: '' }, 'name'],
    [{ email: 'nobody' }, 'email'],
  ])('with %j is refused', async (fields, path) => {
    const body = { name: 'Olga', role: 'support', ...fields }
    const refused = await service.operator('POST', '/operators', body)
    expect([refused.status, refused.body.details[0].path]).toEqual([400, path])
  })

  test('is made once for a key, with the same link', async () => {
    const ask = () =>
      service.call('POST', '/operator/v1/operators', {
        token: service.operatorToken,
        body: { name: 'once', role: 'finance' },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await ask(), await ask()]
    expect(second.body).toEqual(first.body)
  })
})

describe('changing an operator', () => {
  test('answers the row and leaves what differs in the log', async () => {
    const { id } = await make({ email: 'before@example.com' })
    const { status, body } = await change(id, {
      name: 'Olga P.',
      role: 'finance',
      email: null,
      wants_alerts: false,
    })
    expect([status, body.data]).toEqual([
      200,
      expect.objectContaining({
        name: 'Olga P.',
        role: 'finance',
        email: null,
        wants_alerts: false,
        version: 2,
      }),
    ])
    const { details } = await lastAudit()
    expect(details).toEqual({
      before: { name: 'Olga', role: 'support', wants_alerts: true },
      after: { name: 'Olga P.', role: 'finance', wants_alerts: false },
      changed: ['email'],
    })
  })

  test('is told when somebody else was quicker', async () => {
    const { id } = await make()
    expect((await change(id, { name: 'first', version: 1 })).status).toBe(200)
    const late = await change(id, { name: 'second', version: 1 })
    expect([late.status, late.body.details[0].path, late.body.data.name]).toEqual([409, 'version', 'first'])
  })

  test('who is not there is 404', async () => {
    expect((await change(999_999, { name: 'x' })).status).toBe(404)
    expect((await service.operator('POST', '/operators/999999/sign-in-link')).status).toBe(404)
  })

  test('counts at once, with what they came with', async () => {
    const olga = await program('finance')
    expect((await olga.call('GET', '/withdrawals')).status).toBe(200)
    await change(olga.id, { role: 'technician' })
    expect((await olga.call('GET', '/withdrawals')).status).toBe(403)
    expect((await olga.call('GET', '/nodes')).status).toBe(200)
  })

  test('switching one off ends sessions, tokens, links and passkeys for good', async () => {
    const olga = await program('support')
    const person = new ConsolePerson(service)
    const link = () => service.operator('POST', `/operators/${olga.id}/sign-in-link`)
    await person.openLink((await link()).body.data)
    await person.register()
    const { data: second } = (await link()).body
    expect([(await person.me()).status, (await olga.call('GET', '/me')).status]).toEqual([200, 200])
    expect((await change(olga.id, { is_active: false })).body.data.is_active).toBe(false)
    const ended = async () => {
      expect([(await person.me()).status, (await olga.call('GET', '/me')).status]).toEqual([401, 401])
      expect((await new ConsolePerson(service).openLink(second)).status).toBe(401)
    }
    await ended()
    expect((await link()).status).toBe(409)
    const on = await change(olga.id, { is_active: true })
    expect(on.body.data).toMatchObject({ is_active: true, has_passkey: false })
    await ended()
    expect((await person.openLink((await link()).body.data)).status).toBe(200)
  })
})

describe('who may', () => {
  test('see and change operators: owners', async () => {
    const { id } = await make()
    for (const role of roles.filter((one) => one !== 'owner')) {
      const { call } = await program(role)
      const answers = [
        await call('GET', '/operators'),
        await call('POST', '/operators', { name: 'x', role: 'owner' }),
        await call('PATCH', `/operators/${id}`, { name: 'x' }),
        await call('POST', `/operators/${id}/sign-in-link`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
    }
  })

  test.each(roles)('%s is told by /me what it may call', async (role) => {
    const { id, call } = await program(role)
    const { status, body } = await call('GET', '/me')
    const allowed = [...operationsOf(tablesFor('operator'))]
      .filter(({ row }) => row.auth === 'operator' && rolesOf(row).includes(role))
      .map(({ name }) => name)
    expect([status, body.data]).toEqual([
      200,
      {
        id,
        name: role,
        email: null,
        role,
        wants_alerts: true,
        operations: allowed,
        passkeys: [],
        signed_in_at: null,
        session_expires_at: null,
        proved_until: null,
      },
    ])
    expect(body.data.operations.includes('listOperators')).toBe(role === 'owner')
    expect(body.data.operations).not.toContain('signInByLink')
  })

  test('technicians have no tokens to see or make', async () => {
    const { id, call } = await program('technician')
    expect((await call('GET', `/operators/${id}/tokens`)).status).toBe(403)
    expect((await call('POST', `/operators/${id}/tokens`, { title: 'x' })).status).toBe(403)
  })

  test('a token for some operations is told only of these, and can lead to nothing more', async () => {
    const { id, call } = await program('owner')
    const limited = (operations: string[]) =>
      call('POST', `/operators/${id}/tokens`, { title: 'program', operations })
    const { token } = (await limited(['showMe', 'listNodes', 'listOperators'])).body.data
    const { data } = (await service.call('GET', '/operator/v1/me', { token })).body
    expect(data.operations.toSorted()).toEqual(['listNodes', 'listOperators', 'showMe'])
    for (const name of ['createOperatorToken', 'createOperator', 'createSignInLink', 'signInByLink']) {
      const { status, body } = await limited([name])
      expect([status, body.details[0].path], name).toEqual([400, 'operations.0'])
    }
  })
})
