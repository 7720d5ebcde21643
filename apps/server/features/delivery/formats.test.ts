import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
let user: TestUser
let urls: string[]
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
  user = await service.createUser({ balance: 10_000 })
  urls = []
  for (const protocol of protocols) {
    const { body } = await service.customer(user, 'POST', '/configs', {
      location_id: 1,
      protocol,
      payment_method_id: 1,
      tariff_id: 1,
    })
    urls.push(body.data.connection_url)
  }
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

/** Of whatever shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
const jsonOf = async (answer: Promise<Response>): Promise<any> => (await answer).json()
const fetched = (query = '', headers: Record<string, string> = {}, key = user.subscription_key) =>
  fetch(`${service.running.url}/sub/${key}${query}`, { headers })

describe('what a key delivers', () => {
  test('as links, plain and in Base64, in the customer’s order', async () => {
    expect(await (await fetched('?format=links')).text()).toBe(urls.join('\n'))
    const encoded = await (await fetched('', { 'user-agent': 'v2rayNG/1.10.2' })).text()
    expect(Buffer.from(encoded, 'base64').toString()).toBe(urls.join('\n'))
  })

  test.each([
    ['mihomo', 'clash-verge/v2.4.2', 'text/yaml', 'sallyport.yaml', 9],
    ['stash', 'Stash/3.1.1 Clash/1.9.0', 'text/yaml', 'sallyport.yaml', 7],
  ])('as %s', async (format, userAgent, type, file, count) => {
    const answer = await fetched('', { 'user-agent': userAgent })
    expect(answer.headers.get('content-type')).toMatch(type)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename=${file}`)
    const text = await answer.text()
    expect(parse(text).proxies).toHaveLength(count)
    expect(await (await fetched(`?format=${format}`)).text()).toBe(text)
  })

  test('as JSON of Xray and of sing-box, by the version of the app', async () => {
    const xray = await jsonOf(fetched('?format=xray'))
    expect(xray.map((config: { remarks: string }) => config.remarks)).toHaveLength(8)
    const boxOf = async (userAgent: string) => jsonOf(fetched('', { 'user-agent': userAgent }))
    const [old, recent] = [await boxOf('SFA/1.11.4'), await boxOf('SFA/1.12.0')]
    expect(old.dns.servers[0]).toHaveProperty('address')
    expect(recent.dns.servers[0]).toHaveProperty('type')
  })

  test('as files of WireGuard, zipped where there are several, and as an access key of Outline', async () => {
    const files = await fetched('?format=conf')
    expect(files.headers.get('content-type')).toBe('application/zip')
    expect(
      Buffer.from(await files.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK')
    expect(await (await fetched('?format=outline')).json()).toMatchObject({
      method: 'chacha20-ietf-poly1305',
      server_port: expect.any(Number),
    })
  })

  test('in another format than there is: 400, whoever asks', async () => {
    for (const key of [user.subscription_key, 'A'.repeat(32)]) {
      const answer = await fetched('?format=pdf', {}, key)
      expect([answer.status, await answer.text()]).toEqual([
        400,
        expect.stringMatching(/^format must be one of/),
      ])
    }
  })
})

describe('compressed, and not sent twice', () => {
  const raw = async (headers: Record<string, string>, method = 'GET') => {
    const { request } = await import('node:http')
    return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: Buffer }>(
      (resolve, reject) => {
        const asking = request(`${service.running.url}/sub/${user.subscription_key}?format=mihomo`, {
          method,
          headers,
        })
        asking.on('error', reject)
        asking.on('response', async (answer) => {
          const chunks: Buffer[] = []
          for await (const chunk of answer) chunks.push(chunk as Buffer)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) })
        })
        asking.end()
      },
    )
  }

  test('by Brotli before gzip, for those who take it', async () => {
    const plain = await raw({})
    const gzip = await raw({ 'accept-encoding': 'gzip, deflate' })
    const brotli = await raw({ 'accept-encoding': 'gzip, deflate, br' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect([gzip.headers['content-encoding'], brotli.headers['content-encoding']]).toEqual(['gzip', 'br'])
    expect(gunzipSync(gzip.body)).toEqual(plain.body)
    expect(brotliDecompressSync(brotli.body)).toEqual(plain.body)
    expect((await raw({ 'accept-encoding': 'br;q=0, gzip' })).headers['content-encoding']).toBe('gzip')
    expect(plain.headers.vary).toBe('user-agent, accept, accept-language, accept-encoding, x-hwid')
    const tags = [plain, gzip, brotli].map(({ headers }) => headers.etag)
    expect(new Set(tags).size).toBe(3)
    const again = await raw({ 'accept-encoding': 'br', 'if-none-match': tags[2] as string })
    expect([again.status, again.body.length, again.headers['subscription-userinfo']]).toEqual([
      304,
      0,
      plain.headers['subscription-userinfo'],
    ])
    expect((await raw({ 'if-none-match': tags[2] as string })).status).toBe(200)
  })

  test('HEAD tells as much as GET but the text', async () => {
    const [head, get] = [await raw({}, 'HEAD'), await raw({})]
    expect(head.body.length).toBe(0)
    expect(head.headers['content-length']).toBe(String(get.body.length))
    expect(head.headers.etag).toBe(get.headers.etag)
  })
})

describe('what is kept', () => {
  test('is what the next fetch gives on every instance, after any change', async () => {
    const { startService } = await import('../../main.ts')
    const { readConfig } = await import('../../config.ts')
    const other = await startService(readConfig(service.env), { clock: service.clock })
    try {
      const both = async () => {
        const texts = []
        for (const { url } of [service.running, other]) {
          const answer = await fetch(`${url}/sub/${user.subscription_key}?format=links`)
          texts.push(await answer.text())
        }
        expect(texts[0]).toBe(texts[1])
        return texts[0] as string
      }
      const before = await both()
      expect(await both()).toBe(before)
      const { body } = await service.customer(user, 'GET', '/configs')
      const { id } = body.data[0]
      await service.customer(user, 'PATCH', `/configs/title/${id}`, { title: 'Дача' })
      expect(decodeURIComponent(await both())).toContain('#Дача')
      await service.customer(user, 'PATCH', `/configs/title/${id}`, { title: null })
      expect(await both()).toBe(before)
    } finally {
      await other.stop()
    }
  })

  test('holds until the first of it ends, without anybody’s doing', async () => {
    const owner = await service.createUser({ balance: 1000 })
    const buy = async (tariff_id: number) =>
      (
        await service.customer(owner, 'POST', '/configs', {
          location_id: 1,
          protocol: 'vless',
          payment_method_id: 1,
          tariff_id,
        })
      ).body.data
    const [short, long] = [await buy(1), await buy(2)]
    const links = async () =>
      (await (await fetched('?format=links', {}, owner.subscription_key)).text()).split('\n')
    expect(await links()).toEqual([short.connection_url, long.connection_url])
    service.clock.advance(short.expires_at - service.clock.now())
    expect(await links()).toEqual([long.connection_url])
  })
})

test('who is refused is told why in the app’s own format', async () => {
  const strict = await service.createUser()
  await service.customer(strict, 'PATCH', '/profile/devices/settings', { block_unknown_devices: true })
  const headers = { 'x-hwid': 'some-device-1234', 'accept-language': 'en' }
  const box = await jsonOf(fetched('?format=sing-box', headers, strict.subscription_key))
  expect(JSON.stringify(box.outbounds)).toContain('New devices are not allowed')
  const asked = { ...headers, 'accept-encoding': 'br' }
  const { headers: told } = await fetched('?format=sing-box', asked, strict.subscription_key)
  expect([told.get('content-encoding'), told.get('etag')]).toEqual(['br', null])
  const outline = await jsonOf(fetched('?format=outline', headers, strict.subscription_key))
  expect(outline.error.message).toMatch(/New devices are not allowed/)
})
