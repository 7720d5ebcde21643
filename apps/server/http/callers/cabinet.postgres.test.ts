import { afterAll, beforeAll, expect, test } from 'vitest'
import { CabinetPerson } from '../../../../test/support/people/cabinet.ts'
import { botToken } from '../../../../test/support/people/telegram.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { readConfig } from '../../config.ts'
import { type RunningService, startService } from '../../main.ts'

/** Customers who are signed in to the cabinet, at two instances, reached by TLS. */

let service: TestService
let other: RunningService
beforeAll(async () => {
  const env = { TELEGRAM_BOT_TOKEN: botToken, PUBLIC_URL: 'https://vpn.example.com' }
  service = await startTestService({ env, withoutLimits: true })
  other = await startService(readConfig(service.env), { clock: service.clock })
})
afterAll(async () => {
  await other.stop()
  await service.stop()
})

const statusAt = async (url: string, headers: Record<string, string>): Promise<number> => {
  const response = await fetch(`${url}/v1/profile`, { headers })
  await response.arrayBuffer()
  return response.status
}
const everywhere = ({ headers }: CabinetPerson) =>
  Promise.all([service.running, other].map(({ url }) => statusAt(url, headers)))

const signedIn = async () => {
  const person = new CabinetPerson(service)
  const { user_id: id } = await person.signIn()
  expect(await everywhere(person)).toEqual([200, 200])
  return { person, id }
}

const endings: Record<string, (at: { person: CabinetPerson; id: number }) => Promise<unknown>> = {
  logout: ({ person }) => person.call('POST', '/auth/logout'),
  logoutAll: ({ person }) => person.call('POST', '/auth/logoutAll'),
  'an operator': ({ id }) => service.operator('POST', `/users/${id}/sign-out`),
  deletion: ({ person }) => person.call('DELETE', '/profile'),
}

test.each(Object.keys(endings))('%s ends it at once, on every instance', async (how) => {
  const { person, id } = await signedIn()
  const { cookie } = person
  await endings[how]?.({ person, id })
  person.cookie = cookie
  expect(await statusAt(service.running.url, person.headers)).toBe(401)
  await expect.poll(() => statusAt(other.url, person.headers), { timeout: 1000, interval: 10 }).toBe(401)
})

test('one that is used at one instance lasts at the other', async () => {
  const { person } = await signedIn()
  service.clock.advance(30 * 86_400 - 1)
  expect(await statusAt(service.running.url, person.headers)).toBe(200)
  service.clock.advance(60)
  await expect.poll(() => statusAt(other.url, person.headers), { timeout: 1000, interval: 10 }).toBe(200)
})

test('by TLS the cookie is for this host and TLS alone, and no other name of it counts', async () => {
  const person = new CabinetPerson(service)
  await person.signIn()
  expect(person.cookie).toMatch(/^__Host-sallyport-cabinet=/)
  const body = { init_data: 'x' }
  expect((await person.call('POST', '/auth/telegram', body)).status).toBe(401)
  const out = await person.call('POST', '/auth/logout')
  expect(out.headers.get('set-cookie')).toBe(
    '__Host-sallyport-cabinet=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  )
  const again = new CabinetPerson(service)
  await again.signIn()
  again.cookie = again.cookie?.replace('__Host-', '')
  expect(await statusAt(service.running.url, again.headers)).toBe(401)
})
