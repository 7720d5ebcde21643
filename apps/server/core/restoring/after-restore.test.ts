import { hashOf, mergeAnswer, type NodeState } from '@sallyport/agent/common/reconcile'
import type { DesiredState } from '@sallyport/contract/agent/agent'
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addLocation, type EnrolledNode, nodesIn } from '../../../../test/support/node.ts'
import { startTestService, type TestService, usualOrder } from '../../../../test/support/service.ts'
import { deleteLapsed, expireTerms } from '../terms/expiry.ts'
import { settleRestored } from './after-restore.ts'
import { inspectRestored } from './inspect.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const query = async (sql: string) =>
  (await service.db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(sql))).rows
const settle = (signsEverybodyOut = false) =>
  settleRestored(service.db, { now: service.clock.now(), signsEverybodyOut })

/** As the agent does: what does not have the hash that was promised is asked for whole. */
const follow = async (node: EnrolledNode, known: NodeState): Promise<NodeState> => {
  const answer: DesiredState = await node.poll(known.revision)
  const merged = mergeAnswer(known, answer)
  return hashOf(merged) === answer.hash ? merged : mergeAnswer(known, await node.poll(0))
}

describe('nodes that know a later state than the one that was restored', () => {
  /** A node, and what its agent knows of a purchase that is lost: the number and revision that come next. */
  const withLostPurchase = async () => {
    const location = await addLocation(service)
    const [node] = (await nodesIn(service, location, 1)) as [EnrolledNode]
    const user = await service.createUser({ balance: 1000 })
    const order = { ...usualOrder, location_id: location }
    const first = await service.buy(user, order)
    const state = mergeAnswer({ revision: 0, inbounds: [], accesses: [] }, await node.poll(0))
    const [access] = state.accesses
    if (!access) throw new Error('Nothing is on the node')
    const [next] = await query(
      `select last_value + 1 as id from pg_sequences where sequencename = 'accesses_id_seq'`,
    )
    const lost = { ...access, id: `a${next?.id}`, revision: state.revision + 1 }
    const known = { ...state, revision: lost.revision, accesses: [access, lost] }
    return { node, user, order, first, known, lost }
  }

  test('serve what is wanted now, and nothing under a number that somebody else had', async () => {
    const { node, user, order, known, lost } = await withLostPurchase()
    await settle()
    const fresh = await service.buy(user, order)
    expect(fresh.id).toBeGreaterThan(1_000_000)
    const after = await follow(node, known)
    const wanted = mergeAnswer(known, await node.poll(0))
    expect(after.accesses).toEqual(wanted.accesses)
    expect(after.accesses.map(({ id }) => id)).not.toContain(lost.id)
    // Their counters of a lost access are nobody's.
    const traffic = [{ boot_id: 'run', id: lost.id, up: 5_000_000, down: 5_000_000 }]
    expect((await node.report({ traffic })).status).toBe(200)
    const [carried] = await query('select coalesce(sum(up + down), 0) as bytes from meters')
    expect(Number(carried?.bytes)).toBe(0)
  })

  test('where numbers and revisions came again, nobody would notice', async () => {
    const { node, user, order, known, lost } = await withLostPurchase()
    await service.buy(user, order)
    const after = await follow(node, known)
    expect(after.accesses).toContain(lost)
  })
})

test('what lives shortly is ended, pending payments are asked for, and broadcasts do not go out twice', async () => {
  const now = service.clock.now()
  const user = await service.createUser({ balance: 0 })
  await query(`insert into operator_links (operator_id, token_hash, expires_at)
    select min(id), '\\x01', ${now + 3600} from operators`)
  await query(`insert into operator_sessions (operator_id, token_hash, created_at, seen_at)
    select min(id), '\\x02', ${now}, ${now} from operators`)
  await query(`insert into broadcasts (view, content_ru, content_en, send_at, total, operator_id, created_at)
    select 'all', 'а', 'a', at, 1, (select min(id) from operators), ${now} from unnest(array[${now - 60}, ${now + 3600}]) at`)
  const topUp = await service.customer(user, 'POST', '/profile/balance/topup', {
    amount: 100,
    payment_method_id: 3,
  })
  expect(topUp.status, JSON.stringify(topUp.body)).toBe(200)
  const sessions = async () =>
    (await query('select count(*) as n from sessions where revoked_at is null'))[0]?.n
  const before = await sessions()
  expect(await settle()).toMatchObject({
    operator_sessions: 1,
    customer_sessions: 0,
    payments_to_ask: 1,
    broadcasts_stopped: 1,
  })
  expect(await sessions()).toBe(before)
  expect(await query('select operator_id from operator_links')).toEqual([])
  const [asked] = await query(`select next_check_at from payments where state = 'pending'`)
  expect(asked?.next_check_at).toBeLessThanOrEqual(service.clock.now())
  expect((await settle(true)).customer_sessions).toBe(before)
  expect(await inspectRestored(service.db)).toMatchObject({
    ledger: { imbalance: 0 },
    pending_withdrawals: 0,
  })
})

test('what has lapsed is not destroyed for a week, and then is', async () => {
  const user = await service.createUser({ balance: 1000 })
  const { id } = await service.buy(user)
  const { services } = service.running
  const [placed] = await query(`select term_id from accesses where id = ${id}`)
  const stateOf = async () => (await query(`select state from terms where id = ${placed?.term_id}`))[0]?.state
  service.clock.advance(60 * 86_400)
  await settle()
  const now = service.clock.now()
  await expireTerms(services, now)
  await deleteLapsed(services, now)
  expect(await stateOf()).toBe('expired')
  await deleteLapsed(services, now + 7 * 86_400)
  expect(await stateOf()).toBe('deleted')
})

test('an upgrade of agents that was under way tells nobody anything any more', async () => {
  const location = await addLocation(service)
  const [node] = (await nodesIn(service, location, 1)) as [EnrolledNode]
  await query(`insert into agent_upgrades (release, state, waves, pause_seconds, most_ill, is_automatic, operator_id, created_at)
    values ('0123456789abcdef', 'running', 1, 60, 0, true, 1, 0)`)
  await query(`insert into agent_upgrade_nodes (upgrade_id, node_id, wave, release, state, told_at)
    select max(id), ${node.nodeId}, 1, '0123456789abcdef', 'told', 0 from agent_upgrades`)
  expect((await node.poll(0)).upgrade_to).toMatchObject({ release: '0123456789abcdef' })
  await settle()
  expect((await node.poll(0)).upgrade_to).toBeNull()
  expect(await query('select state from agent_upgrades')).toEqual([{ state: 'stopped' }])
})
