import { readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { enrolNode } from '../../../../test/support/node.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'
import { watchTraffic } from '../../core/options/option-jobs.ts'
import { inTransaction } from '../../db/client.ts'
import { usualFolder } from '../../db/migrate.ts'

/** One node tells of more than there can be, and nobody else's traffic is counted worse for it. */

type Node = Awaited<ReturnType<typeof enrolNode>>

let service: TestService
let honest: Node
let hostile: Node

const most = Number.MAX_SAFE_INTEGER
const day = 86_400
/** What a line of 100 Gbit/s carries. */
const bytesPerSecond = 12_500_000_000

let options = 0
const makeOption = async (node: Node, trafficLimit: number) => {
  const text = { title: 'Meter', caption: 'Words', description: 'Words' }
  const texts = Object.entries(text).flatMap(([name, value]) => [
    [`${name}_ru`, value],
    [`${name}_en`, value],
  ])
  const made = await service.operator('POST', '/paid-options', {
    ...Object.fromEntries(texts),
    key: `metered_${options++}`,
    protocol: 'vless',
    traffic_limit: trafficLimit,
    server_ids: [node.serverId],
    tariffs: [{ days: 30, prices: [{ payment_method_id: 1, price: 100 }] }],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return { id: made.body.data.id as number, tariffId: made.body.data.tariffs[0].id as number }
}

const customerOf = async (node: Node, trafficLimit = 1000) => {
  const option = await makeOption(node, trafficLimit)
  const user = await service.createUser({ balance: 10_000 })
  const bought = await service.customer(user, 'POST', '/paid-options', {
    paid_option_id: option.id,
    payment_method_id: 1,
    tariff_id: option.tariffId,
  })
  expect(bought.status, JSON.stringify(bought.body)).toBe(201)
  const id = bought.body.data.configs[0].id as number
  const info = async () => {
    const answer = await service.customer(user, 'GET', `/paid-options/${option.id}/subscription`)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body.data
  }
  const counter = (boot: string, up: number, down = 0) => ({ boot_id: boot, id: `a${id}`, up, down })
  return { user, option, id, info, counter }
}

const openAlerts = async (node: Node) => {
  const { body } = await service.operator('GET', '/alerts?is_open=true')
  const alerts = body.data as { kind: string; details: { node_id?: number } }[]
  return alerts.filter(({ kind, details }) => kind === 'traffic_refused' && details.node_id === node.nodeId)
}
const refusedOf = async (node: Node): Promise<number> => {
  const { body } = await service.operator('GET', '/nodes')
  const nodes = body.data as { id: number; refused_counters: number }[]
  return nodes.find(({ id }) => id === node.nodeId)?.refused_counters as number
}
const counted = async (reason: string): Promise<number> => {
  const { body } = await service.call('GET', '/metrics')
  const line = (body as string).split('\n').find((each) => each.includes(`reason="${reason}"`))
  return Number(line?.split(' ')[1] ?? 0)
}
const pass = async (seconds: number) => {
  service.clock.advance(seconds)
  await service.heartbeat()
}

beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  honest = await enrolNode(service, 1, { capacity: 500 })
  hostile = await enrolNode(service, 2, { capacity: 500 })
})
beforeEach(async () => {
  for (const node of [honest, hostile]) await node.report()
  await service.heartbeat()
})
afterAll(() => service.stop())

describe('more than a line carries', () => {
  test('is refused, counted and an alert, and changes nothing', async () => {
    const { info, counter } = await customerOf(hostile)
    const before = { refused: await refusedOf(hostile), metric: await counted('impossible') }
    const poison = Array.from({ length: 1100 }, (_, n) => counter(`boot-${n}`, most, most))
    expect((await hostile.report({ traffic: poison })).status).toBe(200)
    expect(await info()).toMatchObject({ used_traffic_bytes: 0, lifetime_used_traffic_bytes: 0 })
    expect(await refusedOf(hostile)).toBe(before.refused + 1100)
    expect(await counted('impossible')).toBe(before.metric + 1100)
    expect(await openAlerts(hostile)).toHaveLength(1)
    expect(await openAlerts(honest)).toEqual([])
  })

  test('takes nothing from what else the report tells, and is an alert once a day', async () => {
    const [one, other] = [await customerOf(hostile), await customerOf(hostile)]
    await hostile.report({ traffic: [one.counter('lie', most), other.counter('truth', 700, 90)] })
    expect((await other.info()).used_traffic_bytes).toBe(790)
    expect((await one.info()).used_traffic_bytes).toBe(0)
    expect(await openAlerts(hostile)).toHaveLength(1)
    await pass(day)
    await hostile.report({ traffic: [one.counter('lie', most)] })
    expect(await openAlerts(hostile)).toHaveLength(2)
  })

  test('is so over many reports, too', async () => {
    const { info, counter } = await customerOf(hostile, 0)
    for (let n = 1; n <= 40; n++) {
      service.clock.advance(1)
      await hostile.report({ traffic: [counter('steps', n * 3600 * bytesPerSecond)] })
    }
    expect((await info()).used_traffic_bytes).toBeLessThanOrEqual(3700 * bytesPerSecond)
  })

  test('is so of runs, too: each takes a row that is kept', async () => {
    const { id, counter } = await customerOf(hostile, 0)
    const runs = Array.from({ length: 3000 }, (_, n) => counter(`run-${n}`, 1))
    await sql`update node_status set traffic_allowance = 1e9 where node_id = ${hostile.nodeId}`.execute(
      service.db,
    )
    await hostile.report({ traffic: runs })
    const kept = service.db.selectFrom('traffic_counters').select('boot_id').where('access_id', '=', id)
    expect((await kept.execute()).length).toBeLessThan(3000)
    await pass(3600)
    await hostile.report({ traffic: runs })
    expect(await kept.execute()).toHaveLength(3000)
  })

  test('is not saved up by telling of nothing', async () => {
    const { info, counter } = await customerOf(hostile, 0)
    for (let n = 0; n < 20; n++) {
      service.clock.advance(3600)
      await hostile.report(n % 2 === 0 ? {} : { traffic: [{ boot_id: 'x', id: 'nonsense', up: 1, down: 1 }] })
    }
    await hostile.report({ traffic: [counter('saved', 10 * 3600 * bytesPerSecond)] })
    expect((await info()).used_traffic_bytes).toBe(0)
  })
})

describe('an honest node', () => {
  test('that was cut off for days tells all of it at once', async () => {
    const { info, counter } = await customerOf(honest, 0)
    await pass(5 * day)
    const grown = 4 * day * bytesPerSecond
    await honest.report({ traffic: [counter('long', grown, 7)] })
    expect((await info()).used_traffic_bytes).toBe(grown + 7)
    expect(await refusedOf(honest)).toBe(0)
  })

  test('that has more to tell than fits tells the rest at once', async () => {
    const [one, other] = [await customerOf(honest, 0), await customerOf(honest, 0)]
    await pass(5 * day)
    const half = 2 * day * bytesPerSecond
    const many = Array.from({ length: 4999 }, (_, n) => one.counter(`run-${n}`, 1))
    await honest.report({ traffic: [...many, one.counter('run', half)] })
    await honest.report({ traffic: [other.counter('run', half)] })
    expect((await other.info()).used_traffic_bytes).toBe(half)
    expect(await refusedOf(honest)).toBe(0)
  })

  test('may be looked at by a clock that was wrong for a while', async () => {
    const { info, counter } = await customerOf(honest, 0)
    await pass(400 * day)
    await honest.report()
    service.clock.advance(-400 * day)
    await honest.report()
    await pass(10 * 3600)
    await honest.report({ traffic: [counter('clock', 9 * 3600 * bytesPerSecond)] })
    expect((await info()).used_traffic_bytes).toBe(9 * 3600 * bytesPerSecond)
  })

  test('that was refused is believed once time has passed', async () => {
    const { info, counter } = await customerOf(honest, 0)
    const grown = 10 * 3600 * bytesPerSecond
    await honest.report({ traffic: [counter('fast', grown)] })
    expect((await info()).used_traffic_bytes).toBe(0)
    await pass(10 * 3600)
    await honest.report({ traffic: [counter('fast', grown + 1)] })
    expect((await info()).used_traffic_bytes).toBe(grown + 1)
  })
})

describe('rows that are poisoned already', () => {
  const poison = (id: number) =>
    sql`update meters set up = 9223372036854770000, down = 9223372036854770000
        where access_id = ${id}`.execute(service.db)

  test('are answered to the customer, the app and the operator, and count on', async () => {
    const { user, option, id, info, counter } = await customerOf(hostile)
    await poison(id)
    expect(await info()).toMatchObject({
      used_traffic_bytes: most,
      lifetime_used_traffic_bytes: most,
    })
    await hostile.report({ traffic: [counter('on', 5)] })
    await service.running.runJobs()
    expect((await info()).status).toBe('limited')
    const fetched = await service.call('GET', `/sub/${user.subscription_key}`)
    expect(fetched.status).toBe(200)
    expect(fetched.headers.get('subscription-userinfo')).toContain(`upload=${most}; download=${most}`)
    const page = await service.operator('GET', `/users/${user.id}/paid-options`)
    expect([page.status, page.body.data?.[0]?.used_traffic_bytes]).toEqual([200, most])
    const reset = await service.operator('PATCH', `/users/${user.id}/paid-options/${option.id}`, {
      reason: 'poisoned',
      reset_traffic: true,
    })
    expect(reset.status, JSON.stringify(reset.body)).toBe(200)
    expect(await info()).toMatchObject({ used_traffic_bytes: 0, status: 'active' })
  })

  test('keep nobody else from being limited', async () => {
    const [bad, good] = [await customerOf(hostile), await customerOf(honest)]
    await poison(bad.id)
    await hostile.report({ traffic: [bad.counter('one', 5)] })
    await honest.report({ traffic: [good.counter('one', 1500)] })
    await service.running.runJobs()
    expect((await good.info()).status).toBe('limited')
  })
})

/** As if the release before had run until now. */
const upgrade = async () => {
  const text = await readFile(new URL('0011_believed_traffic.sql', usualFolder), 'utf8')
  const steps = [
    'drop table terms_to_judge',
    'alter table node_status drop column traffic_allowance, drop column metered_at',
    ...text.replaceAll(/^--.*$/gm, '').split(';'),
  ]
  await inTransaction(service.db, async (tx) => {
    for (const step of steps) if (step.trim() !== '') await sql.raw(step).execute(tx)
  })
}

test('an upgrade mends what is poisoned, and switches on who was off for it', async () => {
  const [bad, good] = [await customerOf(hostile), await customerOf(hostile)]
  await hostile.report({ traffic: [bad.counter('true', 300, 40), good.counter('true', 70)] })
  await sql`
    with told as (
      insert into traffic_counters (node_id, access_id, boot_id, up, down, seen_at)
      values (${hostile.nodeId}, ${bad.id}, 'lie', ${most}, 5, 1))
    update meters set up = 9223372036854770000 where access_id = ${bad.id}`.execute(service.db)
  await hostile.report({ traffic: [bad.counter('true', 301, 40)] })
  await service.running.runJobs()
  expect((await bad.info()).status).toBe('limited')
  await upgrade()
  await service.running.runJobs()
  expect(await bad.info()).toMatchObject({ status: 'active', used_traffic_bytes: 341 })
  expect(await good.info()).toMatchObject({ status: 'active', used_traffic_bytes: 70 })
  await hostile.report({ traffic: [bad.counter('lie', 200)] })
  expect((await bad.info()).used_traffic_bytes).toBe(541)
})

describe('a round', () => {
  /** Whatever is said to this customer fails, as if the program died there. */
  const breakFor = async (user: TestUser) => {
    await sql
      .raw(`
        create function refuse_told() returns trigger language plpgsql as
          $$ begin raise exception 'not now'; end $$;`)
      .execute(service.db)
    await sql
      .raw(`create trigger refuse_told before insert on notifications for each row
        when (new.user_id = ${user.id}) execute function refuse_told()`)
      .execute(service.db)
  }
  const mend = async () => {
    await sql.raw('drop trigger refuse_told on notifications').execute(service.db)
    await sql.raw('drop function refuse_told()').execute(service.db)
  }

  test('that fails at one limits the others, and loses nothing', async () => {
    const [bad, good] = [await customerOf(honest), await customerOf(honest)]
    await breakFor(bad.user)
    try {
      await honest.report({ traffic: [bad.counter('two', 1500), good.counter('two', 1500)] })
      await service.running.runJobs()
      expect((await good.info()).status).toBe('limited')
      expect((await bad.info()).status).toBe('active')
    } finally {
      await mend()
    }
    // Nothing more is reported: what was taken once is not forgotten.
    await service.running.runJobs()
    expect((await bad.info()).status).toBe('limited')
  })

  test('that cannot look at all of them together looks at each', async () => {
    const [bad, good] = [await customerOf(honest), await customerOf(honest)]
    await honest.report({ traffic: [bad.counter('three', 1500), good.counter('three', 1500)] })
    const { services } = service.running
    await sql`alter table meters rename to meters_kept`.execute(service.db)
    await sql
      .raw(`create view meters as select access_id, term_id, is_metered, down,
        up / (access_id - ${bad.id}) * (access_id - ${bad.id}) as up from meters_kept`)
      .execute(service.db)
    try {
      await watchTraffic(services, service.clock.now())
    } finally {
      await sql`drop view meters`.execute(service.db)
      await sql`alter table meters_kept rename to meters`.execute(service.db)
    }
    expect((await good.info()).status).toBe('limited')
    expect((await bad.info()).status).toBe('active')
    await watchTraffic(services, service.clock.now())
    expect((await bad.info()).status).toBe('limited')
  })

  test('takes what many reports have noted, of either release, and rivals take it too', async () => {
    const [one, other] = [await customerOf(honest), await customerOf(honest)]
    const { services } = service.running
    await sql`insert into moved_terms select array[-1]::bigint[] from generate_series(1, 350)`.execute(
      service.db,
    )
    await honest.report({ traffic: [one.counter('four', 1500), other.counter('four', 1500)] })
    // As the release before notes it.
    await sql`
      with reported as (delete from moved_terms where term_ids[1] > 0 returning term_ids), split as (
        insert into moved_terms select term_ids[:1] from reported)
      insert into moved_meters select unnest(term_ids[2:]) from reported`.execute(service.db)
    const look = () => watchTraffic(services, service.clock.now())
    await Promise.all([look(), look()])
    // A round of the service itself may have taken some, and be about to judge.
    const statuses = async () => [(await one.info()).status, (await other.info()).status]
    await expect.poll(statuses, { timeout: 2000 }).toEqual(['limited', 'limited'])
    const { rows } = await sql`select from moved_terms union all select from moved_meters`.execute(service.db)
    expect(rows).toEqual([])
  })
})
