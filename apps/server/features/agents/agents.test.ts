import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { stateHash } from '@sallyport/domain/vpn/engine/state-hash'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { enrolNode, signNodeToken } from '../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const vless = { protocol: 'vless', payment_method_id: 1, tariff_id: 1 }

describe('enrolment', () => {
  test('a token works for one key; that key may repeat a lost answer', async () => {
    const node = await enrolNode(service, 1)
    const enrol = (public_key: string | undefined) =>
      service.call('POST', '/agent/v1/enrol', { body: { token: node.token, public_key } })
    expect((await enrol(node.publicKey)).body.data).toEqual({ node_id: node.nodeId })
    const another = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }).x
    const again = await enrol(another)
    expect([again.status, again.body.errorCode]).toEqual([401, 2])
  })

  test('a token dies after an hour', async () => {
    const created = await service.operator('POST', '/nodes', { name: 'late', address: '203.0.113.9' })
    service.clock.advance(3600)
    const { x } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
    const body = { token: created.body.data.enrolment_token, public_key: x }
    expect((await service.call('POST', '/agent/v1/enrol', { body })).status).toBe(401)
  })

  test('only the node’s own key speaks for it', async () => {
    const [node, other] = [await enrolNode(service, 1), await enrolNode(service, 1)]
    const stranger = createPrivateKey({ key: other.privateKey.export({ format: 'jwk' }), format: 'jwk' })
    const forged = await signNodeToken(node.nodeId, stranger)
    expect((await service.call('GET', '/agent/v1/state?since=0', { token: forged })).status).toBe(401)
    const wrongAudience = await new SignJWT({})
      .setProtectedHeader({ alg: 'EdDSA', kid: String(node.nodeId), typ: 'agent+jwt' })
      .setIssuer('sallyport-agent')
      .setAudience('another')
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(node.privateKey)
    expect((await service.call('GET', '/agent/v1/state?since=0', { token: wrongAudience })).status).toBe(401)
    const user = await service.createUser()
    expect((await service.call('GET', '/agent/v1/state?since=0', { token: user.api_key })).status).toBe(401)
  })
})

describe('desired state', () => {
  test('a snapshot, then deltas, each with the hash of the whole', async () => {
    const node = await enrolNode(service, 2)
    await node.report()
    const user = await service.createUser({ balance: 1000 })
    const buy = async () => {
      const body = { ...vless, location_id: 2, server_id: node.serverId }
      const answer = await service.call('POST', '/v1/configs', { token: user.api_key, body })
      expect(answer.status).toBe(201)
      return answer.body.data as { id: number; connection_url: string }
    }
    const first = await buy()
    const snapshot = await node.poll(0)
    expect(snapshot.kind).toBe('snapshot')
    expect(snapshot.inbounds).toHaveLength(1)
    expect(snapshot.accesses.map((access) => access.id)).toEqual([`a${first.id}`])
    expect(snapshot.accesses[0]).toMatchObject({
      kind: 'shared',
      account: { protocol: 'vless', uuid: new URL(first.connection_url).username },
    })
    expect(snapshot.hash).toBe(stateHash(snapshot.accesses))
    expect(await node.poll(snapshot.revision)).toMatchObject({ kind: 'unchanged', hash: snapshot.hash })

    const second = await buy()
    const delta = await node.poll(snapshot.revision)
    expect(delta).toMatchObject({ kind: 'delta', removed: [] })
    expect(delta.accesses.map((access) => access.id)).toEqual([`a${second.id}`])
    expect(delta.hash).toBe(stateHash([...snapshot.accesses, ...delta.accesses]))

    service.clock.advance(31 * 86_400)
    await service.running.runJobs()
    const removal = await node.poll(delta.revision)
    expect(removal.kind).toBe('delta')
    expect(removal.accesses).toEqual([])
    expect(removal.removed.sort()).toEqual([`a${first.id}`, `a${second.id}`].sort())
    expect(removal.hash).toBe(stateHash([]))
    expect((await node.poll(removal.revision + 1000)).kind).toBe('snapshot')
  })

  test('every answer says which sites the service itself borrows on the node', async () => {
    const node = await enrolNode(service, 2, {
      protocols: ['vless', 'vless-2410', 'trojan'],
      domain: 'vpn.example.org',
      other_reality_target: 'other.example.com:443',
      other_reality_server_name: 'other.example.com',
    })
    const own = ['other.example.com:443', 'vpn.example.org:443', 'www.example.com:443', 'www.google.com:443']
    const { own_targets, revision } = await node.poll(0)
    expect(own_targets).toEqual(own)
    expect(await node.poll(revision)).toMatchObject({ kind: 'unchanged', own_targets: own })
  })

  test('a waiting poll is woken by a purchase', async () => {
    const node = await enrolNode(service, 3)
    await node.report()
    const { revision } = await node.poll(0)
    const waiting = node.poll(revision, 30)
    const user = await service.createUser({ balance: 1000 })
    const startedAt = Date.now()
    const body = { ...vless, location_id: 3, server_id: node.serverId }
    const bought = await service.call('POST', '/v1/configs', { token: user.api_key, body })
    const state = await waiting
    expect(state.accesses.map((access) => access.id)).toEqual([`a${bought.body.data.id}`])
    expect(Date.now() - startedAt).toBeLessThan(10_000)
  })
})

describe('reports', () => {
  test('cumulative counters count once, whatever is lost or repeated', async () => {
    const node = await enrolNode(service, 7)
    await node.report()
    const user = await service.createUser({ balance: 1000 })
    const body = { ...vless, location_id: 7, server_id: node.serverId }
    const config = (await service.call('POST', '/v1/configs', { token: user.api_key, body })).body.data
    const id = `a${config.id}`
    const trafficOf = async () => {
      const row = await service.db
        .selectFrom('meters')
        .select(['up', 'down'])
        .where('access_id', '=', config.id)
        .executeTakeFirstOrThrow()
      return [row.up, row.down]
    }
    const count = (boot_id: string, up: number, down: number) =>
      node.report({ traffic: [{ boot_id, id, up, down }] })
    await count('boot-1', 100, 1000)
    await count('boot-1', 100, 1000)
    expect(await trafficOf()).toEqual([100, 1000])
    await count('boot-1', 150, 5000)
    await count('boot-1', 120, 4000)
    expect(await trafficOf()).toEqual([150, 5000])
    await count('boot-2', 30, 40)
    expect(await trafficOf()).toEqual([180, 5040])
    const several = [
      { boot_id: 'boot-1', id, up: 151, down: 5000 },
      { boot_id: 'boot-2', id, up: 30, down: 41 },
      { boot_id: 'boot-2', id: 'a999999', up: 7, down: 7 },
    ]
    await node.report({ traffic: several })
    expect(await trafficOf()).toEqual([181, 5041])
    const other = await enrolNode(service, 7)
    await other.report({ traffic: [{ boot_id: 'x', id, up: 1e6, down: 1e6 }] })
    expect(await trafficOf()).toEqual([181, 5041])
  })

  test('names that are none of ours change nothing', async () => {
    const node = await enrolNode(service, 7)
    const strange = ['c12', 'a0', 'a1e3', 'a-1', 'a99999999999999999999', '12', "a1' or 1=1"]
    const refused = strange.map((id) => ({ id, revision: 1, reason: 'x' }))
    const traffic = strange.map((id) => ({ boot_id: 'x', id, up: 1, down: 1 }))
    await node.report({ refused, traffic })
    const counted = await service.db
      .selectFrom('traffic_counters')
      .select('up')
      .where('boot_id', '=', 'x')
      .execute()
    expect(counted).toEqual([])
  })

  test('the operator sees desired against applied, engines and health', async () => {
    const node = await enrolNode(service, 1)
    const find = async () => {
      const nodes = (await service.operator('GET', '/nodes')).body.data as { id: number }[]
      return nodes.find((row) => row.id === node.nodeId)
    }
    expect(await find()).toMatchObject({
      is_online: false,
      last_seen_at: null,
      desired_revision: 1,
      applied_revision: 0,
    })
    await node.report({
      applied_revision: 1,
      engines: [{ name: 'xray', state: 'missing', version: null, detail: 'x' }],
    })
    expect(await find()).toMatchObject({
      is_online: true,
      last_seen_at: service.clock.now(),
      applied_revision: 1,
      engines: [{ name: 'xray', state: 'missing', version: null, detail: 'x' }],
      servers: [{ id: node.serverId, location_id: 1, capacity: 50, used_slots: 0, protocols: ['vless'] }],
    })
    const user = await service.createUser()
    const path = '/v1/configs/available-servers?location_id=1&protocol=vless'
    const available = await service.call('GET', path, { token: user.api_key })
    expect(available.body.data.map((row: { id: number }) => row.id)).not.toContain(node.serverId)
  })
})
