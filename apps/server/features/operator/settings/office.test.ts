import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { type AlertKind, matchAlerts, raiseAlert } from '../../../core/kernel/alerts.ts'
import { createOperator } from '../../../core/operators/operators.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const operatorAs = (role: 'owner' | 'finance' | 'support', name: string = role) =>
  createOperator(service.db, { name, role, now: service.clock.now() })
const auditOf = async (action: string, subject: string) =>
  (await service.operator('GET', `/audit?action=${action}&subject=${subject}`)).body.data

describe('settings', () => {
  const read = async () => (await service.operator('GET', '/settings')).body.data

  const usual = { time_zone: 'Europe/Moscow', two_person_amount: null }

  test('hold their defaults until changed; what is left out stays', async () => {
    expect(await read()).toEqual({ ...usual, referral_percent: 20, referral_hold_days: 14, version: 1 })
    const percent = await service.operator('PATCH', '/settings', { referral_percent: 25 })
    expect([percent.status, percent.body.data]).toEqual([
      200,
      { ...usual, referral_percent: 25, referral_hold_days: 14, version: 2 },
    ])
    await service.operator('PATCH', '/settings', { referral_hold_days: 0 })
    expect(await read()).toEqual({ ...usual, referral_percent: 25, referral_hold_days: 0, version: 3 })
    const log = await auditOf('changeSettings', 'settings')
    expect(log.map((entry: { details: object }) => entry.details)).toEqual([
      { before: { referral_hold_days: 14 }, after: { referral_hold_days: 0 } },
      { before: { referral_percent: 20 }, after: { referral_percent: 25 } },
    ])
  })

  test('of two who have seen the same the later is shown what the other changed', async () => {
    const seen = await read()
    const change = (body: object) =>
      service.operator('PATCH', '/settings', { ...body, version: seen.version })
    const answers = await Promise.all([
      change({ two_person_amount: 50_000 }),
      change({ time_zone: 'Asia/Tbilisi' }),
    ])
    const [first, second] = answers.toSorted((one, other) => one.status - other.status) as typeof answers
    const now = await read()
    expect([first.status, first.body.data]).toEqual([200, now])
    expect([second.status, second.body.errorCode, second.body.data]).toEqual([409, 6, now])
    expect(second.body.details).toEqual([
      { path: 'version', problem: expect.stringContaining(`version ${now.version} now`) },
    ])
    expect(now.version).toBe(seen.version + 1)
    await service.operator('PATCH', '/settings', { ...usual })
  })

  test('a time zone is one that there is', async () => {
    const { status, body } = await service.operator('PATCH', '/settings', { time_zone: 'Europe/Nowhere' })
    expect([status, body.details[0].path]).toEqual([400, 'time_zone'])
  })

  test('refuse what is out of range, and support', async () => {
    const before = await read()
    for (const body of [{ referral_percent: 101 }, { referral_percent: 1.5 }, { referral_hold_days: -1 }]) {
      expect((await service.operator('PATCH', '/settings', body)).status, JSON.stringify(body)).toBe(400)
    }
    for (const [role, status] of [
      ['owner', 200],
      ['finance', 200],
      ['support', 403],
    ] as const) {
      const token = await operatorAs(role)
      const body = { referral_percent: before.referral_percent }
      expect((await service.call('PATCH', '/operator/v1/settings', { token, body })).status, role).toBe(
        status,
      )
      expect((await service.call('GET', '/operator/v1/settings', { token })).status).toBe(200)
    }
    expect(await read()).toEqual(before)
  })
})

describe('alerts', () => {
  const raise = async (kind: AlertKind, subject: string): Promise<number> => {
    await raiseAlert(service.db, { kind, subject, details: { expected: 200 }, now: service.clock.now() })
    const { id } = await service.db
      .selectFrom('alerts')
      .select('id')
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .executeTakeFirstOrThrow()
    return id
  }
  const idsOf = async (query: string): Promise<number[]> => {
    const { body } = await service.operator('GET', `/alerts?${query}`)
    return body.data.map((alert: { id: number }) => alert.id)
  }

  test('are listed newest first; whoever resolves one again does no harm', async () => {
    const [first, second] = [await raise('wrong_amount', 'payment:1'), await raise('dispute', 'receipt:2')]
    const { body } = await service.operator('GET', '/alerts')
    expect(body.data[0]).toEqual({
      id: second,
      kind: 'dispute',
      subject: 'receipt:2',
      details: { expected: 200 },
      text_ru: expect.stringContaining('спор'),
      text_en: expect.stringContaining('dispute'),
      created_at: service.clock.now(),
      resolved_at: null,
      resolved_by: null,
      taken_by: null,
      taken_by_name: null,
    })
    expect(await idsOf('limit=1')).toEqual([second])
    expect(await idsOf(`limit=1&before=${second}`)).toEqual([first])

    const token = await operatorAs('support', 'Oleg')
    const path = `/operator/v1/alerts/${first}/resolve`
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => service.call('POST', path, { token, body: { comment: 'paid back' } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200])
    expect(await idsOf('is_open=true')).toEqual([second])
    expect(await idsOf('is_open=false')).toEqual([first])
    const noted = await auditOf('resolveAlert', `alert:${first}`)
    const entry = noted.at(-1)
    expect(entry).toMatchObject({
      operator: 'Oleg',
      details: { kind: 'wrong_amount', subject: 'payment:1', comment: 'paid back' },
    })
    const idle = { before: {}, after: {}, comment: 'paid back' }
    expect(noted.slice(0, -1).map(({ details }: { details: object }) => details)).toEqual([idle, idle, idle])
    const resolved = (await service.operator('GET', '/alerts?is_open=false')).body.data[0]
    expect(resolved).toMatchObject({ resolved_at: service.clock.now(), resolved_by: entry.operator_id })
  })

  test('are taken by somebody, taken over, and given back; what comes again is nobody’s', async () => {
    const subject = 'market:2027-02-01'
    const id = await raise('rates_failed', subject)
    const [anna, boris] = [await operatorAs('support', 'Anna'), await operatorAs('owner', 'Boris')]
    const take = (token: string, isTaken = true, of = id) =>
      service.call('POST', `/operator/v1/alerts/${of}/take`, { token, body: { is_taken: isTaken } })
    const row = async () => (await service.operator('GET', '/alerts?limit=1')).body.data[0]
    const given = async (token: string, isTaken: boolean) => (await take(token, isTaken)).status

    expect(await given(anna, false)).toBe(200)
    expect((await take(anna)).body.data).toBe(true)
    const { taken_by: annaId, ...taken } = await row()
    expect(taken).toMatchObject({ id, taken_by_name: 'Anna', resolved_at: null })
    expect(await idsOf(`taken_by=${annaId}`)).toEqual([id])
    expect(await idsOf('is_open=true&is_taken=false')).not.toContain(id)
    expect(await idsOf('is_taken=true')).toEqual([id])

    expect(await given(boris, false)).toBe(409)
    expect(await given(boris, true)).toBe(200)
    expect(await row()).toMatchObject({ taken_by_name: 'Boris' })
    expect(await given(boris, false)).toBe(200)
    expect(await row()).toMatchObject({ taken_by: null, taken_by_name: null })
    const log = await auditOf('takeAlert', `alert:${id}`)
    const who = log.map(({ operator, details }: { operator: string; details: { after: object } }) => [
      operator,
      Object.keys(details.after).length,
    ])
    expect(who).toEqual([
      ['Boris', 1],
      ['Boris', 1],
      ['Anna', 1],
      ['Anna', 0],
    ])

    expect((await take(anna, true, 999_999_999)).status).toBe(404)
    await take(anna)
    await service.db.updateTable('alerts').set({ resolved_at: 1 }).where('id', '=', id).execute()
    expect(await given(boris, true)).toBe(409)
    const now = service.clock.now()
    await matchAlerts(service.db, 'rates_failed', [{ subject, details: {}, since: now }], now)
    expect(await row()).toMatchObject({ id, resolved_at: null, taken_by: null })
    await service.operator('POST', `/alerts/${id}/resolve`)
  })

  test('need no comment; unknown ones are 404', async () => {
    const id = await raise('rates_failed', 'market:2027-01-15')
    expect((await service.operator('POST', `/alerts/${id}/resolve`)).body.data).toBe(true)
    const resolved = async () => (await service.operator('GET', '/alerts?is_open=false&limit=1')).body.data[0]
    const before = await resolved()
    service.clock.advance(60)
    const again = await service.operator('POST', `/alerts/${id}/resolve`, {})
    expect([again.status, again.body.data]).toEqual([200, true])
    expect(await resolved()).toEqual(before)
    expect((await service.operator('POST', '/alerts/999999999/resolve', {})).status).toBe(404)
    expect((await service.operator('POST', `/alerts/${id}/resolve`, { comment: '' })).status).toBe(400)
  })
})

describe('the audit log', () => {
  test('calls entries of before by the names of today', async () => {
    const { id } = (await service.db.selectFrom('operators').select('id').limit(1).execute())[0] as {
      id: number
    }
    const entry = {
      operator_id: id,
      subject: 'paid_option:77',
      details: '{}',
      created_at: service.clock.now(),
    }
    for (const action of ['option.create', 'changeOption', 'option.change']) {
      await service.db
        .insertInto('audit_log')
        .values({ ...entry, action })
        .execute()
    }
    const named = async (query: string) =>
      (await service.operator('GET', `/audit?subject=paid_option:77${query}`)).body.data.map(
        ({ action }: { action: string }) => action,
      )
    expect(await named('')).toEqual(['changeOption', 'changeOption', 'createOption'])
    expect(await named('&action=changeOption')).toEqual(['changeOption', 'changeOption'])
  })

  test('names who did what; by action, subject and operator, back in time', async () => {
    const token = await operatorAs('finance', 'Fyodor')
    const user = await service.createUser()
    const path = `/operator/v1/users/${user.id}/notifications`
    const told: number[] = []
    for (const content of ['one', 'two', 'three'])
      told.push((await service.call('POST', path, { token, body: { content } })).body.data.id)
    const query = `action=createNotification&subject=user:${user.id}`
    const { body } = await service.operator('GET', `/audit?${query}`)
    const ids = body.data.map((entry: { details: { after: { id: number } } }) => entry.details.after.id)
    expect(ids).toEqual(told.toReversed())
    const [three, two, one] = body.data
    expect(three).toEqual({
      id: expect.any(Number),
      operator_id: expect.any(Number),
      operator: 'Fyodor',
      action: 'createNotification',
      subject: `user:${user.id}`,
      details: { after: { id: told[2] } },
      created_at: service.clock.now(),
    })
    const page = await service.operator('GET', `/audit?${query}&limit=1&before=${three.id}`)
    expect(page.body.data).toEqual([two])
    const rest = await service.operator('GET', `/audit?operator_id=${three.operator_id}&before=${two.id}`)
    expect(rest.body.data).toEqual([one])
    const everyone = (await service.operator('GET', `/audit?subject=user:${user.id}`)).body.data
    expect(everyone.map((entry: { action: string }) => entry.action).at(-1)).toBe('createUser')
    expect((await service.operator('GET', '/audit?action=nothing')).body.data).toEqual([])
  })

  test('every operator may read it', async () => {
    for (const role of ['owner', 'finance', 'support'] as const) {
      const token = await operatorAs(role)
      for (const path of ['/audit', '/alerts']) {
        expect((await service.call('GET', `/operator/v1${path}`, { token })).status).toBe(200)
      }
    }
    expect((await service.operator('GET', '/audit?limit=501')).status).toBe(400)
  })
})
