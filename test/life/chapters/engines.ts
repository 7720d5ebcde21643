import { configOf, nodeOf, type World } from '../world.ts'

/** What a customer writes for an engine: the JSON of a personal Xray, the numbers of an AmneziaWG interface. */

/** The node is asked whether its engine takes what was written; everything is written down once it is over. */
const tried = async (world: World, config_id: number, body: object, verdict: object): Promise<void> => {
  const { life, anna } = world
  const north = nodeOf(world, 'north')
  const { revision } = await north.poll()
  const input = { params: { config_id }, body }
  const change = life.send(anna, 'changeXrayConfig', input)
  const [trial] = (await north.poll(revision, 5)).trials
  const answered = await north.call('POST', `/trials/${trial?.id}`, verdict)
  life.note(anna, 'changeXrayConfig', input, await change)
  life.write({
    trial: life.normalise(trial, 'trial'),
    verdict,
    answer: [answered.status, answered.body.data],
  })
}

const xrayOf = async ({ life, anna }: World, config_id: number) => {
  const { data } = await life.send(anna, 'listConfigs')
  const { xray_config } = data.find(({ id }: { id: number }) => id === config_id)
  return JSON.parse(xray_config)
}

const accepted = { is_accepted: true, reason: null }

const xray = async (world: World): Promise<void> => {
  const { life, anna } = world
  const config_id = configOf(world, 'extended')
  const json = await xrayOf(world, config_id)
  await tried(world, config_id, { xray_config: JSON.stringify(json) }, accepted)
  const [inbound] = json.inbounds
  inbound.settings.clients[0].id = '11111111-2222-4333-8444-555555555555'
  Object.assign(inbound.streamSettings.realitySettings, {
    serverNames: ['www.example.org'],
    target: 'www.example.org:443',
    shortIds: ['aabb'],
  })
  const body = { xray_config: JSON.stringify(json, null, 1) }
  await tried(world, config_id, body, { is_accepted: false, reason: 'invalid short id' })
  await tried(world, config_id, body, accepted)
  await life.state(nodeOf(world, 'north'))
  await life.subscription(anna)
  const moved = { location_id: 2, protocol: 'vless' }
  await life.ask(anna, 'changeConfigSettings', { params: { config_id }, body: moved })
  await life.wait(4)
  await life.ask(anna, 'resetXrayConfig', { params: { config_id } })
  await life.ask(anna, 'resetConfigCredentials', { params: { config_id } })
  await life.wait(4)
  await life.ask(anna, 'resetConfigCredentials', { params: { config_id: configOf(world, 'wg') } })
}

const wrongXray = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = configOf(world, 'extended')
  const json = await xrayOf(world, config_id)
  const put = (xray_config: unknown, more: object = {}, id = config_id, who = anna) =>
    life.ask(who, 'changeXrayConfig', { params: { config_id: id }, body: { xray_config, ...more } })
  await put('{}')
  await put('not JSON')
  await put(JSON.stringify({ ...json, api: {} }))
  await put(JSON.stringify({ ...json, inbounds: [] }))
  await put(JSON.stringify({ ...json, outbounds: [{ protocol: 'socks', settings: {} }] }))
  await put(JSON.stringify(json), { public_key: 'A'.repeat(43) })
  await put(JSON.stringify(json), {}, configOf(world, 'vless'))
  await put(JSON.stringify(json), {}, config_id, boris)
  await life.wait(4)
  await life.ask(anna, 'resetXrayConfig', { params: { config_id: configOf(world, 'wg') } })
  await life.wait(4)
  await life.ask(boris, 'resetXrayConfig', { params: { config_id } })
  const north = nodeOf(world, 'north')
  north.isAlive = false
  await life.wait(120)
  await put(JSON.stringify(json))
  north.isAlive = true
  await life.beat()
}

/** What an engine refuses when it is applied is told to the customer. */
const refused = async (world: World): Promise<void> => {
  const { life, anna } = world
  const north = nodeOf(world, 'north')
  const { data } = await life.send(anna, 'listConfigs')
  const trojan = data.find(({ protocol }: { protocol: string }) => protocol === 'trojan')
  const { id, revision } = await north.accessWith(new URL(trojan.connection_url).username)
  const entry = { id, revision, reason: 'port is taken' }
  for (let n = 0; n < 2; n++) await north.report({ applied_revision: revision, refused: [entry] })
  await life.ask(anna, 'takeNotifications')
}

const chosen = { jc: 20, jmin: 200, jmax: 900, s1: 300, s2: 320, s3: 200, s4: 100 }
const headers = { h1: 2_200_000_001, h2: 4_294_967_295, h3: 3_300_000_003, h4: 4_000_000_004 }

const awg = async (world: World): Promise<void> => {
  const { life, anna, boris } = world
  const config_id = configOf(world, 'amnezia-wg-2')
  const tune = (body: object, id = config_id, who = anna) =>
    life.ask(who, 'changeAwgConfig', { params: { config_id: id }, body })
  await tune({})
  await tune({ jc: 90 })
  await tune({ port: 45_001, ...chosen, ...headers })
  await life.state(nodeOf(world, 'north'))
  for (const wrong of [{ port: 9999 }, { jc: 0 }, { jc: '5' }, { s1: -1 }, { i1: 5 }, { h1: 0 }])
    await tune(wrong)
  for (const wrong of [
    { jmin: 901 },
    { h1: 3_300_000_003 },
    { s1: 0, s2: 56 },
    { s1: 70_000 },
    { s4: 4_294_967_295 },
  ])
    await tune(wrong)
  await tune({ jc: 5 }, configOf(world, 'wg'))
  await tune({ jc: 5 }, config_id, boris)
  await tune({ jc: 5 }, 999_999_999)
  const { data } = await life.ask(anna, 'buyConfig', {
    body: { location_id: 1, protocol: 'amnezia-wg-2', payment_method_id: 1, tariff_id: 1 },
  })
  await tune({ port: 45_001 }, data.id)
  await tune({ port: 45_002 }, data.id)
}

export const engines = async (world: World): Promise<void> => {
  await xray(world)
  await wrongXray(world)
  await refused(world)
  await awg(world)
}
