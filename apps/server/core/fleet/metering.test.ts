import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { inTransaction } from '../../db/client.ts'
import { meterTraffic } from './metering.ts'
import { forgetCountersOf } from './tombstones.ts'

/** Whatever becomes of reports, what is counted is what was carried. */

let service: TestService
const nodes: number[] = []

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  for (let n = 0; n < 2; n++) nodes.push((await enrolNode(service, 1)).nodeId)
})
afterAll(() => service.stop())

interface Counter {
  readonly boot_id: string
  readonly id: string
  readonly up: number
  readonly down: number
}

interface Sent {
  readonly node: number
  readonly counters: readonly Counter[]
}

/** What can happen; which of the two accesses, on which of the two nodes. */
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('carry' as const),
      access: fc.nat(1),
      node: fc.nat(1),
      up: fc.nat(1000),
      down: fc.nat(1000),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('report' as const), node: fc.nat(1), isLost: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('late' as const), which: fc.nat(50) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const), node: fc.nat(1) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('away' as const), access: fc.nat(1), node: fc.nat(1) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('months' as const) }) },
)

let runs = 0

/** A term with two accesses that are placed on both nodes. */
const makeTerm = async (): Promise<{ termId: number; accesses: number[] }> => {
  const user = await service.createUser()
  const { db, clock } = service
  const { rows } = await sql<{ id: number }>`
    insert into terms (user_id, product, item_id, expires_at, created_at, is_metered)
    values (${user.id}, 'cloud_servers', ${1_000_000 + runs}, ${clock.now() + 1e9}, ${clock.now()}, true)
    returning id`.execute(db)
  const termId = (rows[0] as { id: number }).id
  const accesses: number[] = []
  for (let n = 0; n < 2; n++) {
    const made = await sql<{ id: number }>`
      with made as (
        insert into accesses (term_id, server_id, location_id, protocol, credential_nonce, created_at)
        values (${termId}, 1, 1, 'vless', ${Buffer.alloc(16)}, 0) returning id
      ), metered as (insert into meters (access_id, term_id, is_metered) select id, ${termId}, true from made)
      select id from made`.execute(db)
    accesses.push((made.rows[0] as { id: number }).id)
  }
  for (const node of nodes) {
    for (const access of accesses) {
      await sql`
        with next as (update nodes set desired_revision = desired_revision + 1 where id = ${node} returning *)
        insert into placements (node_id, access_id, server_id, revision, is_present)
        select id, ${access}, 1, desired_revision, true from next`.execute(db)
    }
  }
  return { termId, accesses }
}

const deliver = ({ node, counters }: Sent) =>
  inTransaction(service.db, (tx) => meterTraffic(tx, nodes[node] as number, counters, service.clock.now()))

/** Whether the term is noted as moved; in the same transaction, for whoever looks after limits takes the note away. */
const deliverAndLook = (sent: Sent, termId: number): Promise<boolean> =>
  inTransaction(service.db, async (tx) => {
    await meterTraffic(tx, nodes[sent.node] as number, sent.counters, service.clock.now())
    const { rows } = await sql`select from moved_terms where ${termId}::bigint = any(term_ids)`.execute(tx)
    return rows.length > 0
  })

const countedOf = async (termId: number) => {
  const { rows } = await sql<{ up: number; down: number }>`
    select sum(up)::bigint as up, sum(down)::bigint as down from meters where term_id = ${termId}`.execute(
    service.db,
  )
  return rows[0]
}

/** What all nodes together have carried, by quarters of an hour. */
const carriedByNodes = async () => {
  const { rows } = await sql<{ up: number; down: number }>`
    select coalesce(sum(up), 0)::bigint as up, coalesce(sum(down), 0)::bigint as down from node_traffic
    where location_id = 1 and at % 900 = 0`.execute(service.db)
  return rows[0] as { up: number; down: number }
}

test('lost, repeated, reordered and late reports, restarts and absences change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const run = runs++
      const { termId, accesses } = await makeTerm()
      /** What the engines count in their present run, and what the agents still know of runs before. */
      const boots = [0, 0]
      const known = new Map<string, { up: number; down: number }>()
      const sent: Sent[] = []
      const carried = { up: 0, down: 0 }
      const before = await carriedByNodes()
      let isNoted = false
      const take = async (one: Sent) => {
        isNoted = (await deliverAndLook(one, termId)) || isNoted
      }
      const report = (node: number): Sent => {
        const counters = [...known].flatMap(([key, value]) => {
          const [of, boot, access] = key.split('/')
          return of === String(node) ? [{ boot_id: boot as string, id: access as string, ...value }] : []
        })
        return { node, counters }
      }
      for (const each of steps) {
        if (each.kind === 'carry') {
          const key = `${each.node}/${run}-${each.node}-${boots[each.node]}/a${accesses[each.access]}`
          const before = known.get(key) ?? { up: 0, down: 0 }
          known.set(key, { up: before.up + each.up, down: before.down + each.down })
          carried.up += each.up
          carried.down += each.down
        } else if (each.kind === 'restart') {
          boots[each.node] = (boots[each.node] ?? 0) + 1
        } else if (each.kind === 'report') {
          const made = report(each.node)
          sent.push(made)
          if (!each.isLost) await take(made)
        } else if (each.kind === 'late') {
          const old = sent[each.which % Math.max(1, sent.length)]
          if (old) await take(old)
        } else if (each.kind === 'away') {
          await sql`
            update placements set is_present = not is_present
            where access_id = ${accesses[each.access]} and node_id = ${nodes[each.node]}`.execute(service.db)
        } else {
          // Agents that came through have forgotten what was acknowledged, and repeat only what they run.
          for (const node of [0, 1]) await take(report(node))
          service.clock.advance(40 * 86_400)
          for (const key of known.keys()) {
            const [node, boot] = key.split('/')
            if (boot !== `${run}-${node}-${boots[Number(node)]}`) known.delete(key)
          }
          sent.length = 0
          for (const node of nodes) await forgetCountersOf(service.db, node, service.clock.now())
        }
      }
      for (const node of [0, 1]) await take(report(node))
      expect(await countedOf(termId)).toEqual(carried)
      const after = await carriedByNodes()
      expect({ up: after.up - before.up, down: after.down - before.down }).toEqual(carried)
      expect(isNoted).toBe(carried.up + carried.down > 0)
    }),
    { numRuns: 60 },
  )
}, 120_000)

test('a late report of a run that somebody was idle in is not counted again', async () => {
  runs++
  const { termId, accesses } = await makeTerm()
  const report = (boot: string, up: number): Sent => ({
    node: 0,
    counters: [{ boot_id: boot, id: `a${accesses[0]}`, up, down: 0 }],
  })
  await deliver(report(`first-${termId}`, 500))
  service.clock.advance(40 * 86_400)
  await deliver(report(`second-${termId}`, 10))
  for (const node of nodes) await forgetCountersOf(service.db, node, service.clock.now())
  await deliver(report(`first-${termId}`, 500))
  expect(await countedOf(termId)).toEqual({ up: 510, down: 0 })
})

/** As a report does: the status of the node is locked first. */
const deliverLocked = (sent: Sent, after: () => void = () => undefined) =>
  inTransaction(service.db, async (tx) => {
    await sql`select from node_status where node_id = ${nodes[sent.node]} for update`.execute(tx)
    await meterTraffic(tx, nodes[sent.node] as number, sent.counters, service.clock.now())
    after()
  })

test('the same counter twice in a report, runs side by side and names of any letters count once each', async () => {
  runs++
  const { termId, accesses } = await makeTerm()
  const names = [`plain-${termId}`, `"quoted" {${termId}}`, `back\\slash, ${termId}`, `null`, ` ${termId} ё`]
  const counters = names.flatMap((boot_id, n) => [
    { boot_id, id: `a${accesses[1]}`, up: 10 ** n, down: 1 },
    { boot_id, id: `a${accesses[0]}`, up: 0, down: 2 * 10 ** n },
    { boot_id, id: `a${accesses[1]}`, up: 5, down: 3 },
  ])
  for (const node of [0, 0, 1]) await deliver({ node, counters })
  const up = 5 + 10 + 100 + 1000 + 10_000
  expect(await countedOf(termId)).toEqual({ up: 2 * up, down: 2 * (5 * 3 + 22_222) })
  const { rows } = await sql<{ boot_id: string }>`
    select boot_id from traffic_counters where access_id = ${accesses[1]} and node_id = ${nodes[0]}`.execute(
    service.db,
  )
  expect(rows.map((row) => row.boot_id).sort()).toEqual([...names].sort())
})

test('instances that take reports of both nodes at once, again and again, count each byte once', async () => {
  const made: Awaited<ReturnType<typeof makeTerm>>[] = []
  for (let n = 0; n < 2; n++) {
    runs++
    made.push(await makeTerm())
  }
  const accesses = made.flatMap((term) => term.accesses)
  const boot = `side-${made[0]?.termId}`
  const report = (node: number, up: number): Sent => {
    const counters = accesses.map((id) => ({ boot_id: boot, id: `a${id}`, up, down: 2 * up }))
    // One node tells them in the opposite order.
    return { node, counters: node === 0 ? counters : counters.reverse() }
  }
  const sent = Array.from({ length: 20 }, (_, n) => [report(0, 10 + n), report(1, 10 + n)]).flat()
  await Promise.all([...sent, ...sent].map((one) => deliverLocked(one)))
  for (const { termId } of made) {
    expect(await countedOf(termId)).toEqual({ up: 2 * 2 * 29, down: 2 * 2 * 58 })
  }
})

test('a report whose transaction is lost leaves nothing, and counts when it is repeated', async () => {
  runs++
  const { termId, accesses } = await makeTerm()
  const sent = { node: 0, counters: [{ boot_id: `lost-${termId}`, id: `a${accesses[0]}`, up: 7, down: 8 }] }
  const crash = () => {
    throw new Error('the machine went away')
  }
  await expect(deliverLocked(sent, crash)).rejects.toThrow('went away')
  expect(await countedOf(termId)).toEqual({ up: 0, down: 0 })
  const { rows } = await sql`select from moved_terms where ${termId}::bigint = any(term_ids)`.execute(
    service.db,
  )
  expect(rows).toEqual([])
  await deliverLocked(sent)
  await deliverLocked(sent)
  expect(await countedOf(termId)).toEqual({ up: 7, down: 8 })
})
