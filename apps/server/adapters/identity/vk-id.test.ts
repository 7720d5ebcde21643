import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { VkIdStandIn } from '../../../../test/support/providers/vk-id.ts'
import { IdentityRefused, IdentityUnavailable, type ProviderAnswer } from '../../ports/identity.ts'
import { VkId, type VkIdOptions } from './vk-id.ts'

const redirectUri = 'https://vpn.example.com/v1/auth/oauth/vk/callback'
const standIn = new VkIdStandIn()
beforeAll(() => standIn.start())
afterAll(() => standIn.stop())
beforeEach(() => {
  standIn.fault = () => 'none'
  standIn.failureStatus = 400
  standIn.echoesState = undefined
})

const clientOf = (changes: Partial<VkIdOptions> = {}) =>
  new VkId({ clientId: standIn.clientId, clientSecret: standIn.clientSecret, url: standIn.url, ...changes })

/** Somebody agreed at VK ID and came back. */
const begun = async (client: VkId) => {
  const { url, checks } = await client.begin({ redirectUri, state: 'the-state' })
  const query = Object.fromEntries(new URL(standIn.authorize(url, 4_294_967_301)).searchParams)
  const { code = '', state = '', device_id: deviceId } = query
  return { redirectUri, checks, answer: { code, state, iss: undefined, deviceId } as ProviderAnswer }
}

test('says who somebody is, and no address', async () => {
  const client = clientOf()
  const { url, checks } = await client.begin({ redirectUri, state: 's' })
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    response_type: 'code',
    client_id: standIn.clientId,
    redirect_uri: redirectUri,
    state: 's',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  expect(checks).toMatch(/^[\w-]{43,128}$/)
  expect(url).not.toContain(checks)
  const back = await begun(client)
  expect(await client.finish(back)).toEqual({ subject: '4294967301', email: null })
  const { body = '' } = standIn.requests.at(-1) ?? {}
  expect(Object.fromEntries(new URLSearchParams(body))).toMatchObject({
    client_secret: standIn.clientSecret,
    device_id: back.answer.deviceId,
    state: 'the-state',
  })
  await expect(client.finish(back), 'a code is good once').rejects.toThrow(IdentityRefused)
})

type Back = Awaited<ReturnType<typeof begun>>
const withAnswer = (back: Back, changes: Partial<ProviderAnswer>): Back => ({
  ...back,
  answer: { ...back.answer, ...changes },
})

test.each<[string, (back: Back) => Back]>([
  ['a code that VK never gave', (back) => withAnswer(back, { code: 'vk2.a.made-up' })],
  ['the code of another device', (back) => withAnswer(back, { deviceId: 'another' })],
  ['another verifier', (back) => ({ ...back, checks: 'v'.repeat(43) })],
  ['another redirect_uri', (back) => ({ ...back, redirectUri: 'https://evil.example/' })],
])('%s is refused, with whatever status', async (_name, change) => {
  const client = clientOf()
  for (const status of [200, 400, 401]) {
    standIn.failureStatus = status
    await expect(client.finish(change(await begun(client)))).rejects.toThrow(IdentityRefused)
  }
})

test('without a device VK is not even asked', async () => {
  const client = clientOf()
  const back = withAnswer(await begun(client), { deviceId: undefined })
  const before = standIn.requests.length
  await expect(client.finish(back)).rejects.toThrow(IdentityRefused)
  expect(standIn.requests).toHaveLength(before)
})

test('an expired code is refused', async () => {
  const client = clientOf()
  const back = await begun(client)
  standIn.expire(back.answer.code)
  await expect(client.finish(back)).rejects.toThrow(IdentityRefused)
})

test('an answer to another state is refused', async () => {
  const client = clientOf()
  standIn.echoesState = 'another'
  await expect(client.finish(await begun(client))).rejects.toThrow(IdentityRefused)
})

test('an app that VK does not know is our fault, not the person’s', async () => {
  const back = await begun(clientOf())
  await expect(clientOf({ clientId: '1' }).finish(back)).rejects.toThrow(IdentityUnavailable)
})

test.each([
  'error-before',
  'error-after',
  'cut-before',
  'cut-after',
] as const)('%s: VK is away', async (fault) => {
  const client = clientOf()
  const back = await begun(client)
  standIn.fault = () => fault
  await expect(client.finish(back)).rejects.toThrow(IdentityUnavailable)
  standIn.fault = () => 'none'
  const again = client.finish(back)
  if (fault.endsWith('before')) expect(await again).toMatchObject({ subject: '4294967301' })
  else await expect(again, 'the code was used').rejects.toThrow(IdentityRefused)
})

const serve = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const saying =
  (body: string): RequestListener =>
  (_request, response) =>
    response.end(body)

test.each<[string, RequestListener]>([
  ['no JSON', saying('<html>captcha</html>')],
  ['nothing', saying('')],
  ['null', saying('null')],
  ['nobody', saying('{"state":"the-state"}')],
  ['somebody impossible', saying('{"state":"the-state","user_id":0}')],
  ['somebody who is no number', saying('{"state":"the-state","user_id":{"id":1}}')],
  ['an error of another shape', saying('{"state":"the-state","user_id":1,"error":{"code":1}}')],
  ['where else to ask', (_request, response) => response.writeHead(302, { location: '/elsewhere' }).end()],
  [
    'that it is too busy',
    (_request, response) => response.writeHead(429).end('{"user_id":1,"state":"the-state"}'),
  ],
  ['no word in time', () => undefined],
])('an answer that says %s is no answer', async (_name, listener) => {
  const client = clientOf({ url: await serve(listener), timeoutMs: 200 })
  const answer = { code: 'c', state: 'the-state', iss: undefined, deviceId: 'd' }
  await expect(client.finish({ redirectUri, checks: 'v', answer })).rejects.toThrow(IdentityUnavailable)
})
