import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { createOperator } from '../../../core/operators/operators.ts'
import {
  type CloudAccount,
  type CloudProvider,
  CloudRefusal,
  CloudUnreachable,
  type MachineOffer,
} from '../../../ports/clouds.ts'

const secret = 'hz-token-that-nobody-may-read'
const small: MachineOffer = {
  region: 'fsn1',
  type: 'cx23',
  title: 'CX23',
  cores: 2,
  memoryMb: 4096,
  diskGb: 40,
  monthlyCost: 349,
  currency: 'EUR',
  isInStock: true,
}

/** What the providers of this test say, and who asked them. */
let offers: () => Promise<MachineOffer[]> = async () => [small]
let asked: CloudAccount[] = []

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  const openCloud = (account: CloudAccount) => {
    asked.push(account)
    return { offers: () => offers(), list: async () => [] } as unknown as CloudProvider
  }
  Object.assign(service.running.services, { openCloud })
})
afterAll(() => service.stop())

let made = 0
const create = (body: object) =>
  service.operator('POST', '/clouds', { kind: 'hetzner', title: `Cloud ${made++}`, ...body })
const hetzner = async () => (await create({ token: secret })).body.data
const change = (id: number, body: object) => service.operator('PATCH', `/clouds/${id}`, body)
const typesOf = (id: number) => service.operator('GET', `/clouds/${id}/machine-types`)

describe('where machines come from', () => {
  test('an account is added and listed without its token', async () => {
    const cloud = await hetzner()
    expect(cloud).toEqual({
      id: expect.any(Number),
      kind: 'hetzner',
      title: expect.any(String),
      has_token: true,
      node_id: null,
      is_active: true,
      created_at: service.clock.now(),
      version: 1,
    })
    const { body } = await service.operator('GET', '/clouds')
    expect(body.data).toContainEqual(cloud)
    expect(body.data[0]).toMatchObject({ kind: 'local', has_token: false, node_id: expect.any(Number) })
  })

  test('hands, and a node, need no token', async () => {
    expect((await create({ kind: 'manual' })).body.data).toMatchObject({ has_token: false, node_id: null })
    const node = (await service.operator('GET', '/nodes')).body.data[0].id
    expect((await create({ kind: 'local', node_id: node })).body.data).toMatchObject({ node_id: node })
  })

  test.each([
    ['an account without a token', {}, 'token'],
    ['hands with a token', { kind: 'manual', token: secret }, 'token'],
    ['a node with a token', { kind: 'local', node_id: 1, token: secret }, 'token'],
    ['a node that is not named', { kind: 'local' }, 'node_id'],
    ['a node that is not there', { kind: 'local', node_id: 99_999 }, 'node_id'],
    ['an account with a node', { token: secret, node_id: 1 }, 'node_id'],
    ['a token with a line break', { token: `${secret}\n` }, 'token'],
    ['another kind', { kind: 'aws', token: secret }, 'kind'],
  ])('%s is refused', async (_name, wrong, path) => {
    const { status, body } = await create(wrong)
    expect([status, body.errorCode]).toEqual([400, 3])
    expect(body.details[0].path).toBe(path)
    expect(JSON.stringify(body)).not.toContain(secret)
  })

  test('a title belongs to one', async () => {
    const [first, second] = [await hetzner(), await hetzner()]
    expect((await create({ token: secret, title: first.title })).status).toBe(409)
    expect((await change(second.id, { title: first.title })).status).toBe(409)
    expect((await change(first.id, { title: first.title })).status).toBe(200)
  })

  test('what is left out stays', async () => {
    const cloud = await hetzner()
    expect((await change(cloud.id, { is_active: false })).body.data).toEqual({
      ...cloud,
      is_active: false,
      version: 2,
    })
    expect((await change(cloud.id, {})).body.data).toEqual({
      ...cloud,
      is_active: false,
      version: 2,
    })
    expect((await change(99_999, { is_active: false })).status).toBe(404)
    const hands = (await create({ kind: 'manual' })).body.data
    expect((await change(hands.id, { token: secret })).body.details[0].path).toBe('token')
  })

  test('the owner changes it, support and finance look', async () => {
    const cloud = await hetzner()
    for (const role of ['support', 'finance'] as const) {
      const token = await createOperator(service.db, { name: `${role} 2`, role, now: service.clock.now() })
      const call = (method: string, path: string, body?: object) =>
        service.call(method, `/operator/v1${path}`, { token, ...(body && { body }) })
      expect((await call('GET', '/clouds')).status).toBe(200)
      expect((await call('GET', '/cloud-configurations')).status).toBe(200)
      expect((await call('GET', `/clouds/${cloud.id}/machine-types`)).status).toBe(200)
      expect((await call('POST', '/clouds', { kind: 'manual', title: 'x' })).status).toBe(403)
      expect((await call('PATCH', `/clouds/${cloud.id}`, {})).status).toBe(403)
      expect((await call('DELETE', `/clouds/${cloud.id}`)).status).toBe(403)
      expect((await call('PATCH', '/cloud-configurations/1', {})).status).toBe(403)
    }
  })
})

describe('one that goes', () => {
  const remove = (id: number) => service.operator('DELETE', `/clouds/${id}`)
  const listed = async () =>
    (await service.operator('GET', '/clouds')).body.data.map((cloud: { id: number }) => cloud.id)

  test('is there no more, and its token is forgotten', async () => {
    const { id, title } = await hetzner()
    expect((await remove(id)).body.data).toBe(true)
    const [entry] = (await service.operator('GET', '/audit?limit=1')).body.data
    expect(entry).toMatchObject({
      action: 'deleteCloud',
      subject: `cloud:${id}`,
      details: { before: { title, has_token: true } },
    })
    expect(await listed()).not.toContain(id)
    for (const answer of [await remove(id), await change(id, { is_active: true }), await typesOf(id)]) {
      expect(answer.status).toBe(404)
    }
    expect((await remove(99_999)).status).toBe(404)
    const kept = service.db.selectFrom('clouds').select('token_sealed').where('id', '=', id)
    expect(await kept.executeTakeFirstOrThrow()).toEqual({ token_sealed: null })
    expect((await create({ token: secret, title })).status).toBe(409)
  })

  test('is offered by nothing', async () => {
    const { id } = (await create({ kind: 'manual' })).body.data
    const words = { title_ru: 'Мощь', title_en: 'Might', description_ru: 'Слова', description_en: 'Words' }
    const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 700 }] }]
    const offers = [1, 2].map((location_id) => ({ location_id, cloud_id: id }))
    const configuration = { ...words, tariffs, offers }
    const sold = (await service.operator('POST', '/cloud-configurations', configuration)).body.data
    const refused = await remove(id)
    expect([refused.status, refused.body.details]).toEqual([
      409,
      [
        {
          path: 'id',
          problem: `is offered by configuration ${sold.id} “Might”; take the offers out first`,
        },
      ],
    ])
    await service.operator('PATCH', `/cloud-configurations/${sold.id}`, { offers: [] })
    expect((await remove(id)).status).toBe(200)
    const late = await service.operator('PATCH', `/cloud-configurations/${sold.id}`, { offers })
    expect([late.status, late.body.details[0].path]).toEqual([400, 'offers.0.cloud_id'])
  })

  test('is offered by nothing that comes in the same moment', async () => {
    const words = { title_ru: 'Мощь', title_en: 'Might', description_ru: 'Слова', description_en: 'Words' }
    const tariffs = [{ days: 30, prices: [{ payment_method_id: 1, price: 700 }] }]
    for (let round = 0; round < 8; round++) {
      const { id } = (await create({ kind: 'manual' })).body.data
      const offers = [{ location_id: 1, cloud_id: id }]
      const [removed, sold] = await Promise.all([
        remove(id),
        service.operator('POST', '/cloud-configurations', { ...words, tariffs, offers }),
      ])
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([removed.status, sold.status])
    }
  })

  test('frees its node', async () => {
    const { nodeId } = await enrolNode(service, 1)
    const { id } = (await create({ kind: 'local', node_id: nodeId })).body.data
    expect((await service.operator('DELETE', `/nodes/${nodeId}`)).status).toBe(409)
    expect((await remove(id)).status).toBe(200)
    expect((await service.operator('DELETE', `/nodes/${nodeId}`)).status).toBe(200)
  })
})

describe('the token', () => {
  test('opens the account, also a new one', async () => {
    const { id } = await hetzner()
    await change(id, { token: `${secret}-2` })
    asked = []
    await typesOf(id)
    expect(asked).toEqual([{ kind: 'hetzner', token: `${secret}-2` }])
  })

  test('is in no table and no answer as it is', async () => {
    const { id } = await hetzner()
    await change(id, { token: `${secret}-3`, title: `Renamed ${made++}` })
    const log = await service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(2).execute()
    expect(log.map(({ action, subject }) => [action, subject])).toEqual([
      ['changeCloud', `cloud:${id}`],
      ['createCloud', `cloud:${id}`],
    ])
    expect(log[0]?.details).toMatchObject({ has_new_token: true })
    const everything = await service.db.selectFrom('audit_log').selectAll().execute()
    const clouds = await service.db.selectFrom('clouds').selectAll().execute()
    const alerts = await service.db.selectFrom('alerts').selectAll().execute()
    expect(JSON.stringify([everything, alerts])).not.toContain(secret)
    for (const { token_sealed: sealed } of clouds) {
      expect(Buffer.from(sealed ?? []).includes(secret)).toBe(false)
    }
    expect(JSON.stringify((await service.operator('GET', '/clouds')).body)).not.toContain(secret)
  })

  test('a provider that repeats it is not quoted', async () => {
    const { id } = await hetzner()
    const wrong = [
      new CloudRefusal('account', `no such token ${secret}`),
      new CloudRefusal('invalid', `bad header ${secret}`),
      new CloudUnreachable(`Bearer ${secret}`),
    ]
    for (const error of wrong) {
      offers = () => Promise.reject(error)
      expect(JSON.stringify((await typesOf(id)).body)).not.toContain(secret)
    }
    offers = async () => [small]
  })
})

describe('what a provider has', () => {
  test('is asked now, with what it costs', async () => {
    const { id } = await hetzner()
    expect((await typesOf(id)).body.data).toEqual([
      {
        region: 'fsn1',
        type: 'cx23',
        title: 'CX23',
        cores: 2,
        memory_mb: 4096,
        disk_gb: 40,
        monthly_cost: 3.49,
        currency: 'EUR',
        is_in_stock: true,
      },
    ])
    expect((await typesOf(99_999)).status).toBe(404)
  })

  test.each([
    ['silence', new CloudUnreachable('timeout'), 503, 'id', '1'],
    ['a wrong token', new CloudRefusal('account', 'forbidden'), 400, 'id', null],
    ['too many questions', new CloudRefusal('rate', 'slow down', 40), 503, 'id', '40'],
    ['another no', new CloudRefusal('invalid', 'what?'), 503, 'id', '1'],
  ])('%s is explained', async (_name, error, status, path, wait) => {
    const { id } = await hetzner()
    offers = () => Promise.reject(error)
    const answer = await typesOf(id)
    offers = async () => [small]
    expect([answer.status, answer.body.details[0].path]).toEqual([status, path])
    expect(answer.headers.get('retry-after')).toBe(wait)
  })

  test('of hands and nodes nothing is to be asked', async () => {
    offers = async () => []
    const hands = (await create({ kind: 'manual' })).body.data
    expect((await typesOf(hands.id)).body.data).toEqual([])
    offers = async () => [small]
  })
})
