import { get } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const vless = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
const decode = (body: string): string[] => Buffer.from(body, 'base64').toString().split('\n')

test('serves one link per live configuration, with the headers apps read', async () => {
  const user = await service.createUser({ balance: 1000 })
  const first = (await service.customer(user, 'POST', '/configs', vless)).body.data
  const second = (await service.customer(user, 'POST', '/configs', { ...vless, tariff_id: 2 })).body.data
  await service.db.updateTable('meters').set({ up: 5, down: 7 }).where('access_id', '=', first.id).execute()
  const { status, headers, body } = await service.call('GET', `/sub/${user.subscription_key}`)
  expect(status).toBe(200)
  expect(decode(body)).toEqual([first.connection_url, second.connection_url])
  expect(headers.get('subscription-userinfo')).toBe(
    `upload=5; download=7; total=0; expire=${second.expires_at}`,
  )
  expect(headers.get('profile-title')).toBe(`base64:${Buffer.from('Sallyport').toString('base64')}`)
  expect(headers.get('profile-update-interval')).toBe('12')
  expect(headers.get('content-disposition')).toBe('attachment; filename=sallyport')
  expect(headers.get('profile-web-page-url')).toBe(`${service.running.url}/sub/${user.subscription_key}`)
})

test('is the same under every name of the service: mirrors are names of it', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.customer(user, 'POST', '/configs', vless)
  const path = `/sub/${user.subscription_key}`
  // fetch does not let anybody say another host.
  const atMirror = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    get(service.running.url + path, { headers: { host: 'mirror.example' } }, async (response) => {
      const parts = await response.toArray()
      resolve({ status: response.statusCode, body: Buffer.concat(parts).toString() })
    }).on('error', reject)
  })
  expect(atMirror).toEqual({ status: 200, body: (await service.call('GET', path)).body })
})

test('an unchanged subscription is 304, a changed one is not', async () => {
  const user = await service.createUser({ balance: 1000 })
  await service.customer(user, 'POST', '/configs', vless)
  const fetchIt = (etag?: string) =>
    service.call('GET', `/sub/${user.subscription_key}`, etag ? { headers: { 'if-none-match': etag } } : {})
  const etag = (await fetchIt()).headers.get('etag') as string
  expect((await fetchIt(etag)).status).toBe(304)
  await service.customer(user, 'POST', '/configs', vless)
  expect((await fetchIt(etag)).status).toBe(200)
})

test('without live configurations one entry says what to do, in the customer’s language', async () => {
  const user = await service.createUser({ balance: 1000 })
  const titleIn = async (language: string) => {
    const headers = { 'accept-language': language }
    const { body } = await service.call('GET', `/sub/${user.subscription_key}`, { headers })
    const links = decode(body)
    expect(links).toHaveLength(1)
    return decodeURIComponent(links[0]?.split('#')[1] ?? '')
  }
  expect(await titleIn('ru')).toMatch(/продлите/)
  expect(await titleIn('en')).toMatch(/renew/)
  const config = (await service.customer(user, 'POST', '/configs', vless)).body.data
  expect(await titleIn('en')).toContain('Netherlands')
  service.clock.advance(config.expires_at - service.clock.now())
  expect(await titleIn('ru')).toMatch(/продлите/)
  await service.heartbeat()
})

test('check 31: every wrong key gets the same 404, and guessing is throttled by address', async () => {
  const shapes = ['x', 'A'.repeat(32), 'B'.repeat(32), '%00', 'a'.repeat(200)]
  const answers = await Promise.all(shapes.map((key) => service.call('GET', `/sub/${key}`)))
  expect(answers.map((answer) => [answer.status, answer.body])).toEqual(
    shapes.map(() => [404, 'Not found\n']),
  )
  for (let n = 0; n < 30; n++) await service.call('GET', `/sub/${'C'.repeat(32)}`)
  expect((await service.call('GET', `/sub/${'D'.repeat(32)}`)).status).toBe(429)
  const user = await service.createUser()
  expect((await service.call('GET', `/sub/${user.subscription_key}`)).status).toBe(200)
})

test('a blocked account has no subscription', async () => {
  const user = await service.createUser()
  await service.db.updateTable('users').set({ is_blocked: true }).where('id', '=', user.id).execute()
  service.clock.advance(60)
  expect((await service.call('GET', `/sub/${user.subscription_key}`)).status).toBe(404)
})
