import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { enrolNode, signNodeToken } from '../../../../test/support/node.ts'
import { type Answer, startTestService, type TestService } from '../../../../test/support/service.ts'
import { touchNode } from '../../core/fleet/placements.ts'
import { inTransaction } from '../../db/client.ts'
import { agentsHere } from './here.ts'

/** What one node's agent may ask of the service, and that others do not notice. */
let service: TestService
beforeAll(async () => {
  service = await startTestService({ env: { MAX_WAITING_REQUESTS: '8' } })
})
afterAll(() => service.stop())
beforeEach(() => service.clock.advance(60))

type Node = Awaited<ReturnType<typeof enrolNode>>

const asking = async (node: Node) => {
  const token = await signNodeToken(node.nodeId, node.privateKey)
  return (since: number, waitSeconds = 30) =>
    service.call('GET', `/agent/v1/state?since=${since}&wait_seconds=${waitSeconds}`, { token })
}

const touch = ({ nodeId }: Node) =>
  inTransaction(service.db, (tx) => touchNode(tx, service.running.services.bus, nodeId))

/** Polls that wait are listed nowhere; what they wait for is. */
const waiting = () => setTimeout(200)

test('a newer poll of a node ends the older, and is told of the next change', async () => {
  const [node, other] = [await enrolNode(service, 1), await enrolNode(service, 1)]
  const [ask, askOther] = [await asking(node), await asking(other)]
  const { revision } = await node.poll(0)
  const beside = askOther((await other.poll(0)).revision, 1)
  const older = ask(revision)
  await waiting()
  const newer = ask(revision)
  const { status, body } = await older
  expect([status, body.errorCode]).toEqual([409, 6])
  expect(body.details[0].problem).toContain('has asked again')
  await touch(node)
  expect((await newer).body.data.revision).toBe(revision + 1)
  expect((await beside).body.data.kind).toBe('unchanged')
})

test('a poll with the key that was enrolled outlives the news of the enrolment', async () => {
  const node = await enrolNode(service, 1)
  const ask = await asking(node)
  const { revision } = await node.poll(0)
  const poll = ask(revision)
  await waiting()
  // As it comes late, by way of the database.
  service.running.services.bus.deliver(`auth:n:${node.nodeId}`)
  await waiting()
  await touch(node)
  const { status, body } = await poll
  expect([status, body.data?.revision]).toEqual([200, revision + 1])
})

test('polls that wait leave the line to others; those that read stand in it', async () => {
  const nodes = await enrolNodes(14)
  const polls: Promise<Answer>[] = []
  for (const node of nodes) {
    const ask = await asking(node)
    polls.push(ask((await node.poll(0)).revision))
    await setTimeout(20)
  }
  const release = await fillLine(nodes.slice(2))
  const [first, second] = nodes as [Node, Node]
  const ask = await asking(second)
  const refused = await ask(0)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1'])
  service.running.services.bus.deliver(`node:${first.nodeId}`)
  expect((await polls[0])?.status).toBe(503)
  await release()
  expect((await ask(0)).status).toBe(200)
  for (const node of nodes.slice(2)) await touch(node)
  const answers = await Promise.all(polls.slice(2))
  expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200))
})

const enrolNodes = async (count: number): Promise<Node[]> => {
  const nodes: Node[] = []
  while (nodes.length < count) nodes.push(await enrolNode(service, 1))
  return nodes
}

/** With reports, each of which waits for a row that is held here. */
const fillLine = async (nodes: readonly Node[]) => {
  const done = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = inTransaction(service.db, async (tx) => {
    const ids = nodes.map(({ nodeId }) => nodeId)
    await tx.selectFrom('node_status').select('node_id').where('node_id', 'in', ids).forUpdate().execute()
    held.resolve()
    await done.promise
  })
  await held.promise
  const reports = nodes.map((node) => node.report())
  await waiting()
  return async () => {
    done.resolve()
    await Promise.all([holding, ...reports])
  }
}

test('reports and polls of one node stand in its line, and those of another do not', async () => {
  const [node, other] = [await enrolNode(service, 1), await enrolNode(service, 1)]
  const ask = await asking(node)
  const { turns } = agentsHere(service.running.services.bus)
  const held = Promise.withResolvers<void>()
  const before = Array.from({ length: 9 }, () => turns.take(node.nodeId, () => held.promise))
  for (const { status, headers } of [await node.report(), await ask(0, 0)]) {
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  }
  expect((await other.report()).status).toBe(200)
  held.resolve()
  await Promise.all(before)
  expect([(await node.report()).status, (await ask(0, 0)).status]).toEqual([200, 200])
})

test('a flood of polls of one node leaves one of them, and others are served', async () => {
  const node = await enrolNode(service, 1)
  const ask = await asking(node)
  const user = await service.createUser()
  const { revision } = await node.poll(0)
  const statuses: number[] = []
  const answered = (count: number) =>
    expect.poll(() => statuses.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(count)
  for (let n = 0; n < 60; n++) {
    void ask(revision).then(({ status }) => statuses.push(status))
    await setTimeout(5)
  }
  await answered(59)
  const last = ask(revision)
  await answered(60)
  expect((await service.call('GET', '/v1/profile', { token: user.api_key })).status).toBe(200)
  await touch(node)
  expect((await last).status).toBe(200)
  expect(statuses).not.toContain(200)
  expect(statuses).toContain(409)
})

test.each([
  ['polls', 100, (node: Node) => asking(node).then((ask) => ask(0, 0))],
  ['reports', 60, (node: Node) => node.report()],
  ['verdicts', 200, (node: Node) => node.answerTrial(1, { is_accepted: true, reason: null })],
])('%s of one node are counted, and refused with the time to wait', async (_name, points, send) => {
  const [node, other] = [await enrolNode(service, 1), await enrolNode(service, 1)]
  for (let n = 0; n < points; n++) expect((await send(node)).status).not.toBe(429)
  const refused = await send(node)
  expect([refused.status, refused.body.errorCode, refused.headers.get('retry-after')]).toEqual([429, 5, '10'])
  expect((await send(other)).status).not.toBe(429)
  service.clock.advance(10)
  expect((await send(node)).status).not.toBe(429)
})

/** So many counters that they wait for a place. */
const manyCounters = Array.from({ length: 1000 }, (_, n) => ({
  boot_id: 'boot',
  id: `a${n + 1}`,
  up: 1,
  down: 1,
}))

/** Takes places, and lets others stand in line for them, until it is told to let go. */
const takePlaces = (count: number) => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { largeReports } = agentsHere(service.running.services.bus)
  const taken = Array.from({ length: count }, () => largeReports.take(() => promise))
  return async () => {
    resolve()
    await Promise.all(taken)
  }
}

test('a large report that waits for its place keeps neither the polls of its node waiting nor others out', async () => {
  const node = await enrolNode(service, 1)
  const letGo = takePlaces(4)
  const report = node.report({ traffic: manyCounters })
  await waiting()
  const { body: metrics } = await service.call('GET', '/metrics')
  expect(metrics).toMatch(/^sallyport_http_waiting_requests 0$/m)
  const polled = await Promise.race([node.poll(0), setTimeout(3000, 'waited')])
  expect(polled).toMatchObject({ kind: 'snapshot' })
  await letGo()
  expect((await report).status).toBe(200)
})

test('a node whose report is sent away for want of a place is heard of, and not silent', async () => {
  const node = await enrolNode(service, 1)
  await node.report()
  service.clock.advance(100)
  const letGo = takePlaces(204)
  const { status, headers } = await node.report({ traffic: manyCounters })
  expect([status, headers.get('retry-after')]).toEqual([503, '1'])
  await letGo()
  const seen = await service.db
    .selectFrom('node_status')
    .select('last_seen_at')
    .where('node_id', '=', node.nodeId)
    .executeTakeFirst()
  expect(seen?.last_seen_at).toBe(service.clock.now())
})
