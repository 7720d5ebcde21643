import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePerson } from '../../../../../test/support/people/console.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

/** Where operators are signed in, as they see it themselves. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
afterAll(() => service.stop())

const make = async (): Promise<number> =>
  (await service.operator('POST', '/operators', { name: 'Olga', role: 'support' })).body.data.id

/** One more browser at which this operator is signed in. */
const enter = async (id: number): Promise<ConsolePerson> => {
  const person = new ConsolePerson(service)
  const link = await service.operator('POST', `/operators/${id}/sign-in-link`)
  expect((await person.openLink(link.body.data)).status).toBe(200)
  return person
}

const sessionsOf = async (person: ConsolePerson) => {
  const { status, body } = await person.call('GET', '/auth/sessions')
  expect(status).toBe(200)
  return body.data
}

const end = (person: ConsolePerson, id: string) => person.call('DELETE', `/auth/sessions/${id}`)

test('are listed with this one first, by numbers that open nothing', async () => {
  const id = await make()
  const startedAt = service.clock.now()
  const [first, second] = [await enter(id), await enter(id)]
  service.clock.advance(60)
  const third = await enter(id)
  await second.me()
  const now = service.clock.now()
  const seen = { id: expect.stringMatching(/^[0-9a-f-]{36}$/), client: null, created_at: startedAt }
  service.clock.advance(60)
  const listed = await sessionsOf(first)
  expect(listed).toEqual([
    { ...seen, last_seen_at: now + 60, expires_at: now + 1860, is_current: true },
    { ...seen, created_at: now, last_seen_at: now, expires_at: now + 1800, is_current: false },
    { ...seen, last_seen_at: now, expires_at: now + 1800, is_current: false },
  ])
  for (const { cookie } of [first, second, third])
    expect(JSON.stringify(listed)).not.toContain(cookie.split('=')[1])
  const headers = { cookie: `__Host-sallyport-console=${listed[1].id}` }
  expect((await service.call('GET', '/operator/v1/me', { headers })).status).toBe(401)
})

test('say that they end after twelve hours at the latest', async () => {
  const person = await enter(await make())
  const startedAt = service.clock.now()
  for (let n = 0; n < 24; n++) {
    service.clock.advance(1790)
    expect((await person.me()).status).toBe(200)
  }
  const [{ created_at, expires_at }] = await sessionsOf(person)
  expect([created_at, expires_at]).toEqual([startedAt, startedAt + 43_200])
})

test('that are over are not there', async () => {
  const id = await make()
  const idle = await enter(id)
  service.clock.advance(60)
  const person = await enter(id)
  const [, other] = await sessionsOf(person)
  service.clock.advance(1740)
  expect(await sessionsOf(person)).toHaveLength(1)
  expect((await end(person, other.id)).status).toBe(404)
  expect((await idle.me()).status).toBe(401)
})

test('are ended one by one, without a proof', async () => {
  const id = await make()
  const [here, there] = [await enter(id), await enter(id)]
  const [, other] = await sessionsOf(here)
  const ended = await end(here, other.id)
  expect([ended.status, ended.body.data, ended.headers.get('set-cookie')]).toEqual([200, true, null])
  expect((await there.me()).status).toBe(401)
  expect((await here.me()).status).toBe(200)
  expect(await sessionsOf(here)).toHaveLength(1)
  expect((await end(here, other.id)).status).toBe(404)
})

test('the one that asks may be ended too, and takes its cookie along', async () => {
  const person = await enter(await make())
  const { cookie } = person
  const [{ id }] = await sessionsOf(person)
  const ended = await end(person, id)
  expect(ended.status).toBe(200)
  expect(ended.headers.get('set-cookie')).toMatch(/^__Host-sallyport-console=; Path=\/; Max-Age=0;/)
  expect((await person.call('GET', '/me', undefined, { cookie })).status).toBe(401)
})

test('of somebody else are as if they were not there', async () => {
  const [olga, boris] = [await enter(await make()), await enter(await make())]
  const [{ id }] = await sessionsOf(boris)
  expect((await sessionsOf(olga)).map((one: { id: string }) => one.id)).not.toContain(id)
  for (const foreign of [id, id.toUpperCase(), crypto.randomUUID(), 'abc', "'"])
    expect((await end(olga, foreign)).status, foreign).toBe(404)
  for (const wrong of ['a'.repeat(65), '%00']) expect((await end(olga, wrong)).status, wrong).toBe(400)
  expect((await boris.me()).status).toBe(200)
})

test('are ended by our own pages alone', async () => {
  const id = await make()
  const [here, there] = [await enter(id), await enter(id)]
  const [, other] = await sessionsOf(here)
  const path = `/operator/v1/auth/sessions/${other.id}`
  const { status, body } = await service.call('DELETE', path, { headers: { cookie: here.cookie } })
  expect([status, body.errorCode]).toEqual([403, 4])
  expect((await there.me()).status).toBe(200)
})
