import { afterAll, beforeAll, expect, test } from 'vitest'
import { ConsolePerson } from '../../../../test/support/people/console.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { insertOperatorWithToken } from '../../core/operators/operators.ts'
import { type RunningService, startService } from '../../main.ts'

/** Operators who are signed in, at two instances. */

let service: TestService
let other: RunningService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  other = await startService(readConfig(service.env), { clock: service.clock })
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const statusAt = async (url: string, headers: Record<string, string>): Promise<number> => {
  const response = await fetch(`${url}/operator/v1/me`, { headers })
  await response.arrayBuffer()
  return response.status
}
const everywhere = (headers: Record<string, string>) =>
  Promise.all([service.running, other].map(({ url }) => statusAt(url, headers)))

const signedIn = async () => {
  const { db, clock } = service
  const { id, token } = await insertOperatorWithToken(db, { name: 'Olga', role: 'support', now: clock.now() })
  const person = new ConsolePerson(service)
  await person.openLink((await service.operator('POST', `/operators/${id}/sign-in-link`)).body.data)
  expect(await everywhere(person.headers)).toEqual([200, 200])
  return { id, person, bearer: { authorization: `Bearer ${token}` } }
}

test('who is switched off is nobody at once, on every instance, with whatever they come', async () => {
  const { id, person, bearer } = await signedIn()
  expect(await everywhere(bearer)).toEqual([200, 200])
  await service.operator('PATCH', `/operators/${id}`, { is_active: false })
  expect(await everywhere(person.headers)).toEqual([401, 401])
  expect(await statusAt(service.running.url, bearer)).toBe(401)
  await expect.poll(() => statusAt(other.url, bearer), { timeout: 1000, interval: 10 }).toBe(401)
})

test('switched off by hand too', async () => {
  const { id, person, bearer } = await signedIn()
  await service.db.updateTable('operators').set({ revoked_at: 1 }).where('id', '=', id).execute()
  expect(await everywhere(person.headers)).toEqual([401, 401])
  await expect.poll(() => everywhere(bearer), { timeout: 1000, interval: 10 }).toEqual([401, 401])
})

test('who signs out at one instance has signed out of the other', async () => {
  const { person } = await signedIn()
  const { headers } = person
  await person.call('POST', '/auth/sign-out')
  expect(await everywhere(headers)).toEqual([401, 401])
})

test('a session that is used at one instance is not idle at the other', async () => {
  const { person } = await signedIn()
  for (const { url } of [other, other, service.running]) {
    service.clock.advance(1799)
    expect(await statusAt(url, person.headers)).toBe(200)
  }
  service.clock.advance(1800)
  expect(await everywhere(person.headers)).toEqual([401, 401])
})

test('a proof at one instance counts at the other', async () => {
  const { id, person } = await signedIn()
  await service.operator('PATCH', `/operators/${id}`, { role: 'owner' })
  const change = async () => {
    const init = { method: 'PATCH', headers: { ...person.headers, 'content-type': 'application/json' } }
    const body = JSON.stringify({ name: 'Olga' })
    return (await fetch(`${other.url}/operator/v1/operators/${id}`, { ...init, body })).status
  }
  expect(await change()).toBe(403)
  expect((await person.register()).status).toBe(201)
  expect(await change()).toBe(200)
})

test('of a sign-in and a switching off at once nothing is left open', async () => {
  for (let round = 0; round < 10; round++) {
    const { db, clock } = service
    const made = await insertOperatorWithToken(db, { name: 'Olga', role: 'support', now: clock.now() })
    const link = (await service.operator('POST', `/operators/${made.id}/sign-in-link`)).body.data
    const person = new ConsolePerson(service)
    const [entered, off] = await Promise.all([
      person.openLink(link),
      service.operator('PATCH', `/operators/${made.id}`, { is_active: false }),
    ])
    expect([off.status, [200, 401].includes(entered.status)]).toEqual([200, true])
    expect(await everywhere(person.headers)).toEqual([401, 401])
    await service.operator('PATCH', `/operators/${made.id}`, { is_active: true })
    expect(await everywhere(person.headers)).toEqual([401, 401])
  }
})
