import { generateKeyPairSync } from 'node:crypto'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { orderMachine, sellByHand } from '../../../../../test/support/machines.ts'
import { addLocation, type EnrolledNode, enrolNode } from '../../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../../test/support/service.ts'
import { linksOf } from '../../../../../test/support/subscription.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1_000_000 })
})
afterAll(() => service.stop())
beforeEach(() => service.heartbeat())

const patch = (id: number, body: object) => service.operator('PATCH', `/servers/${id}`, body)
const remove = (id: number) => service.operator('DELETE', `/servers/${id}`)
const show = async (id: number) => (await service.operator('GET', `/servers/${id}`)).body.data
const list = async (query = '') => (await service.operator('GET', `/servers?${query}`)).body.data
const idsOf = (rows: { id: number }[]) => rows.map((row) => row.id)
const lastAudit = () =>
  service.db.selectFrom('audit_log').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow()
const makePem = (serverName: string) =>
  selfSignedCertificate({
    serverName,
    notBefore: service.clock.now() - 86_400,
    days: 90,
    keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    serial: '0123456789abcdef0123456789abcdef',
  })

/** A server of its own in a location of its own, heard of. */
const makeServer = async (server: object = {}): Promise<EnrolledNode & { locationId: number }> => {
  const locationId = await addLocation(service)
  const node = await enrolNode(service, locationId, server)
  await node.report()
  return { ...node, locationId }
}
const buyOn = ({ locationId, serverId }: { locationId: number; serverId: number }, body: object = {}) =>
  service.buy(user, { location_id: locationId, server_id: serverId, ...body })

const fetchLinks = async () => {
  const answer = await service.call('GET', `/sub/${user.subscription_key}`, {
    headers: { 'user-agent': 'v2rayN/7' },
  })
  return linksOf(answer.body)
}

describe('GET /servers', () => {
  test('shows a server as it was made', async () => {
    const { serverId, nodeId, locationId } = await makeServer({
      protocols: ['vless', 'trojan', 'amnezia-wg-2'],
      domain: 'ams.example.com',
      ports: { vless: 443 },
    })
    expect(await show(serverId)).toEqual({
      id: serverId,
      node_id: nodeId,
      location_id: locationId,
      state: 'selling',
      is_online: true,
      capacity: 50,
      used_slots: 0,
      protocols: ['amnezia-wg-2', 'trojan', 'vless'],
      ports: { trojan: expect.any(Number), vless: 443 },
      domain: 'ams.example.com',
      certificate_expires_at: expect.any(Number),
      reality_target: 'www.example.com:443',
      reality_server_name: 'www.example.com',
      other_reality_target: 'www.cloudflare.com:443',
      other_reality_server_name: 'www.cloudflare.com',
      created_at: expect.any(Number),
      retired_at: null,
      version: 1,
    })
    const { certificate_expires_at: end, created_at: made } = await show(serverId)
    expect(end - made).toBeGreaterThan(3600 * 86_400)
    service.clock.advance(91)
    expect((await show(serverId)).is_online).toBe(false)
  })

  test('newest first, by location, node and state, and page by page', async () => {
    const [first, second] = [await makeServer(), await makeServer()]
    const third = await enrolNode(service, second.locationId)
    expect(idsOf(await list()).slice(0, 3)).toEqual([third.serverId, second.serverId, first.serverId])
    expect(idsOf(await list(`limit=1&before=${third.serverId}`))).toEqual([second.serverId])
    expect(idsOf(await list(`location_id=${second.locationId}`))).toEqual([third.serverId, second.serverId])
    expect(idsOf(await list(`node_id=${first.nodeId}`))).toEqual([first.serverId])
    await patch(second.serverId, { state: 'closed' })
    expect(idsOf(await list(`state=closed&location_id=${second.locationId}`))).toEqual([second.serverId])
    expect(idsOf(await list(`state=selling&location_id=${second.locationId}`))).toEqual([third.serverId])
    expect((await service.operator('GET', '/servers?state=sold')).status).toBe(400)
    expect((await service.operator('GET', '/servers?place=1')).status).toBe(400)
    expect((await service.operator('GET', '/servers/999999999')).status).toBe(404)
  })

  test('customers’ machines are not among them', async () => {
    const { order } = await sellByHand(service)
    const { id } = await orderMachine(service, order)
    service.clock.advance(3)
    await service.running.runJobs()
    await service.operator('POST', `/cloud-servers/${id}/address`, { address: '198.51.100.78' })
    const machine = await service.db
      .selectFrom('servers')
      .select(['id', 'node_id'])
      .where('owner_term_id', 'is not', null)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(await list(`node_id=${machine.node_id}`)).toEqual([])
    for (const answer of [
      await service.operator('GET', `/servers/${machine.id}`),
      await patch(machine.id, { capacity: 1 }),
      await remove(machine.id),
    ]) {
      expect(answer.status).toBe(404)
    }
    const moved = await service.operator('PATCH', `/nodes/${machine.node_id}`, { address: '198.51.100.79' })
    expect([moved.status, moved.body.details[0].path]).toEqual([409, 'address'])
  })
})

describe('PATCH /servers/:id', () => {
  test('capacity and state; below what is used nothing more is sold, and what is there stays', async () => {
    const server = await makeServer()
    await buyOn(server)
    await buyOn(server)
    const { body } = await patch(server.serverId, { capacity: 1 })
    expect(body.data).toMatchObject({ capacity: 1, used_slots: 2, version: 2 })
    expect(await lastAudit()).toMatchObject({
      action: 'changeServer',
      subject: `server:${server.serverId}`,
      details: { before: { capacity: 50 }, after: { capacity: 1 } },
    })
    await expect(buyOn(server)).rejects.toThrow('NO_SERVER_AVAILABLE')
    await patch(server.serverId, { capacity: 3, state: 'closed' })
    await expect(buyOn(server)).rejects.toThrow('NO_SERVER_AVAILABLE')
    expect((await patch(server.serverId, { state: 'selling' })).body.data.state).toBe('selling')
    await buyOn(server)
    expect(await show(server.serverId)).toMatchObject({ used_slots: 3, version: 4 })
  })

  test('what is so already changes nothing, and the entry says so', async () => {
    const { serverId } = await makeServer()
    const { body } = await patch(serverId, { capacity: 50, state: 'selling', protocols: ['vless'] })
    expect(body.data.version).toBe(1)
    expect((await patch(serverId, {})).status).toBe(200)
    expect((await lastAudit()).details).toEqual({ before: {}, after: {} })
  })

  test('somebody else’s change is not overwritten', async () => {
    const { serverId } = await makeServer()
    await patch(serverId, { capacity: 7, version: 1 })
    const { status, body } = await patch(serverId, { capacity: 8, version: 1 })
    expect([status, body.details[0].path, body.data]).toEqual([409, 'version', await show(serverId)])
    expect((await patch(serverId, { protocols: ['vless', 'wg'], version: 2 })).body.data.version).toBe(3)
    expect((await patch(serverId, { protocols: ['vless', 'trojan'], version: 2 })).status).toBe(409)
  })

  test.each([
    [{ state: 'draining' }, 'state'],
    [{ state: 'retired' }, 'state'],
    [{ capacity: -1 }, 'capacity'],
    [{ protocols: [] }, 'protocols'],
    [{ protocols: ['socks5'] }, 'protocols.0'],
    [{ reality_target: 'no port' }, 'reality_target'],
    [{ certificate: 'x' }, 'certificate_key'],
    [{ certificate_key: 'x' }, 'certificate'],
    [{ certificate: 'x', certificate_key: 'y' }, 'certificate'],
  ])('%j is refused', async (body, path) => {
    const { serverId } = await makeServer()
    const answer = await patch(serverId, body)
    expect([answer.status, answer.body.details[0].path]).toEqual([400, path])
    expect((await show(serverId)).version).toBe(1)
  })

  test('a server that is being drained keeps its state', async () => {
    const { serverId } = await makeServer()
    await service.db.updateTable('servers').set({ state: 'draining' }).where('id', '=', serverId).execute()
    const answer = await patch(serverId, { state: 'selling' })
    expect([answer.status, answer.body.details[0].path]).toEqual([409, 'state'])
    expect((await patch(serverId, { capacity: 5 })).status).toBe(200)
    expect((await remove(serverId)).status).toBe(409)
  })
})

describe('protocols', () => {
  test('one that is added has an inbound with a port, and is sold', async () => {
    const server = await makeServer()
    const { revision } = await server.poll(0)
    await expect(buyOn(server, { protocol: 'trojan' })).rejects.toThrow('NO_SERVER_AVAILABLE')
    const { body } = await patch(server.serverId, { protocols: ['vless', 'trojan', 'amnezia-wg-2'] })
    expect(body.data).toMatchObject({ protocols: ['amnezia-wg-2', 'trojan', 'vless'], version: 2 })
    const port = body.data.ports.trojan
    expect(port).toBeGreaterThanOrEqual(20_000)
    const told = await server.poll(revision)
    expect(told.inbounds.map((inbound) => [inbound.protocol, inbound.port])).toContainEqual(['trojan', port])
    const config = await buyOn(server, { protocol: 'trojan' })
    expect(new URL(config.connection_url).port).toBe(String(port))
  })

  test('one that nobody uses goes, and its port is free', async () => {
    const server = await makeServer({ protocols: ['vless', 'trojan'] })
    await buyOn(server)
    const { revision } = await server.poll(0)
    const { body } = await patch(server.serverId, { protocols: ['vless'] })
    expect(body.data.protocols).toEqual(['vless'])
    expect((await server.poll(revision)).inbounds.map(({ protocol }) => protocol)).toEqual(['vless'])
    const ports = await service.db
      .selectFrom('node_ports')
      .select('inbound')
      .where('node_id', '=', server.nodeId)
      .execute()
    expect(ports).toEqual([{ inbound: `vless-${server.serverId}` }])
  })

  test('one that is used stays, also by what has ended, and the number is told', async () => {
    const server = await makeServer({ protocols: ['vless', 'trojan'] })
    await buyOn(server, { protocol: 'trojan' })
    await buyOn(server, { protocol: 'trojan' })
    service.clock.advance(31 * 86_400)
    await service.running.runJobs()
    expect((await show(server.serverId)).used_slots).toBe(0)
    const refused = await patch(server.serverId, { protocols: ['vless'], capacity: 9 })
    expect([refused.status, refused.body.details]).toEqual([
      409,
      [{ path: 'protocols', problem: 'trojan is used by 2 configurations, and has to stay' }],
    ])
    expect(await show(server.serverId)).toMatchObject({ capacity: 50, protocols: ['trojan', 'vless'] })
  })

  test('one that an option sells there stays', async () => {
    const server = await makeServer({ protocols: ['vless', 'trojan'] })
    await service.db
      .insertInto('paid_option_servers')
      .values({ option_id: 1, server_id: server.serverId, position: 91 })
      .execute()
    const { protocol } = await service.db
      .selectFrom('paid_options')
      .select('protocol')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    const others = ['wg', 'outline']
    await patch(server.serverId, { protocols: [protocol, ...others] })
    const refused = await patch(server.serverId, { protocols: others })
    expect(refused.body.details[0].problem).toContain('1 paid option')
    expect((await remove(server.serverId)).body.details[0].problem).toContain('1 paid option')
    await service.db.deleteFrom('paid_option_servers').where('position', '=', 91).execute()
    expect((await patch(server.serverId, { protocols: others })).status).toBe(200)
  })

  test('whoever buys while its protocol is taken away gets something that works, or nothing', async () => {
    const server = await makeServer({ protocols: ['vless', 'trojan'] })
    const buying = Array.from({ length: 4 }, () =>
      buyOn(server, { protocol: 'trojan' }).catch(() => undefined),
    )
    const [change, ...bought] = await Promise.all([
      patch(server.serverId, { protocols: ['vless'] }),
      ...buying,
    ])
    const sold = bought.filter((config) => config !== undefined)
    expect(change.status).toBe(sold.length > 0 ? 409 : 200)
    const placed = await server.poll(0)
    expect(placed.accesses).toHaveLength(sold.length)
  })

  test('a server that never borrowed a site is asked for one', async () => {
    const { serverId } = await makeServer({ protocols: ['wg'] })
    const names = { reality_target: null, reality_server_name: null, other_reality_target: null }
    await service.db.updateTable('servers').set(names).where('id', '=', serverId).execute()
    const refused = await patch(serverId, { protocols: ['wg', 'vless'] })
    expect([refused.status, refused.body.details[0].path]).toEqual([400, 'reality_target'])
    const given = { reality_target: 'www.example.org:443', reality_server_name: 'www.example.org' }
    const other = { other_reality_server_name: 'www.example.net' }
    const { body } = await patch(serverId, { protocols: ['wg', 'vless'], ...given, ...other })
    expect(body.data).toMatchObject({
      ...given,
      other_reality_target: 'www.example.net:443',
      protocols: ['vless', 'wg'],
    })
  })
})

describe('names', () => {
  test('the next fetch of every app shows the new ones, with the keys of before', async () => {
    const server = await makeServer({ protocols: ['vless', 'trojan', 'hysteria2', 'wg'] })
    for (const protocol of ['vless', 'trojan', 'hysteria2']) await buyOn(server, { protocol })
    const linkOf = async (scheme: string) => {
      const links = (await fetchLinks()).filter((one) => one.startsWith(`${scheme}:`))
      return new URL(links.at(-1) ?? '')
    }
    const before = await linkOf('vless')
    const pin = (await linkOf('trojan')).search
    const { revision } = await server.poll(0)
    const changed = await patch(server.serverId, {
      domain: 'new.example.com',
      reality_server_name: 'www.example.org',
      reality_target: 'www.example.org:443',
    })
    expect(changed.body.data).toMatchObject({ domain: 'new.example.com', version: 2 })
    const after = await linkOf('vless')
    expect(before.searchParams.get('sni')).toBe('www.example.com')
    expect(after.searchParams.get('sni')).toBe('www.example.org')
    for (const kept of ['pbk', 'sid'])
      expect(after.searchParams.get(kept)).toBe(before.searchParams.get(kept))
    expect([after.port, after.username]).toEqual([before.port, before.username])
    for (const scheme of ['trojan', 'hysteria2']) {
      expect((await linkOf(scheme)).searchParams.get('sni')).toBe('new.example.com')
    }
    expect((await linkOf('trojan')).search).not.toBe(pin)
    const told = await server.poll(revision)
    const inbound = told.inbounds.find(({ protocol }) => protocol === 'vless')
    expect(inbound).toMatchObject({
      reality: { target: 'www.example.org:443', server_names: ['www.example.org', ''] },
    })
    expect(told.own_targets).toContain('www.example.org:443')
    expect(told.inbounds.find(({ protocol }) => protocol === 'trojan')).toMatchObject({
      tls: { server_name: 'new.example.com' },
    })
  })

  test('subscriptions of others stay as they were', async () => {
    const [server, other] = [await makeServer(), await makeServer({ protocols: ['vless', 'outline'] })]
    const stranger = await service.createUser({ balance: 1000 })
    await buyOn(server)
    await service.buy(stranger, {
      location_id: other.locationId,
      server_id: other.serverId,
      protocol: 'outline',
    })
    const revisions = async (of: TestUser) =>
      (
        await service.db.selectFrom('subscriptions').select('revision').where('user_id', '=', of.id).execute()
      ).map(({ revision }) => revision)
    const [mine, theirs] = [await revisions(user), await revisions(stranger)]
    await patch(server.serverId, { reality_server_name: 'www.example.org' })
    expect(await revisions(user)).toEqual(mine.map((revision) => revision + 1))
    await patch(other.serverId, { reality_server_name: 'www.example.org' })
    expect(await revisions(stranger)).toEqual(theirs)
  })

  test('a certificate comes with its key; the log says that it is another, and never the key', async () => {
    const server = await makeServer({ protocols: ['trojan'], domain: 'ams.example.com' })
    const config = await buyOn(server, { protocol: 'trojan' })
    const [given, other] = [makePem('ams.example.com'), makePem('ams.example.com')]
    const wrong = await patch(server.serverId, { certificate: given.certificate, certificate_key: other.key })
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'certificate_key'])
    const { revision } = await server.poll(0)
    const { body } = await patch(server.serverId, {
      certificate: given.certificate,
      certificate_key: given.key,
    })
    const end = body.data.certificate_expires_at - service.clock.now()
    expect(Math.abs(end - 89 * 86_400)).toBeLessThan(10)
    const entry = await lastAudit()
    expect(entry).toMatchObject({ action: 'changeServer', details: { changed: ['certificate'] } })
    expect(JSON.stringify(entry)).not.toContain('PRIVATE')
    expect((await server.poll(revision)).inbounds[0]).toMatchObject({
      tls: { certificate: given.certificate, key: given.key },
    })
    const [shown] = (await service.customer(user, 'GET', '/configs')).body.data.filter(
      ({ id }: { id: number }) => id === config.id,
    )
    // What an authority signed needs no pin.
    expect(shown.connection_url).not.toBe(config.connection_url)
    expect(JSON.stringify(await show(server.serverId))).not.toContain('PRIVATE')
    const elsewhere = await patch(server.serverId, { domain: 'fra.example.com' })
    expect([elsewhere.status, elsewhere.body.details[0].path]).toEqual([409, 'domain'])
    const both = makePem('fra.example.com')
    const moved = { domain: 'fra.example.com', certificate: both.certificate, certificate_key: both.key }
    expect((await patch(server.serverId, moved)).body.data.domain).toBe('fra.example.com')
  })

  test('personal instances are told again, what customers wrote follows, and bridges that end there too', async () => {
    const [server, entryServer] = [await makeServer(), await makeServer()]
    const plain = await buyOn(server, { use_extended_settings: true })
    const edited = await buyOn(server, { use_extended_settings: true })
    const json = JSON.parse(edited.xray_config)
    json.inbounds[0].streamSettings.realitySettings.shortIds = ['c0de']
    const change = service.customer(user, 'PATCH', `/configs/${edited.id}/XrayConfig`, {
      xray_config: JSON.stringify(json),
    })
    const [trial] = (await server.poll((await server.poll(0)).revision, 5)).trials
    await server.answerTrial(trial?.id ?? 0, { is_accepted: true, reason: null })
    expect((await change).status).toBe(200)
    const [entry, exit] = [await buyOn(entryServer), await buyOn(server)]
    const bridge = { first_config_id: entry.id, second_config_id: exit.id }
    expect((await service.customer(user, 'POST', '/configs/makeBridge', bridge)).status).toBe(201)
    const [there, before] = [await server.poll(0), await entryServer.poll(0)]

    await patch(server.serverId, {
      reality_target: 'www.example.org:443',
      reality_server_name: 'www.example.org',
    })
    const told = await server.poll(there.revision)
    expect(told.accesses.map(({ id }) => id).sort()).toEqual([`a${plain.id}`, `a${edited.id}`].sort())
    for (const access of told.accesses) {
      expect((access as { config: string }).config).toContain('www.example.org:443')
    }
    const own = told.accesses.find(({ id }) => id === `a${edited.id}`) as { config: string }
    expect(own.config).toContain('c0de')
    const [onEntry] = (await entryServer.poll(before.revision)).accesses
    expect(JSON.stringify(onEntry)).toContain('www.example.org')
  })
})

describe('DELETE /servers/:id', () => {
  test('retires it: keys are erased, it is listed by its state alone, and twice is 404', async () => {
    const server = await makeServer({ protocols: ['vless', 'trojan'] })
    const { revision } = await server.poll(0)
    const answer = await remove(server.serverId)
    expect([answer.status, answer.body.data]).toEqual([200, true])
    expect(await lastAudit()).toMatchObject({
      action: 'deleteServer',
      subject: `server:${server.serverId}`,
      details: { before: { capacity: 50, state: 'selling' }, after: null },
    })
    expect((await server.poll(revision)).inbounds).toEqual([])
    expect(idsOf(await list(`node_id=${server.nodeId}`))).toEqual([])
    expect(await list(`node_id=${server.nodeId}&state=retired`)).toMatchObject([
      { id: server.serverId, is_online: false, protocols: [], ports: {}, retired_at: service.clock.now() },
    ])
    const row = await service.db
      .selectFrom('servers')
      .select('certificate_key_sealed')
      .where('id', '=', server.serverId)
      .executeTakeFirstOrThrow()
    expect(row.certificate_key_sealed).toHaveLength(0)
    const left = await service.db
      .selectFrom('inbounds')
      .select('server_id')
      .where('server_id', '=', server.serverId)
      .execute()
    expect(left).toEqual([])
    expect((await remove(server.serverId)).status).toBe(404)
    expect((await patch(server.serverId, { capacity: 1 })).status).toBe(409)
    const nodes = (await service.operator('GET', `/nodes/${server.nodeId}`)).body.data
    expect(nodes.servers).toEqual([])
    expect((await service.operator('DELETE', `/nodes/${server.nodeId}`)).status).toBe(200)
    expect((await service.operator('GET', `/servers/${server.serverId}`)).status).toBe(404)
  })

  test('is refused with the number of those on it, also when their terms have ended', async () => {
    const server = await makeServer()
    await buyOn(server)
    const { revision } = await server.poll(0)
    const refused = async () => {
      const answer = await remove(server.serverId)
      expect([answer.status, answer.body.details[0].path]).toEqual([409, 'id'])
      return answer.body.details[0].problem
    }
    expect(await refused()).toContain('1 customer depends on it: it carries 1 configuration;')
    service.clock.advance(31 * 86_400)
    await service.running.runJobs()
    expect(await refused()).toContain('1 customer depends on it: it carries 1 configuration;')
    expect(await show(server.serverId)).toMatchObject({ state: 'selling', protocols: ['vless'] })
    service.clock.advance(31 * 86_400)
    await service.running.runJobs()
    expect((await remove(server.serverId)).status).toBe(200)
    expect((await server.poll(revision)).removed).toHaveLength(1)
  })

  test('one that was never there is 404', async () => {
    expect((await remove(999_999_999)).status).toBe(404)
    expect((await patch(999_999_999, { capacity: 1 })).status).toBe(404)
  })
})
