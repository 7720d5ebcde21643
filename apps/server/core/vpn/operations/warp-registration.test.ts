import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'
import { CloudflareWarp } from '../../../adapters/warp/cloudflare-warp.ts'

/** Speaks the registrar's API as far as it is published, with the failures it is known for. */
const peerKey = `${'A'.repeat(42)}E=`
const good = {
  id: 't.1',
  token: 'secret',
  config: {
    client_id: 'AQID',
    interface: { addresses: { v4: '172.16.0.2', v6: '2606:4700:110:8d8d::2' } },
    peers: [{ public_key: peerKey, endpoint: { v4: '162.159.192.7:0', host: 'engage.example.com:2408' } }],
  },
}
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void
const asked: { url: string | undefined; version: unknown; body: { key: string } }[] = []
const registrar = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const version = request.headers['cf-client-version']
  asked.push({ url: request.url, version, body: JSON.parse(body) })
  answer(request, response, body)
})
const sends = (status: number, value: unknown) => (_request: unknown, response: ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(typeof value === 'string' ? value : JSON.stringify(value))
}

let url: string
let service: TestService
beforeAll(async () => {
  registrar.listen(0, '127.0.0.1')
  await once(registrar, 'listening')
  url = `http://127.0.0.1:${(registrar.address() as AddressInfo).port}/v0a4005`
  service = await startTestService({ withoutLimits: true, env: { WARP_URL: url } })
})
afterAll(async () => {
  await service.stop()
  registrar.close()
})

test('reads what a server needs', async () => {
  answer = sends(200, good)
  expect(await new CloudflareWarp(url).register('key')).toEqual({
    addresses: ['172.16.0.2/32', '2606:4700:110:8d8d::2/128'],
    peerPublicKey: peerKey,
    endpoint: '162.159.192.7:2408',
    reserved: [1, 2, 3],
  })
  expect(asked.at(-1)).toMatchObject({
    url: '/v0a4005/reg',
    version: 'a-6.30-3596',
    body: { key: 'key', type: 'PC' },
  })
})

test.each([
  ['a refusal', 429, { success: false }],
  ['an error', 500, 'oops'],
  ['not JSON', 200, '<html>'],
  ['an empty object', 200, {}],
  ['a short client id', 200, { config: { ...good.config, client_id: 'AQ' } }],
  [
    'an address that is none',
    200,
    { config: { ...good.config, interface: { addresses: { v4: 'not an address' } } } },
  ],
  ['a huge answer', 200, ' '.repeat(100_000)],
])('%s is an error', async (_what, status, value) => {
  answer = sends(status, value)
  await expect(new CloudflareWarp(url).register('key')).rejects.toThrow()
})

test('an account is registered when the registrar answers, and its configurations are told again', async () => {
  const user = await service.createUser({ balance: 1000 })
  const order = { location_id: 1, protocol: 'vless', payment_method_id: 1, tariff_id: 1 }
  const { body } = await service.customer(user, 'POST', '/configs', {
    ...order,
    use_extended_settings: true,
    use_warp: true,
  })
  const warp = (text: string) =>
    JSON.parse(text).outbounds.find((row: { tag: string }) => row.tag === 'warp').settings
  const before = warp(body.data.xray_config)
  expect(before.reserved).toEqual([])
  const edited = await service.customer(user, 'PATCH', `/configs/${body.data.id}/XrayConfig`, {
    xray_config: body.data.xray_config,
  })
  expect(edited.status).toBe(200)
  answer = sends(503, {})
  const askedBefore = asked.length
  await service.running.runJobs()
  await service.running.runJobs()
  expect(asked.length).toBe(askedBefore + 1)
  answer = sends(200, good)
  service.clock.advance(300)
  await service.running.runJobs()
  expect(asked.at(-1)?.body.key).not.toBe(before.secretKey)
  const revision = async () =>
    (
      await service.db
        .selectFrom('placements')
        .select('revision')
        .where('access_id', '=', body.data.id)
        .executeTakeFirstOrThrow()
    ).revision
  const [listed] = (await service.customer(user, 'GET', '/configs')).body.data
  expect(warp(listed.xray_config)).toEqual({
    ...before,
    address: ['172.16.0.2/32', '2606:4700:110:8d8d::2/128'],
    peers: [{ ...before.peers[0], publicKey: peerKey, endpoint: '162.159.192.7:2408' }],
    reserved: [1, 2, 3],
  })
  const told = await revision()
  service.clock.advance(300)
  await service.running.runJobs()
  expect(await revision()).toBe(told)
})
