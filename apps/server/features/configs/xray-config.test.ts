import {
  xrayConfigBodyLimitBytes,
  xrayConfigTextLimitBytes,
} from '@sallyport/contract/customer/config-changes'
import { maxBytes } from '@sallyport/domain/text/strict-json'
import { hostileXrayConfigs } from '@sallyport/domain/vpn/testing/hostile-xray-configs'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 100_000 })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const extended = { protocol: 'vless', use_extended_settings: true }
const buy = (body: object = extended) => service.buy(user, body)
const put = (id: number, xrayConfig: unknown, more: object = {}) =>
  service.customer(user, 'PATCH', `/configs/${id}/XrayConfig`, {
    xray_config: typeof xrayConfig === 'string' ? xrayConfig : JSON.stringify(xrayConfig),
    ...more,
  })
const shown = async (id: number) =>
  (await service.customer(user, 'GET', '/configs')).body.data.find((row: { id: number }) => row.id === id)

describe('PATCH /configs/:config_id/XrayConfig', () => {
  test('what the service shows is accepted as it is', async () => {
    for (const options of [
      {},
      { use_xhttp: true },
      { disable_reality: true },
      { enable_family_filter: true },
    ]) {
      const config = await buy({ ...extended, ...options })
      const { body } = await put(config.id, config.xray_config)
      expect(body, JSON.stringify(options)).toMatchObject({ statusCode: 200 })
      expect(JSON.parse(body.data.xray_config)).toEqual(JSON.parse(config.xray_config))
      expect(body.data.connection_url).toBe(config.connection_url)
    }
  })

  test('the link follows the edited JSON; reset brings back what follows from the options', async () => {
    const config = await buy()
    const json = JSON.parse(config.xray_config)
    const [inbound] = json.inbounds
    inbound.settings.clients[0].id = '11111111-2222-4333-8444-555555555555'
    inbound.streamSettings.realitySettings.serverNames = ['www.example.org']
    inbound.streamSettings.realitySettings.target = 'www.example.org:443'
    inbound.streamSettings.realitySettings.shortIds = ['aabb']
    inbound.port = 4000
    inbound.listen = '127.0.0.1'
    const { status, body } = await put(config.id, json)
    expect(status).toBe(200)
    const link = new URL(body.data.connection_url)
    expect(link.username).toBe('11111111-2222-4333-8444-555555555555')
    expect([link.searchParams.get('sni'), link.searchParams.get('sid')]).toEqual(['www.example.org', 'aabb'])
    expect(link.port).toBe(new URL(config.connection_url).port)
    expect(JSON.parse(body.data.xray_config).inbounds[0]).toMatchObject({
      port: Number(link.port),
      listen: '127.0.0.1',
    })
    expect(await shown(config.id)).toMatchObject(body.data)
    const reset = await service.customer(user, 'POST', `/configs/${config.id}/resetXrayConfig`)
    expect([reset.status, reset.body.data]).toEqual([
      200,
      {
        connection_url: config.connection_url,
        server_id: config.server_id,
        xray_config: config.xray_config,
      },
    ])
  })

  test('an edit is kept sealed and gone with other options', async () => {
    const config = await buy()
    const json = JSON.parse(config.xray_config)
    json.inbounds[0].streamSettings.realitySettings.shortIds = ['ccdd']
    await put(config.id, json)
    const row = await service.db
      .selectFrom('accesses')
      .select('xray_config_sealed')
      .where('id', '=', config.id)
      .executeTakeFirstOrThrow()
    expect(Buffer.from(row.xray_config_sealed ?? '').toString('latin1')).not.toContain('ccdd')
    const change = { location_id: 1, ...extended, use_grpc: true }
    const { body } = await service.customer(user, 'PATCH', `/configs/${config.id}/settings`, change)
    expect(body.data.connection_url).not.toContain('ccdd')
    expect(body.data.xray_config).not.toContain('ccdd')
  })

  test('public_key must be the private key’s', async () => {
    const config = await buy()
    const key = new URL(config.connection_url).searchParams.get('pbk') as string
    expect((await put(config.id, config.xray_config, { public_key: key })).status).toBe(200)
    expect((await put(config.id, config.xray_config, { public_key: null })).status).toBe(200)
    const wrong = await put(config.id, config.xray_config, {
      public_key: `${key.startsWith('A') ? 'B' : 'A'}${key.slice(1)}`,
    })
    expect(wrong.body).toMatchObject({ statusCode: 400, details: [{ path: 'public_key' }] })
  })

  test('entries of bridges learn of the edited exit', async () => {
    const [entry, exit] = [await buy({ protocol: 'vless' }), await buy()]
    const bridge = { first_config_id: entry.id, second_config_id: exit.id }
    await service.customer(user, 'POST', '/configs/makeBridge', bridge)
    const revisionOf = async () =>
      (
        await service.db
          .selectFrom('placements')
          .select('revision')
          .where('access_id', '=', entry.id)
          .executeTakeFirstOrThrow()
      ).revision
    const before = await revisionOf()
    await put(exit.id, exit.xray_config)
    const edited = await revisionOf()
    expect(edited).toBeGreaterThan(before)
    await service.customer(user, 'POST', `/configs/${exit.id}/resetXrayConfig`)
    expect(await revisionOf()).toBeGreaterThan(edited)
  })

  test('what has ended is not tried', async () => {
    const config = await buy()
    await service.db
      .updateTable('terms')
      .set({ expires_at: service.clock.now() })
      .where('item_id', '=', config.id)
      .execute()
    expect((await put(config.id, config.xray_config)).body.details).toEqual([
      { path: 'config_id', problem: 'has ended; renew it first' },
    ])
  })

  test('only a configuration with extended settings has such a JSON', async () => {
    const plain = await buy({ protocol: 'vless' })
    expect((await put(plain.id, '{}')).body.details[0].problem).toContain('use_extended_settings')
    const wireguard = await buy({ protocol: 'wg' })
    const reset = await service.customer(user, 'POST', `/configs/${wireguard.id}/resetXrayConfig`)
    expect(reset.status).toBe(400)
  })

  /** All of them are read in packages/domain; here every fifth takes the whole way. */
  const sample = hostileXrayConfigs.filter((_, at) => at % 5 === 0)

  test('check 33: hostile configurations are refused with a reason, and nothing changes', async () => {
    const config = await buy()
    expect(sample.length).toBeGreaterThanOrEqual(80)
    for (const { name, text } of sample) {
      const { body } = await put(config.id, text)
      expect(body, name).toMatchObject({ status: false, statusCode: 400, errorCode: 3 })
      expect(body.details[0].problem.length, name).toBeGreaterThan(0)
      expect(body.details[0].path, name).toMatch(/^xray_config/)
    }
    await service.heartbeat()
    expect(await shown(config.id)).toEqual(config)
  })

  test('a body of more than 128 KiB is 413, a text of more than 64 KiB is 400', async () => {
    expect([xrayConfigTextLimitBytes, xrayConfigBodyLimitBytes]).toEqual([maxBytes, 128 * 1024])
    const config = await buy()
    const padded = (bytes: number, unit = ' ') =>
      config.xray_config + unit.repeat((bytes - config.xray_config.length) / Buffer.byteLength(unit))
    expect((await put(config.id, padded(64 * 1024))).status).toBe(200)
    const [long, wide, body] = [
      await put(config.id, padded(64 * 1024 + 1)),
      await put(config.id, padded(100 * 1024, 'ж')),
      await put(config.id, padded(127 * 1024)),
    ]
    for (const { body: answer } of [long, wide, body]) {
      expect(answer).toMatchObject({ statusCode: 400, details: [{ path: 'xray_config' }] })
      expect(answer.details[0].problem).toContain('65536')
    }
    expect((await put(config.id, padded(128 * 1024))).status).toBe(413)
    expect((await put(config.id, padded(520 * 1024))).status).toBe(413)
    const document = await service.call('GET', '/v1/openapi.json')
    const { patch } = document.body.paths['/configs/{config_id}/XrayConfig']
    expect(JSON.stringify(patch)).toContain('"maxLength":65536')
  })

  test('whose it is comes before what it says', async () => {
    const [config, stranger] = [await buy(), await service.createUser()]
    for (const text of ['{{', '[{}'.padEnd(60_000, ',{}'), config.xray_config]) {
      const path = `/configs/${config.id}/XrayConfig`
      const { body } = await service.customer(stranger, 'PATCH', path, { xray_config: text })
      expect(body).toMatchObject({ statusCode: 404, errorCode: 1 })
      expect(body).not.toHaveProperty('details')
    }
  })

  test('keys of the service and keys in standard Base64 are taken alike', async () => {
    const config = await buy()
    const withKey = (privateKey: string) => {
      const json = JSON.parse(config.xray_config)
      json.inbounds[0].streamSettings.realitySettings.privateKey = privateKey
      return json
    }
    const drawn = await service.customer(user, 'POST', '/xray/keys')
    expect(drawn.status).toBe(201)
    const { private_key: key, public_key: publicKey } = drawn.body.data
    for (const form of [key, `${key}=`]) {
      const { body } = await put(config.id, withKey(form), { public_key: `${publicKey}=` })
      expect(new URL(body.data.connection_url).searchParams.get('pbk')).toBe(publicKey)
      expect(body.data.xray_config).toContain(`"${key}"`)
    }
    const standard = `${'+/'.repeat(21)}8=`
    const { status, body } = await put(config.id, withKey(standard))
    expect(status).toBe(200)
    expect(body.data.xray_config).toContain(`"${'-_'.repeat(21)}8"`)
  })
})

describe('the engine is asked first', () => {
  const setUp = async () => {
    const node = await enrolNode(service, 7)
    await node.report()
    const config = await buy({ ...extended, location_id: 7, server_id: node.serverId })
    return { node, config, since: (await node.poll(0)).revision }
  }

  test('accepted: kept, and told to the node', async () => {
    const { node, config, since } = await setUp()
    const change = put(config.id, config.xray_config)
    const asked = await node.poll(since, 5)
    expect(asked).toMatchObject({ kind: 'unchanged', trials: [{ id: expect.any(Number) }] })
    const [trial] = asked.trials
    expect(JSON.parse(trial?.config ?? '')).toEqual(JSON.parse(config.xray_config))
    expect((await node.answerTrial(trial?.id ?? 0, { is_accepted: true, reason: null })).status).toBe(200)
    expect((await change).status).toBe(200)
    const told = await node.poll(since)
    expect(told).toMatchObject({ kind: 'delta', trials: [], accesses: [{ id: `a${config.id}` }] })
  })

  test('accepted, but the options were changed meanwhile: 409, and what they make goes on', async () => {
    const { node, config, since } = await setUp()
    const change = put(config.id, config.xray_config)
    const [trial] = (await node.poll(since, 5)).trials
    const settings = { location_id: 7, protocol: 'vless', block_bittorrent: true }
    const changed = await service.customer(user, 'PATCH', `/configs/${config.id}/settings`, settings)
    await node.answerTrial(trial?.id ?? 0, { is_accepted: true, reason: null })
    expect((await change).body).toMatchObject({ statusCode: 409, errorCode: 6 })
    expect((await shown(config.id)).xray_config).toBe(changed.body.data.xray_config)
  })

  test('refused: 400 with the engine’s words, and the old one goes on', async () => {
    const { node, config, since } = await setUp()
    const change = put(config.id, config.xray_config)
    const [trial] = (await node.poll(since, 5)).trials
    await node.answerTrial(trial?.id ?? 0, { is_accepted: false, reason: 'invalid short id' })
    expect((await change).body).toMatchObject({
      statusCode: 400,
      details: [{ path: 'xray_config', problem: expect.stringContaining('invalid short id') }],
    })
    expect(await node.poll(since)).toMatchObject({ kind: 'unchanged', trials: [] })
  })

  const ownSitesOnly = {
    engines: [
      { name: 'xray' as const, state: 'running' as const, version: '1', detail: null, own_sites_only: true },
    ],
  }
  const borrowing = (config: { xray_config: string }, target: string) => {
    const json = JSON.parse(config.xray_config)
    json.inbounds[0].streamSettings.realitySettings.target = target
    return json
  }

  test('a node that says so borrows no other sites than the server’s', async () => {
    const { node, config, since } = await setUp()
    await node.report(ownSitesOnly)
    const own = JSON.parse(config.xray_config).inbounds[0].streamSettings.realitySettings.target
    expect((await put(config.id, borrowing(config, 'www.wikipedia.org:443'))).body).toMatchObject({
      statusCode: 400,
      details: [
        {
          path: 'xray_config.inbounds[0].streamSettings.realitySettings.target',
          problem: expect.stringMatching(`^must be ${own} or .*: this server cannot .*move`),
        },
      ],
    })
    expect((await node.poll(since)).trials).toEqual([])
    const { own_targets: targets = [] } = await node.poll(since)
    const other = targets.find((target) => target !== own && target !== 'www.google.com:443') ?? ''
    for (const target of [own, other]) {
      const change = put(config.id, borrowing(config, target))
      const { revision } = await node.poll(0)
      const [trial] = (await node.poll(revision, 5)).trials
      await node.answerTrial(trial?.id ?? 0, { is_accepted: true, reason: null })
      expect((await change).status, target).toBe(200)
    }
  })

  test('any other node is asked about the site, and its words are the answer', async () => {
    const { node, config, since } = await setUp()
    const change = put(config.id, borrowing(config, 'rebind.example.com:443'))
    const [trial] = (await node.poll(since, 5)).trials
    expect(trial?.config).toContain('rebind.example.com:443')
    await node.answerTrial(trial?.id ?? 0, { is_accepted: false, reason: 'it leads inside' })
    expect((await change).body).toMatchObject({
      statusCode: 400,
      details: [{ path: 'xray_config', problem: 'the server refuses it: it leads inside' }],
    })
    expect(await shown(config.id)).toEqual(config)
  })

  test('another node cannot answer; a silent one is 503', async () => {
    const { node, config, since } = await setUp()
    const stranger = await enrolNode(service, 7)
    const change = put(config.id, config.xray_config)
    const [trial] = (await node.poll(since, 5)).trials
    const foreign = await stranger.answerTrial(trial?.id ?? 0, { is_accepted: true, reason: null })
    expect(foreign.status).toBe(404)
    // Its eight seconds pass.
    const now = performance.now.bind(performance)
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 8000)
    onTestFinished(() => void vi.restoreAllMocks())
    expect((await change).body).toMatchObject({ statusCode: 503, errorCode: 53 })
    expect((await node.poll(since)).trials).toEqual([])
  })

  test('an offline node is 503 at once', async () => {
    const { config } = await setUp()
    service.clock.advance(91)
    expect((await put(config.id, config.xray_config)).status).toBe(503)
  })

  test('what an engine refuses when it is applied is told to the customer once', async () => {
    const { node, config, since } = await setUp()
    const { accesses } = await node.poll(0)
    const [access] = accesses
    const refused = [{ id: access?.id ?? '', revision: access?.revision ?? 1, reason: 'port is taken' }]
    await node.report({ applied_revision: since, refused })
    await node.report({ applied_revision: since, refused })
    await node.report({ refused: [{ id: `a${config.id}`, revision: 999, reason: 'old news' }] })
    const { body } = await service.customer(user, 'GET', '/profile/notifications')
    expect(body.data).toHaveLength(1)
    expect(body.data[0].content).toContain('port is taken')
  })
})
