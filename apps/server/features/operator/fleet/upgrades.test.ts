import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { UpgradingNode } from '../../../../../test/support/machines/upgrading-node.ts'
import { startTestService, type TestService, testRelease } from '../../../../../test/support/service.ts'
import { readConfig } from '../../../config.ts'
import { moveUpgrades } from '../../../core/upgrades/upgrade-job.ts'
import { startService } from '../../../main.ts'

const before = 'aaaaaaaaaaaaaaaa'

let service: TestService
let handedOut: string
let nodes: UpgradingNode[]
beforeAll(async () => {
  const agentKit = { release: async () => handedOut, known: () => handedOut }
  service = await startTestService({ withoutLimits: true, agentKit })
  await service.db.updateTable('nodes').set({ public_key: null }).execute()
  nodes = []
  for (let count = 0; count < 4; count++) nodes.push(await UpgradingNode.enrol(service, before))
})
afterAll(() => service.stop())

beforeEach(async () => {
  handedOut = testRelease
  await service.db.deleteFrom('agent_upgrade_nodes').execute()
  await service.db.deleteFrom('agent_upgrades').execute()
  await service.db.deleteFrom('alerts').execute()
  nodes = nodes.slice(0, 4)
  for (const node of nodes) await node.reset(before)
})

const at = (index: number): UpgradingNode => nodes[index] as UpgradingNode
const move = () => moveUpgrades(service.running.services, service.clock.now())
const ask = async (method: string, path = '', body?: object) => {
  const answer = await service.operator(method, `/agent-upgrades${path}`, body)
  return { ...answer.body, status: answer.status }
}
const begin = async (body: object = {}) => {
  const { status, data, details } = await ask('POST', '', { pause_seconds: 60, ...body })
  expect([status, details]).toEqual([201, undefined])
  await move()
  return data.id as number
}
const show = async (id: number) => (await ask('GET', `/${id}`)).data
/** Of those that are part of it, in the order in which they were enrolled. */
const states = async (id: number) => {
  const { nodes: rows } = await show(id)
  const stateOf = (node: UpgradingNode) =>
    rows.find((row: { node_id: number }) => row.node_id === node.id)?.state
  return nodes.map(stateOf).filter((state) => state !== undefined)
}
const first = async (id: number) => (await states(id))[0]
const reasonOf = async (id: number, node: UpgradingNode) =>
  (await show(id)).nodes.find((row: { node_id: number }) => row.node_id === node.id).reason
/** Time passes, and everybody goes on reporting but those who are away. */
const pass = async (seconds: number, away: readonly UpgradingNode[] = []) => {
  service.clock.advance(seconds)
  for (const node of nodes) if (!away.includes(node)) await node.report()
  await move()
}
const alerts = async () =>
  (await service.operator('GET', '/alerts')).body.data.filter(
    ({ kind }: { kind: string }) => kind === 'upgrade_stopped',
  )

test('a wave is told, comes back well, is looked at, and then comes the next', async () => {
  const id = await begin({ waves: [[at(2).id], 50, 100] })
  expect(await states(id)).toEqual(['waiting', 'waiting', 'told', 'waiting'])
  expect(await Promise.all(nodes.map((node) => node.told()))).toEqual([null, null, testRelease, null])
  await at(2).begin()
  await move()
  expect(await states(id)).toEqual(['waiting', 'waiting', 'upgrading', 'waiting'])
  expect(await at(2).told()).toBeNull()
  at(2).release = testRelease
  await at(2).report()
  await move()
  expect(await states(id)).toEqual(['waiting', 'waiting', 'done', 'waiting'])
  expect(await show(id)).toMatchObject({ wave: 1, next_wave_at: service.clock.now() + 60 })
  await pass(59)
  expect((await show(id)).wave).toBe(1)
  await pass(1)
  expect(await states(id)).toEqual(['told', 'waiting', 'done', 'waiting'])
  await at(0).follow()
  await move()
  await pass(60)
  expect(await states(id)).toEqual(['done', 'told', 'done', 'told'])
  for (const node of nodes) await node.follow()
  await move()
  expect((await show(id)).state).toBe('running')
  await pass(60)
  expect(await show(id)).toMatchObject({ state: 'done', ended_at: service.clock.now(), stop_reason: null })
  expect((await show(id)).waves.map(({ done }: { done: number }) => done)).toEqual([1, 1, 2])
  expect(await alerts()).toEqual([])
})

test('nodes say what they run, and what they could', async () => {
  const { body } = await service.operator('GET', `/nodes/${at(0).id}`)
  expect(body.data).toMatchObject({ release: before, newest_release: testRelease, can_upgrade: true })
  await at(0).node.report()
  expect((await service.operator('GET', `/nodes/${at(0).id}`)).body.data.release).toBeNull()
})

test('percentages begin with those who can be told and have the fewest customers', async () => {
  await service.db.updateTable('servers').set({ used_slots: 5 }).where('node_id', '=', at(0).id).execute()
  at(1).isAble = false
  await at(1).report()
  const { data } = await ask('POST', '', {})
  expect(data.waves.map(({ nodes }: { nodes: number }) => nodes)).toEqual([1, 3])
  const waveOf = (node: UpgradingNode) =>
    data.nodes.find((row: { node_id: number }) => row.node_id === node.id).wave
  expect(nodes.map(waveOf)).toEqual([2, 2, 1, 2])
  await service.db.updateTable('servers').set({ used_slots: 0 }).where('node_id', '=', at(0).id).execute()
})

test('an ill wave stops everything, says why, and calls a person', async () => {
  const id = await begin({ waves: [[at(0).id], 100] })
  await at(0).fail('release x did not come up; y serves again')
  await move()
  expect(await show(id)).toMatchObject({ state: 'stopped', stop_reason: '1 of wave 1 ill, and 0 may be' })
  expect(await reasonOf(id, at(0))).toBe('release x did not come up; y serves again')
  await pass(3600)
  expect(await states(id)).toEqual(['ill', 'waiting', 'waiting', 'waiting'])
  expect(await alerts()).toMatchObject([
    {
      subject: `agent-upgrade:${id}`,
      resolved_at: null,
      details: { wave: 1, nodes: [{ node_id: at(0).id }] },
    },
  ])
})

test('in a large wave the rest is told nothing once one is ill', async () => {
  for (let more = 0; more < 20; more++) nodes.push(await UpgradingNode.enrol(service, before))
  const id = await begin({ waves: [100] })
  expect((await show(id)).waves).toMatchObject([{ told: 20, waiting: 4 }])
  await at(0).fail('no')
  await move()
  expect((await show(id)).waves).toMatchObject([{ told: 19, waiting: 4, ill: 1 }])
  expect(await at(1).told()).toBeNull()
  await pass(121)
  expect((await show(id)).waves).toMatchObject([{ told: 0, waiting: 23, ill: 1 }])
  const more = nodes.slice(4).map((node) => node.id)
  await service.db.updateTable('nodes').set({ public_key: null }).where('id', 'in', more).execute()
})

test('so many as may be ill are borne', async () => {
  const id = await begin({ waves: [75, 100], most_ill: 1 })
  await at(0).fail('no')
  await at(1).follow()
  await at(2).follow()
  await move()
  await pass(60)
  expect(await states(id)).toEqual(['ill', 'done', 'done', 'told'])
})

test.each([
  ['an engine', { engines: [] }, 'does not run xray any more'],
  ['its state', { apply_error: 'port 443 is taken' }, 'cannot apply its state: port 443 is taken'],
  ['the newest state', { applied_revision: 0 }, 'has not applied its state'],
])('a node that comes back without %s is ill when it stays so', async (_what, change, reason) => {
  const id = await begin({ waves: [[at(0).id]] })
  await at(0).follow(change)
  await move()
  expect(await first(id)).toBe('upgrading')
  service.clock.advance(901)
  await at(0).report(change)
  await move()
  expect([await first(id), await reasonOf(id, at(0))]).toEqual(['ill', reason])
})

test('a node that never comes back, or never begins, is ill', async () => {
  const id = await begin({ waves: [[at(0).id, at(1).id]], most_ill: 2 })
  await at(0).begin()
  await pass(900)
  expect(await states(id)).toEqual(['upgrading', 'told'])
  await pass(1)
  expect(await states(id)).toEqual(['ill', 'ill'])
  expect(await reasonOf(id, at(0))).toBe(`did not come with the release within 15 minutes; it runs ${before}`)
  expect(await reasonOf(id, at(1))).toBe('did not begin within 15 minutes')
})

test.each([
  ['runs what it did before', (node: UpgradingNode) => node.reset(before), `runs ${before} again`],
  ['falls silent', async () => undefined, 'is not heard of any more'],
])('one that %s while its wave is looked at makes it ill', async (what, spoil, reason) => {
  const id = await begin({ waves: [[at(0).id], 100], pause_seconds: 600 })
  await at(0).follow()
  await move()
  expect(await first(id)).toBe('done')
  await spoil(at(0))
  await pass(91, what === 'falls silent' ? [at(0)] : [])
  expect(await show(id)).toMatchObject({ state: 'stopped', wave: 1 })
  expect(await reasonOf(id, at(0))).toBe(reason)
})

test('a report that does not name the release, as the first after a start, is no trouble', async () => {
  const id = await begin({ waves: [[at(0).id], 100], pause_seconds: 600 })
  await at(0).follow()
  await move()
  await at(0).node.report()
  await move()
  expect(await first(id)).toBe('done')
})

test('who is offline, has it already or cannot is not told', async () => {
  await at(1).report()
  at(1).release = testRelease
  at(2).isAble = false
  service.clock.advance(91)
  for (const node of [at(1), at(2), at(3)]) await node.report()
  await at(3).node.report()
  const id = await begin({ waves: [100], pause_seconds: 0 })
  expect(await states(id)).toEqual(['skipped', 'done', 'skipped', 'skipped'])
  expect(await Promise.all(nodes.map((node) => reasonOf(id, node)))).toEqual([
    'is offline',
    'runs it already',
    'needs the line of the installer by hand, once',
    'needs the line of the installer by hand, once',
  ])
  expect((await show(id)).state).toBe('done')
})

test('a person starts each wave where that was asked for', async () => {
  const id = await begin({ waves: [[at(0).id], 100], automatic: false, pause_seconds: 0 })
  await at(0).follow()
  await move()
  expect((await show(id)).state).toBe('waiting')
  await pass(3600)
  expect(await states(id)).toEqual(['done', 'waiting', 'waiting', 'waiting'])
  expect((await ask('POST', `/${id}/continue`)).data).toMatchObject({ state: 'running', wave: 2 })
  await move()
  expect(await states(id)).toEqual(['done', 'told', 'told', 'told'])
  for (const node of nodes) await node.follow()
  await move()
  expect((await show(id)).state).toBe('done')
})

test('what is stopped tells nobody, and goes on where it was', async () => {
  const id = await begin({ waves: [[at(0).id], 100], pause_seconds: 0 })
  expect((await ask('POST', `/${id}/stop`)).data.state).toBe('stopped')
  expect((await ask('POST', `/${id}/stop`)).status).toBe(200)
  expect(await at(0).told()).toBeNull()
  await pass(121)
  expect(await states(id)).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
  expect(await alerts()).toEqual([])
  await ask('POST', `/${id}/continue`)
  await move()
  expect(await states(id)).toEqual(['told', 'waiting', 'waiting', 'waiting'])
  expect((await ask('POST', `/${id}/continue`)).status).toBe(200)
})

test('one that was at it when somebody stopped comes to its end', async () => {
  const id = await begin({ waves: [[at(0).id], 100] })
  await at(0).begin()
  await move()
  await ask('POST', `/${id}/stop`)
  at(0).release = testRelease
  await at(0).report()
  await move()
  expect(await states(id)).toEqual(['done', 'waiting', 'waiting', 'waiting'])
})

test('after an ill wave a person may go on, and the alert is over', async () => {
  const id = await begin({ waves: [[at(0).id], 100], pause_seconds: 0 })
  await at(0).fail('no')
  await move()
  expect(await alerts()).toMatchObject([{ resolved_at: null }])
  await ask('POST', `/${id}/continue`)
  await move()
  expect(await states(id)).toEqual(['ill', 'told', 'told', 'told'])
  expect((await alerts()).filter((one: { resolved_at: number | null }) => one.resolved_at === null)).toEqual(
    [],
  )
  await at(1).fail('no')
  await move()
  expect((await show(id)).state).toBe('stopped')
  expect(await alerts()).toMatchObject([{ resolved_at: null }])
})

test('everybody who was upgraded goes back to what they had', async () => {
  at(1).release = 'bbbbbbbbbbbbbbbb'
  await at(1).report()
  const id = await begin({ waves: [[at(0).id, at(1).id], 100] })
  await at(0).follow()
  await at(1).begin()
  await move()
  const { status, data: back } = await ask('POST', `/${id}/back`)
  expect([status, back.back_of, back.release]).toEqual([201, id, null])
  expect((await show(id)).state).toBe('stopped')
  await move()
  // One is still on its way there.
  expect(await states(back.id)).toEqual(['told', 'waiting'])
  at(1).release = testRelease
  await at(1).report()
  await move()
  await move()
  expect(await at(0).told()).toBe(before)
  expect(await at(1).told()).toBe('bbbbbbbbbbbbbbbb')
  await at(0).follow()
  await at(1).fail('release bbbbbbbbbbbbbbbb is not on this machine')
  await move()
  expect(await states(back.id)).toEqual(['done', 'ill'])
  expect((await show(back.id)).state).toBe('done')
  expect((await ask('POST', `/${id}/continue`)).details[0].problem).toContain('was followed by another')
})

test('one at a time', async () => {
  const id = await begin()
  expect(await ask('POST', '', {})).toMatchObject({
    status: 409,
    details: [{ problem: 'another upgrade is under way; stop it first' }],
  })
  await ask('POST', `/${id}/stop`)
  expect((await ask('POST', '', {})).status).toBe(201)
  expect((await ask('GET', '?limit=1')).data).toHaveLength(1)
  expect((await ask('POST', `/${id}/continue`)).status).toBe(409)
})

test('what cannot be is refused', async () => {
  expect((await ask('POST', '', { waves: [[999_999]] })).details[0].path).toBe('waves')
  expect((await ask('POST', '', { waves: [0] })).status).toBe(400)
  expect((await ask('POST', '', { waves: [] })).status).toBe(400)
  const id = await begin({ waves: [[at(0).id]], pause_seconds: 0 })
  await ask('POST', `/${id}/stop`)
  handedOut = 'dddddddddddddddd'
  expect((await ask('POST', `/${id}/continue`)).details[0].problem).toContain(
    'hands out dddddddddddddddd now',
  )
  handedOut = testRelease
  await ask('POST', `/${id}/continue`)
  await at(0).follow()
  await move()
  expect((await show(id)).state).toBe('done')
  for (const what of ['stop', 'continue']) expect((await ask('POST', `/${id}/${what}`)).status).toBe(409)
  await pass(0)
  const nobody = await begin({ waves: [[at(0).id]], pause_seconds: 0 })
  expect((await ask('POST', `/${nobody}/back`)).details[0].problem).toContain('has upgraded nobody')
  for (const what of ['', '/stop', '/continue', '/back'])
    expect((await ask(what ? 'POST' : 'GET', `/999999${what}`)).status).toBe(404)
})

test('two instances tell each node once', async () => {
  if (!service.env.DATABASE_URL) return
  const other = await startService(readConfig(service.env), {
    clock: service.clock,
    agentKit: service.running.services.agentKit,
  })
  try {
    const { data } = await ask('POST', '', { waves: [100], pause_seconds: 0 })
    const now = service.clock.now()
    const rounds = Array.from({ length: 6 }, (_, at) =>
      moveUpgrades(at % 2 === 0 ? service.running.services : other.services, now),
    )
    await Promise.all(rounds)
    const wishes = await service.db.selectFrom('agent_upgrade_nodes').select('wish').execute()
    await moveUpgrades(other.services, now)
    expect(await service.db.selectFrom('agent_upgrade_nodes').select('wish').execute()).toEqual(wishes)
    expect(await states(data.id)).toEqual(['told', 'told', 'told', 'told'])
    for (const node of nodes) await node.follow()
    await Promise.all([move(), moveUpgrades(other.services, now)])
    await move()
    expect((await show(data.id)).state).toBe('done')
  } finally {
    await other.stop()
  }
})

test('an agent of before this goes on as it was, and is told nothing', async () => {
  await at(0).node.report()
  const id = await begin({ waves: [[at(0).id]] })
  expect(await first(id)).toBe('skipped')
  expect(await at(0).told()).toBeNull()
  expect((await at(0).node.report()).status).toBe(200)
})

test('nobody is told of a release that the service has no more', async () => {
  const id = await begin({ waves: [[at(0).id], 100] })
  expect(await states(id)).toEqual(['told', 'waiting', 'waiting', 'waiting'])
  await at(0).follow()
  handedOut = 'bbbbbbbbbbbbbbbb'
  for (let times = 0; times < 3; times++) await pass(60)
  expect(await show(id)).toMatchObject({
    state: 'stopped',
    stop_reason: 'the service hands out bbbbbbbbbbbbbbbb now; begin a new one',
  })
  expect(await states(id)).toEqual(['done', 'waiting', 'waiting', 'waiting'])
})
