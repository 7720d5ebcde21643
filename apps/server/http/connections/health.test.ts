import { setTimeout } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startTestService } from '../../../../test/support/service.ts'

const start = async (env: Record<string, string>) => {
  const service = await startTestService({ env })
  onTestFinished(() => service.stop())
  return service
}

describe('metrics', () => {
  test('are for this machine, not for those a proxy on this machine asks for', async () => {
    const service = await start({})
    const metrics = (headers: Record<string, string> = {}) => service.call('GET', '/metrics', { headers })
    const open = await metrics()
    expect(open.status).toBe(200)
    expect(open.body).toMatch(/^sallyport_http_connections [1-9]/m)
    expect(open.body).toMatch(/^sallyport_http_waiting_requests \d/m)
    for (const name of ['X-Forwarded-For', 'Forwarded', 'Via', 'X-Real-IP', 'X-Forwarded-Proto'])
      expect((await metrics({ [name]: '127.0.0.1' })).status, name).toBe(404)
  })

  test.each([
    ['PUBLIC_URL', { PUBLIC_URL: 'https://vpn.example.com' }],
    ['TRUSTED_PROXIES', { TRUSTED_PROXIES: '10.0.0.0/8' }],
  ])('need the token when %s tells of a proxy in front', async (_name, env) => {
    const service = await start({ ...env, METRICS_TOKEN: 'let-me-see' })
    expect((await service.call('GET', '/metrics')).status).toBe(404)
    expect((await service.call('GET', '/metrics', { token: 'let-me-guess' })).status).toBe(404)
    expect((await service.call('GET', '/metrics', { token: 'let-me-see' })).status).toBe(200)
  })
})

test('readiness does not wait for those who have every connection', async () => {
  const service = await start({})
  const { engine } = service.running.database
  const count = engine.kind === 'embedded' ? 1 : 10
  const taken = await Promise.all(Array.from({ length: count }, () => engine.acquire()))
  const late = setTimeout(1500, undefined)
  const ready = await Promise.race([service.call('GET', '/readyz'), late])
  for (const connection of taken) connection.release()
  expect(ready?.status).toBe(200)
})

test('browsers are told to come by https only where that is the address', async () => {
  const service = await start({ PUBLIC_URL: 'https://vpn.example.com' })
  for (const path of ['/docs', '/v1/profile', '/healthz', '/nowhere']) {
    const { headers } = await service.call('GET', path)
    expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
  }
})

test('a service that is told to leave says so, and serves on until it has left', async () => {
  const service = await start({ DRAIN_SECONDS: '30' })
  const hurry = new AbortController()
  const leaving = service.running.drain(hurry.signal)
  const ready = await service.call('GET', '/readyz')
  expect([ready.status, ready.headers.get('connection')]).toEqual([503, 'close'])
  expect((await service.call('GET', '/healthz')).status).toBe(200)
  expect((await service.operator('GET', '/nodes')).status).toBe(200)
  hurry.abort()
  await leaving
})
