import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { createOperator } from '../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()

describe('POST /users', () => {
  test('makes a customer with balances, a key, a session and a subscription', async () => {
    const body = { email: 'Anna@Example.com', balance: 700, referral_balance: 50 }
    const { status, body: answer } = await service.operator('POST', '/users', body)
    expect(status).toBe(201)
    expect(Object.keys(answer.data).sort()).toEqual(
      ['api_key', 'email', 'id', 'referral_code', 'session_token', 'subscription_key'].sort(),
    )
    for (const token of [answer.data.api_key, answer.data.session_token]) {
      const profile = await service.call('GET', '/v1/profile', { token })
      expect(profile.body.data).toEqual({
        id: answer.data.id,
        email: 'anna@example.com',
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        subscription_key: answer.data.subscription_key,
        sign_in_method: 'signIn',
        referral_balance: 50,
        balance: 700,
        referrals_count: 0,
        is_messenger_connected: false,
        referral_code: answer.data.referral_code,
        onboarding_completed: false,
      })
    }
    expect(await lastAudit()).toMatchObject({ action: 'createUser', subject: `user:${answer.data.id}` })
    const again = await service.operator('POST', '/users', { email: 'ANNA@example.com' })
    expect([again.status, again.body.errorCode]).toEqual([409, 6])
  })

  test('a referral code counts for its owner; an unknown one is refused', async () => {
    const referrer = await service.createUser()
    await service.createUser({ referral_code: referrer.referral_code })
    const profile = await service.customer(referrer, 'GET', '/profile')
    expect(profile.body.data.referrals_count).toBe(1)
    const unknown = await service.operator('POST', '/users', { referral_code: 'NOBODY' })
    expect([unknown.status, unknown.body.details[0].path]).toEqual([400, 'referral_code'])
  })

  test.each([
    [{ balance: -1 }],
    [{ balance: 1.5 }],
    [{ email: 'not an address' }],
    [{ role: 'owner' }],
    [{ email: 'a@b.c\u0000' }],
  ])('refuses %j', async (body) => {
    expect((await service.operator('POST', '/users', body)).status).toBe(400)
  })
})

test('pricing rules show in the profile with Russian names', async () => {
  const user = await service.createUser()
  const path = `/users/${user.id}/pricing-rules`
  const rule = await service.operator('POST', path, { type: 'configs', percent: -10, comment: 'friend' })
  expect(rule.status).toBe(201)
  expect(rule.body.data).toMatchObject({ type: 'configs', product_id: null, percent: -10, comment: 'friend' })
  const profile = await service.customer(user, 'GET', '/profile')
  expect(profile.body.data.pricing_rules).toEqual([
    { type: 'configs', product_title: 'Конфигурации VPN', percent: -10, comment: 'friend' },
  ])
  expect((await service.operator('POST', path, { type: 'all', product_id: 1, percent: 1 })).status).toBe(400)
  expect(
    (await service.operator('POST', '/users/999999/pricing-rules', { type: 'all', percent: 1 })).status,
  ).toBe(404)
})

test('a rule on one product shows that product’s own title', async () => {
  const user = await service.createUser()
  const rules = [
    { type: 'paid_option', product_id: 1 },
    { type: 'cloud_server', product_id: 1 },
    { type: 'config', product_id: 2 },
    { type: 'paid_options' },
  ]
  for (const rule of rules) {
    const made = await service.operator('POST', `/users/${user.id}/pricing-rules`, { ...rule, percent: -5 })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
  }
  const titles = async (language: string): Promise<string[]> => {
    const headers = { 'accept-language': language }
    const { body } = await service.customer(user, 'GET', '/profile', undefined, headers)
    return body.data.pricing_rules.map((rule: { product_title: string }) => rule.product_title)
  }
  const clouds = await service.operator('GET', '/cloud-configurations')
  const { title_ru, title_en } = clouds.body.data[0]
  expect(await titles('ru')).toEqual([
    'Белый интернет',
    title_ru,
    'Конфигурация VPN на 90\u00a0дней',
    'Платные опции',
  ])
  expect(await titles('en')).toEqual([
    'White internet',
    title_en,
    'VPN configuration for 90\u00a0days',
    'Paid options',
  ])
})

test('notifications are delivered once, in order, also to simultaneous readers', async () => {
  const user = await service.createUser()
  for (const content of ['one', 'two', 'three']) {
    expect((await service.operator('POST', `/users/${user.id}/notifications`, { content })).status).toBe(201)
  }
  const reads = await Promise.all(
    Array.from({ length: 6 }, () =>
      service.call('GET', '/v1/profile/notifications', { token: user.api_key }),
    ),
  )
  const contents = reads.flatMap((read) => read.body.data.map((row: { content: string }) => row.content))
  expect(contents).toEqual(['one', 'two', 'three'])
  expect((await service.customer(user, 'GET', '/profile/notifications')).body.data).toEqual([])
})

test('sessions: minted by the operator, dead after 15 minutes', async () => {
  const user = await service.createUser()
  const { body } = await service.operator('POST', `/users/${user.id}/sessions`)
  expect(body.data.expires_at).toBe(service.clock.now() + 900)
  const get = () => service.call('GET', '/v1/profile', { token: body.data.session_token })
  expect((await get()).status).toBe(200)
  service.clock.advance(899)
  expect((await get()).status).toBe(200)
  service.clock.advance(1)
  expect((await get()).status).toBe(401)
  expect((await service.operator('POST', '/users/999999/sessions')).status).toBe(404)
})

test('support may not register machines; a customer is no operator', async () => {
  const token = await createOperator(service.db, {
    name: 'helper',
    role: 'support',
    now: service.clock.now(),
  })
  const body = { name: 'n', address: '203.0.113.1' }
  expect((await service.call('POST', '/operator/v1/nodes', { token, body })).status).toBe(403)
  expect((await service.call('POST', '/operator/v1/users', { token, body: {} })).status).toBe(201)
  const user = await service.createUser()
  for (const wrong of [user.api_key, user.session_token, undefined]) {
    const answer = await service.call('POST', '/operator/v1/users', {
      ...(wrong && { token: wrong }),
      body: {},
    })
    expect(answer.status).toBe(401)
  }
})

test('the audit log and the ledger cannot be rewritten', async () => {
  await service.createUser({ balance: 5 })
  await expect(service.db.updateTable('audit_log').set({ action: 'x' }).execute()).rejects.toThrow(
    'append-only',
  )
  await expect(service.db.deleteFrom('ledger_transfers').execute()).rejects.toThrow('append-only')
})

describe('POST /servers', () => {
  const node = async (name: string): Promise<number> =>
    (await service.operator('POST', '/nodes', { name, address: '203.0.113.7' })).body.data.id
  const site = { reality_target: 'www.example.com:443', reality_server_name: 'www.example.com' }
  const make = (nodeId: number, body: object = {}) =>
    service.operator('POST', '/servers', { node_id: nodeId, location_id: 1, capacity: 5, ...site, ...body })
  const inboundsOf = (serverId: number) =>
    service.db
      .selectFrom('inbounds')
      .select(['protocol', 'port'])
      .where('server_id', '=', serverId)
      .orderBy('protocol')
      .execute()
  const serverOf = (id: number) =>
    service.db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('offers every protocol at ports of its own; what is named is taken as named', async () => {
    const nodeId = await node('all')
    const { id } = (await make(nodeId, { ports: { vless: 443, hysteria2: 8443 } })).body.data
    const inbounds = await inboundsOf(id)
    expect(inbounds).toHaveLength(9)
    const portOf = (protocol: string) => inbounds.find((row) => row.protocol === protocol)?.port
    expect([portOf('vless'), portOf('hysteria2'), portOf('amnezia-wg-2')]).toEqual([443, 8443, null])
    expect(new Set(inbounds.map((row) => row.port)).size).toBe(9)
    const few = await make(nodeId, { protocols: ['trojan', 'vless-2410'] })
    expect((await inboundsOf(few.body.data.id)).map((row) => row.protocol)).toEqual(['trojan', 'vless-2410'])
  })

  test('a taken port is 409, an unknown protocol or node 400, and nothing is kept', async () => {
    const nodeId = await node('taken')
    await make(nodeId, { ports: { vless: 443 } })
    const taken = await make(nodeId, { ports: { trojan: 443 } })
    expect(taken.body).toMatchObject({ statusCode: 409, details: [{ path: 'ports.trojan' }] })
    expect((await make(nodeId, { ports: { mtproto: 443 } })).status).toBe(400)
    expect((await make(nodeId, { ports: { vless: 0 } })).status).toBe(400)
    expect((await make(nodeId, { protocols: ['http'] })).status).toBe(400)
    expect((await make(999_999)).body.details).toEqual([{ path: 'node_id', problem: 'does not exist' }])
    expect((await make(nodeId, { location_id: 999 })).body.details[0].path).toBe('location_id')
    const servers = await service.db
      .selectFrom('servers')
      .select('id')
      .where('node_id', '=', nodeId)
      .execute()
    expect(servers).toHaveLength(1)
  })

  test('makes a certificate for its name, or takes the operator’s own', async () => {
    const nodeId = await node('certified')
    const own = await serverOf((await make(nodeId)).body.data.id)
    expect(own).toMatchObject({ domain: '203-0-113-7.sslip.io', is_certificate_public: false })
    expect(new X509Certificate(own.certificate ?? '').checkHost('203-0-113-7.sslip.io')).toBeTruthy()
    const pair = selfSignedCertificate({
      serverName: 'vpn.example.com',
      notBefore: 1_700_000_000,
      days: 900,
      keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      serial: '01',
    })
    const given = { domain: 'vpn.example.com', certificate: pair.certificate, certificate_key: pair.key }
    const server = await serverOf((await make(nodeId, given)).body.data.id)
    expect(server).toMatchObject({ certificate: pair.certificate, is_certificate_public: true })
    expect(Buffer.from(server.certificate_key_sealed ?? '').toString('latin1')).not.toContain('PRIVATE')
    const logged = JSON.stringify(await service.db.selectFrom('audit_log').select('details').execute())
    expect(logged).not.toContain('PRIVATE')
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const key = stranger.export({ type: 'pkcs8', format: 'pem' })
    for (const bad of [
      { certificate: pair.certificate },
      { certificate_key: pair.key },
      { certificate: 'x', certificate_key: pair.key },
      { certificate: pair.certificate, certificate_key: String(key) },
    ]) {
      expect((await make(nodeId, bad)).status, JSON.stringify(Object.keys(bad))).toBe(400)
    }
  })
})
