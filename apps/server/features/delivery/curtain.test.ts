import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { protocols } from '@sallyport/contract/shapes'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { certificateBytes, curtainBytes, openCurtain } from '../../../../test/support/curtain.ts'
import { startTestService, type TestService, type TestUser } from '../../../../test/support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true })
})
beforeEach(() => service.heartbeat())
afterAll(() => service.stop())

const decoders = { br: createBrotliDecompress, gzip: createGunzip }
type Encoding = keyof typeof decoders

/** On a connection of its own; undefined when the answer does not come through. */
const fetchAlone = (url: string, encoding: Encoding, patienceMs = 20_000) =>
  new Promise<{ status: number; text: string; bytes: number } | undefined>((resolve) => {
    const headers = { 'accept-encoding': encoding, 'accept-language': 'ru' }
    const asking = request(url, { headers, agent: false, signal: AbortSignal.timeout(patienceMs) })
    asking.on('error', () => resolve(undefined))
    asking.on('response', async (answer) => {
      const { statusCode: status = 0, socket } = answer
      const body =
        answer.headers['content-encoding'] === encoding ? answer.pipe(decoders[encoding]()) : answer
      answer.on('error', () => resolve(undefined))
      const said = await text(body)
      resolve({ status, text: said, bytes: socket.bytesRead })
    })
    asking.end()
  })

/** Every format, as an address names it. */
const answers = [
  'page',
  'base64',
  'links',
  'xray',
  'xray&variant=single',
  'mihomo',
  'stash',
  'clash',
  'sing-box&variant=1.11',
  'sing-box&variant=1.12',
  'outline',
  'conf',
]

const buyMore = async (user: TestUser, count: number, of: readonly string[]): Promise<void> => {
  for (let n = 0; n < count; n++) {
    await service.buy(user, { protocol: of[n % of.length], location_id: [1, 2, 12, 18][n % 4] })
  }
}
const buyerOf = async (count: number, of: readonly string[]): Promise<TestUser> => {
  const user = await service.createUser({ balance: 1_000_000 })
  await buyMore(user, count, of)
  return user
}

/** A curtain that leaves to HTTP what a certificate leaves of it. */
const openOurs = async (
  to = service.running.url,
  passes = curtainBytes - certificateBytes,
): Promise<string> => {
  const curtain = await openCurtain(to, passes)
  onTestFinished(() => curtain.close())
  return curtain.url
}

describe('behind a curtain that falls after 16 KB of a connection', () => {
  const expectWhole = async (url: string, user: TestUser, open: readonly string[]) => {
    for (const answer of open) {
      const path = `/sub/${user.subscription_key}?format=${answer}`
      for (const encoding of ['br', 'gzip'] as const) {
        const through = await fetchAlone(url + path, encoding)
        const direct = await fetchAlone(service.running.url + path, encoding)
        expect(through, `${answer} in ${encoding}`).toMatchObject({ status: 200 })
        expect(through?.text === direct?.text, `${answer} is whole`).toBe(true)
      }
    }
  }

  /** Of fifty, only what is compressed link by link: Amnezia's take some 37 KB as links and 47 KB in Base64. */
  const tooLarge = ['base64', 'links']
  test.each([
    ['all protocols', protocols, answers],
    ['AmneziaWG', ['amnezia-wg-2'], answers.filter((answer) => !tooLarge.includes(answer))],
  ] as const)('10 and 50 of %s come through in each format', async (_name, of, openOfFifty) => {
    const user = await buyerOf(10, of)
    const url = await openOurs()
    await expectWhole(url, user, answers)
    await buyMore(user, 40, of)
    await expectWhole(url, user, openOfFifty)
  })

  test('a browser walks from page to page, for each comes on a connection of its own', async () => {
    const user = await buyerOf(10, ['vless'])
    const url = await openOurs()
    const headers = { accept: 'text/html', 'accept-language': 'ru' }
    const page = `${url}/sub/${user.subscription_key}`
    for (const path of ['', '?format=page&item=1', '', '?format=page&item=2', '', '?format=page&item=9']) {
      const answer = await fetch(page + path, { headers, signal: AbortSignal.timeout(20_000) })
      expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close'])
      expect(await answer.text()).toMatch(/<\/html>\s*$/)
    }
  })

  test('which keeps what is larger', async () => {
    const user = await buyerOf(10, protocols)
    const url = await openOurs(service.running.url, 2000)
    const path = `${url}/sub/${user.subscription_key}`
    expect(await fetchAlone(`${path}?format=page`, 'gzip', 1500)).toBeUndefined()
    expect(await fetchAlone(`${path}?format=outline`, 'gzip')).toMatchObject({ status: 200 })
  })
})
