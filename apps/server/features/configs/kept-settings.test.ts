import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

/** What a change of settings leaves alone. */

let service: TestService
let user: TestUser
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 1_000_000 })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const extended = { protocol: 'vless', use_extended_settings: true }
const buy = (body: object = extended) => service.buy(user, body)
const change = (id: number, body: object) =>
  service.customer(user, 'PATCH', `/configs/${id}/settings`, {
    location_id: 1,
    protocol: 'vless',
    ...body,
  })
const shown = async (id: number) =>
  (await service.customer(user, 'GET', '/configs')).body.data.find((row: { id: number }) => row.id === id)

describe('options that are not named', () => {
  test('stay as they were, and the answer says which are on', async () => {
    const config = await buy({ ...extended, use_grpc: true, block_bittorrent: true })
    const on = ['use_extended_settings', 'block_bittorrent', 'use_grpc']
    expect(config.options).toEqual(on)
    const { body } = await change(config.id, {})
    expect(body.data).toEqual({
      connection_url: config.connection_url,
      server_id: config.server_id,
      xray_config: config.xray_config,
      options: on,
    })
    const warped = await change(config.id, { use_warp: true, block_bittorrent: false })
    expect(warped.body.data.options).toEqual(['use_extended_settings', 'use_warp', 'use_grpc'])
    expect(await shown(config.id)).toMatchObject(warped.body.data)
  })

  test('give way to one that is named, and go off with what they need', async () => {
    const config = await buy({ ...extended, use_grpc: true, disable_sni: true })
    const xhttp = await change(config.id, { use_xhttp: true })
    expect(xhttp.body.data.options).toEqual(['use_extended_settings', 'disable_sni', 'use_xhttp'])
    expect(xhttp.body.data.connection_url).toContain('type=xhttp')
    const plain = await change(config.id, { use_extended_settings: false })
    expect(plain.body.data).toMatchObject({ options: ['disable_sni'] })
    expect(plain.body.data).not.toHaveProperty('xray_config')
    const none = await change(config.id, { disable_sni: false })
    expect(none.body.data).not.toHaveProperty('options')
  })

  test('go off where the new protocol or location cannot carry them', async () => {
    const config = await buy({ ...extended, location_id: 18, pass_all_traffic_through_vpn: true })
    const away = await change(config.id, {})
    expect(away.body.data.options).toEqual(['use_extended_settings'])
    const trojan = await change(config.id, { protocol: 'trojan' })
    expect([trojan.status, trojan.body.data.options]).toEqual([200, undefined])
    expect(await shown(config.id)).toMatchObject({ is_extended_settings_enabled: false })
  })

  test('one that is named and cannot be is refused by name, and nothing changes', async () => {
    const config = await buy({ ...extended, use_grpc: true })
    for (const [body, path] of [
      [{ protocol: 'trojan', use_grpc: true }, 'use_grpc'],
      [{ use_extended_settings: false, use_grpc: true }, 'use_grpc'],
      [{ pass_all_traffic_through_vpn: true }, 'pass_all_traffic_through_vpn'],
      [{ use_xhttp: true, use_grpc: true }, 'use_grpc'],
    ] as const) {
      const refused = await change(config.id, body)
      expect(refused.body).toMatchObject({ statusCode: 400, errorCode: 3, details: [{ path }] })
    }
    expect(await shown(config.id)).toEqual(config)
  })
})

describe('an edited JSON', () => {
  const put = (id: number, json: unknown) =>
    service.customer(user, 'PATCH', `/configs/${id}/XrayConfig`, { xray_config: JSON.stringify(json) })
  const rule = { domain: ['domain:mine.example'], outboundTag: 'block' }
  /** Bought and edited: a rule and a short id of the customer's own beside the server's. */
  const buyEdited = async (body: object = extended) => {
    const config = await buy(body)
    const json = JSON.parse(config.xray_config)
    json.routing.rules.unshift(rule)
    json.inbounds[0].streamSettings.realitySettings.shortIds.push('c0de')
    expect((await put(config.id, json)).status).toBe(200)
    return config
  }
  const read = (xrayConfig: string) => {
    const { inbounds, routing } = JSON.parse(xrayConfig)
    const [{ settings, streamSettings, ...inbound }] = inbounds
    const { target, serverNames, privateKey, shortIds } = streamSettings.realitySettings
    return { ...inbound, uuid: settings.clients[0].id, target, serverNames, privateKey, shortIds, routing }
  }

  test('survives a move, with what belongs to the new server', async () => {
    const node = await enrolNode(service, 2, { protocols: ['vless'] })
    await node.report()
    const config = await buyEdited()
    const { body } = await change(config.id, { location_id: 2, server_id: node.serverId })
    expect(body.data.server_id).toBe(node.serverId)
    const [before, after] = [read(config.xray_config), read(body.data.xray_config)]
    expect(after).toMatchObject({ target: 'www.example.com:443', serverNames: ['www.example.com'] })
    expect(after.routing.rules[0]).toEqual(rule)
    expect(after.shortIds).toHaveLength(2)
    expect(after.shortIds[1]).toBe('c0de')
    for (const own of ['uuid', 'privateKey', 'target']) expect(after[own]).not.toBe(before[own])
    const link = new URL(body.data.connection_url)
    expect([link.username, Number(link.port), link.hostname]).toEqual([after.uuid, after.port, '203.0.113.5'])
    expect(link.searchParams.get('sni')).toBe('www.example.com')
    const { accesses } = await node.poll(0)
    const told = accesses.find(({ id }) => id === `a${config.id}`)
    expect(told).toMatchObject({ kind: 'instance', port: after.port })
    expect(JSON.parse((told as { config: string }).config)).toEqual(JSON.parse(body.data.xray_config))
    const reset = await service.customer(user, 'POST', `/configs/${config.id}/resetXrayConfig`)
    expect(read(reset.body.data.xray_config)).toEqual({
      ...after,
      shortIds: after.shortIds.slice(0, 1),
      routing: { ...after.routing, rules: after.routing.rules.slice(1) },
    })
  })

  test('is made anew when protocol or options change', async () => {
    for (const body of [{ use_xhttp: true }, { protocol: 'vless-2410' }]) {
      const config = await buyEdited()
      const { body: changed } = await change(config.id, body)
      expect(changed.data.xray_config).not.toContain('mine.example')
    }
  })

  test('goes along when what has ended comes back on another server', async () => {
    const config = await buyEdited({ ...extended, location_id: 7 })
    service.clock.advance(31 * 86_400)
    await service.heartbeat()
    await service.running.runJobs()
    const full = service.db.updateTable('servers').set({ capacity: 0 })
    await full.where('id', '=', config.server_id).execute()
    const renewed = await service.customer(user, 'POST', `/configs/renewal/${config.id}`, {
      payment_method_id: 1,
    })
    expect(renewed.status).toBe(201)
    const back = await shown(config.id)
    expect(back.server_id).not.toBe(config.server_id)
    const [before, after] = [read(config.xray_config), read(back.xray_config)]
    expect(after.routing.rules[0]).toEqual(rule)
    expect(after.shortIds[1]).toBe('c0de')
    expect(after.uuid).not.toBe(before.uuid)
    expect(new URL(back.connection_url).username).toBe(after.uuid)
  })
})
