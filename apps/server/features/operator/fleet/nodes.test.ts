import { generateKeyPairSync } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orderMachine, sellByHand } from '../../../../../test/support/machines.ts'
import { emptyReport, enrolNode, signNodeToken } from '../../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { linksOf } from '../../../../../test/support/subscription.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())
beforeEach(() => service.heartbeat())

const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
const listed = async (id: number) => {
  const nodes = (await service.operator('GET', '/nodes')).body.data as { id: number }[]
  return nodes.some((node) => node.id === id)
}

/** Its answer, wrapped so that nobody waits for it yet. */
const waitsForNews = async (node: Awaited<ReturnType<typeof enrolNode>>) => {
  const { revision } = await node.poll(0)
  const token = await signNodeToken(node.nodeId, node.privateKey)
  const path = `/agent/v1/state?since=${revision}&wait_seconds=30`
  const answer = service.call('GET', path, { token })
  await setTimeout(200)
  return { answer }
}

describe('GET /nodes', () => {
  const ids = async (query: string) => {
    const { body } = await service.operator('GET', `/nodes?${query}`)
    return (body.data as { id: number }[]).map(({ id }) => id)
  }

  test('only those that are looked for, whole or by pages, newest first', async () => {
    const away = await enrolNode(service, 1)
    const ill = await enrolNode(service, 1)
    const well = await enrolNode(service, 1)
    const { body: made } = await service.operator('POST', '/nodes', {
      name: 'new-1',
      address: '198.51.100.9',
    })
    const bare = made.data.id
    service.clock.advance(600)
    const { revision } = await well.poll(0)
    await well.report({ ...emptyReport, applied_revision: revision })
    await ill.report({ ...emptyReport, applied_revision: 0, apply_error: 'no such interface' })
    const troubled = await ids('only=troubled')
    expect(troubled).toEqual(expect.arrayContaining([away.nodeId, ill.nodeId, bare]))
    expect(troubled).not.toContain(well.nodeId)
    expect(await ids('only=behind')).toContain(ill.nodeId)
    expect(await ids('only=behind')).not.toContain(well.nodeId)
    expect(await ids('only=empty')).toEqual([bare])
    expect(await ids('only=old')).toEqual([])
    const first = await ids('only=troubled&limit=2')
    expect(first).toEqual([bare, ill.nodeId])
    expect(await ids(`only=troubled&limit=1&before=${ill.nodeId}`)).toEqual([away.nodeId])
    expect((await service.operator('GET', '/nodes?only=lost')).status).toBe(400)
  })
})

describe('POST /nodes/:id/enrolment', () => {
  test('ends the key, an open poll and the token before; another machine may come', async () => {
    const node = await enrolNode(service, 1)
    const poll = await waitsForNews(node)
    const first = await service.operator('POST', `/nodes/${node.nodeId}/enrolment`)
    expect(first.status).toBe(200)
    const { enrolment_token: token, expires_at: expiresAt, install } = first.body.data
    expect(expiresAt).toBe(service.clock.now() + 3600)
    expect(install).toBe(
      `curl -fsSL ${service.running.url}/install/agent | SALLYPORT_ENROL_TOKEN=${token} sh`,
    )
    expect(await lastAudit()).toMatchObject({
      action: 'createEnrolment',
      subject: `node:${node.nodeId}`,
      details: {},
    })
    expect((await poll.answer).status).toBe(401)
    expect((await node.report()).status).toBe(401)

    const second = await service.operator('POST', `/nodes/${node.nodeId}/enrolment`)
    const { x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    const enrol = (one: string) =>
      service.call('POST', '/agent/v1/enrol', { body: { token: one, public_key: x } })
    expect((await enrol(token)).status).toBe(401)
    expect((await enrol(second.body.data.enrolment_token)).body.data).toEqual({ node_id: node.nodeId })
    expect((await node.report()).status).toBe(401)
  })

  test('of a customer’s machine that is still being made is refused', async () => {
    const { order } = await sellByHand(service)
    const { id } = await orderMachine(service, order)
    service.clock.advance(3)
    await service.running.runJobs()
    await service.operator('POST', `/cloud-servers/${id}/address`, { address: '198.51.100.77' })
    const { node_id: nodeId } = await service.db
      .selectFrom('machines')
      .select('node_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const refused = await service.operator('POST', `/nodes/${nodeId}/enrolment`)
    expect([refused.status, refused.body.details[0].path]).toEqual([409, 'id'])
    const deleted = await service.operator('DELETE', `/nodes/${nodeId}`)
    expect(deleted.status).toBe(409)
    expect(deleted.body.details[0].problem).toContain('1 customer depends on it: 1 cloud server runs here')
  })
})

describe('DELETE /nodes/:id', () => {
  test('removes the node, its servers and its key; twice is 404', async () => {
    const node = await enrolNode(service, 1)
    await node.report()
    const poll = await waitsForNews(node)
    const answer = await service.operator('DELETE', `/nodes/${node.nodeId}`)
    expect([answer.status, answer.body.data]).toEqual([200, true])
    expect(await lastAudit()).toMatchObject({
      action: 'deleteNode',
      subject: `node:${node.nodeId}`,
      details: { before: { address: '203.0.113.5' }, after: null },
    })
    expect((await poll.answer).status).toBe(401)
    expect((await node.report()).status).toBe(401)
    expect(await listed(node.nodeId)).toBe(false)
    expect((await service.operator('DELETE', `/nodes/${node.nodeId}`)).status).toBe(404)
    expect((await service.operator('POST', `/nodes/${node.nodeId}/enrolment`)).status).toBe(404)
  })

  test('is refused with the number of those who depend on it, and nothing changes', async () => {
    const node = await enrolNode(service, 1)
    await node.report()
    const [anna, boris] = [
      await service.createUser({ balance: 1000 }),
      await service.createUser({ balance: 1000 }),
    ]
    for (const user of [anna, anna, boris]) await service.buy(user, { server_id: node.serverId })
    const refused = await service.operator('DELETE', `/nodes/${node.nodeId}`)
    expect([refused.status, refused.body.errorCode]).toEqual([409, 6])
    expect(refused.body.details).toEqual([
      {
        path: 'id',
        problem: expect.stringContaining('2 customers depend on it: its servers carry 3 configurations'),
      },
    ])
    expect((await node.report()).status).toBe(200)
    expect(await lastAudit()).not.toMatchObject({ action: 'deleteNode' })
  })

  test('a node that options or clouds name stays until they do not', async () => {
    const { id } = await service.db
      .selectFrom('nodes')
      .select('id')
      .where('sells_without_engine', '=', true)
      .executeTakeFirstOrThrow()
    const refused = await service.operator('DELETE', `/nodes/${id}`)
    expect(refused.status).toBe(409)
    const node = await enrolNode(service, 1)
    const position = 90
    await service.db
      .insertInto('paid_option_servers')
      .values({ option_id: 1, server_id: node.serverId, position })
      .execute()
    const named = await service.operator('DELETE', `/nodes/${node.nodeId}`)
    expect(named.body.details[0].problem).toContain('1 paid option')
    await service.db.deleteFrom('paid_option_servers').where('position', '=', position).execute()
    expect((await service.operator('DELETE', `/nodes/${node.nodeId}`)).status).toBe(200)
  })
})

describe('GET and PATCH /nodes/:id', () => {
  const patch = (id: number, body: object) => service.operator('PATCH', `/nodes/${id}`, body)
  const show = async (id: number) => (await service.operator('GET', `/nodes/${id}`)).body.data

  test('the row of the list; a name is changed and is one node’s alone', async () => {
    const [node, other] = [await enrolNode(service, 1), await enrolNode(service, 1)]
    const row = await show(node.nodeId)
    const nodes = (await service.operator('GET', '/nodes')).body.data as { id: number }[]
    expect(row).toEqual(nodes.find(({ id }) => id === node.nodeId))
    expect(row).toMatchObject({ listen_address: '0.0.0.0', version: 1 })
    const name = `renamed-${node.nodeId}`
    const { body } = await patch(node.nodeId, { name, version: 1 })
    expect(body.data).toEqual({ ...row, name, version: 2 })
    expect(await lastAudit()).toMatchObject({
      action: 'changeNode',
      subject: `node:${node.nodeId}`,
      details: { before: { name: row.name }, after: { name } },
    })
    const taken = await patch(other.nodeId, { name })
    expect([taken.status, taken.body.details]).toEqual([
      409,
      [{ path: 'name', problem: 'is the name of another node' }],
    ])
    const late = await patch(node.nodeId, { name: 'late', version: 1 })
    expect([late.status, late.body.details[0].path, late.body.data]).toEqual([409, 'version', body.data])
    expect((await patch(node.nodeId, { name })).body.data.version).toBe(2)
    expect((await lastAudit()).details).toEqual({ before: {}, after: {} })
    for (const id of [999_999_999]) {
      expect((await service.operator('GET', `/nodes/${id}`)).status).toBe(404)
      expect((await patch(id, { name: 'x' })).status).toBe(404)
    }
  })

  test('a new address is in the next fetch, and bridges that end there learn it', async () => {
    const [node, start] = [await enrolNode(service, 1), await enrolNode(service, 2)]
    for (const one of [node, start]) await one.report()
    const user = await service.createUser({ balance: 1000 })
    const exit = await service.buy(user, { server_id: node.serverId })
    const entry = await service.buy(user, { location_id: 2, server_id: start.serverId })
    const bridge = { first_config_id: entry.id, second_config_id: exit.id }
    expect((await service.customer(user, 'POST', '/configs/makeBridge', bridge)).status).toBe(201)
    const fetched = async () => {
      const answer = await service.call('GET', `/sub/${user.subscription_key}`, {
        headers: { 'user-agent': 'v2rayN/7' },
      })
      return linksOf(answer.body).map((link) => new URL(link).hostname)
    }
    expect((await fetched()).sort()).toEqual(['203.0.113.5', '203.0.113.5'])
    const { revision } = await start.poll(0)
    expect((await patch(node.nodeId, { address: '198.51.100.7' })).body.data.address).toBe('198.51.100.7')
    expect((await fetched()).sort()).toEqual(['198.51.100.7', '203.0.113.5'])
    const told = await start.poll(revision)
    expect(told.accesses).toHaveLength(1)
    expect(JSON.stringify(told.accesses)).toContain('198.51.100.7')
  })

  test('where it listens is told with its inbounds and with everything that has a port of its own', async () => {
    const node = await enrolNode(service, 1)
    await node.report()
    const user = await service.createUser({ balance: 1000 })
    const own = await service.buy(user, { server_id: node.serverId, use_extended_settings: true })
    await service.buy(user, { server_id: node.serverId })
    const { revision } = await node.poll(0)
    await patch(node.nodeId, { listen_address: '203.0.113.5' })
    const told = await node.poll(revision)
    expect(told.inbounds).toMatchObject([{ listen: '203.0.113.5' }])
    expect(told.accesses).toMatchObject([{ id: `a${own.id}`, listen: '203.0.113.5' }])
  })
})

test('the key of the node that the demo itself runs stays until another comes', async () => {
  const demo = await service.db
    .updateTable('nodes')
    .set({ public_key: 'x'.repeat(43) })
    .where('sells_without_engine', '=', true)
    .returning('id')
    .executeTakeFirstOrThrow()
  expect((await service.operator('POST', `/nodes/${demo.id}/enrolment`)).status).toBe(200)
  const { public_key: key } = await service.db
    .selectFrom('nodes')
    .select('public_key')
    .where('id', '=', demo.id)
    .executeTakeFirstOrThrow()
  expect(key).toBe('x'.repeat(43))
})
