import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { describeWith } from '../test/support/engines/engines.ts'
import { chromium } from '../test/support/pieces.ts'
import { PasskeyBrowser } from './support/browser.ts'
import { call, demand } from './support/call.ts'
import { readCredentials } from './support/demo.ts'
import { makePlace } from './support/process.ts'

/** Another site under the same name: browsers share passkeys between the ports of a machine. */
const startNeighbour = async (onEnd: (cleanUp: () => Promise<unknown>) => void): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>neighbour</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onEnd(async () => server.close())
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/** Passkeys as customers meet them: the service in a process of its own, a real browser in front of it. */
describeWith(chromium, 'passkeys in a browser', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let browser: PasskeyBrowser
  let url: string
  let neighbourUrl: string
  let operatorToken: string

  beforeAll(async () => {
    const onEnd = (cleanUp: () => Promise<unknown>) => cleanUps.push(cleanUp)
    const env = { SECRET_KEY: randomBytes(32).toString('base64') }
    const place = await makePlace({ env, databaseCopyOf: inject('embeddedTemplates').empty, onEnd })
    const started = place.start()
    browser = await PasskeyBrowser.open(onEnd)
    neighbourUrl = await startNeighbour(onEnd)
    url = (await started).url
    operatorToken = readCredentials(place.dataDir).operator_token
  })
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  beforeEach(async () => {
    await browser.forgetPasskeys()
    await browser.verifyUser(true)
    await browser.goto(`${url.replace('127.0.0.1', 'localhost')}/docs`)
  })

  /** Without an e-mail the only way in will be the passkey. */
  const newCustomer = (fields: { email?: string } = {}): Promise<{ id: number; session_token: string }> =>
    demand(url, 'POST', '/operator/v1/users', { token: operatorToken, body: fields })
  const begin = (token: string) => demand(url, 'POST', '/v1/profile/passkeys', { token })
  const register = async (token: string): Promise<{ id: number }> => {
    const body = { ...(await browser.answer('create', await begin(token))), title: 'Laptop' }
    return demand(url, 'POST', '/v1/profile/passkeys/verify', { token, body })
  }
  const ask = () => demand(url, 'POST', '/v1/auth/passkey/options')
  const sign = async (change: object = {}) => browser.answer('get', { ...(await ask()), ...change })
  const signIn = (body: object) => call(url, 'POST', '/v1/auth/passkey/verify', { body })
  const remove = (token: string, id: number) => call(url, 'DELETE', `/v1/profile/passkeys/${id}`, { token })

  test('register, list, sign in once with one answer; the last way in stays', async () => {
    const { id: userId, session_token: token } = await newCustomer()
    const { id } = await register(token)
    const listed = { id, title: 'Laptop', created_at: expect.any(Number), last_used_at: null }
    expect(await demand(url, 'GET', '/v1/profile/passkeys', { token })).toEqual([listed])
    // The browser is told which passkeys there are, and makes no second one on the same device.
    await expect(browser.answer('create', await begin(token))).rejects.toThrow('InvalidStateError')

    const signed = await sign()
    const { status, body } = await signIn(signed)
    expect([status, body.data?.user_id]).toEqual([200, userId])
    const profile = await demand(url, 'GET', '/v1/profile', { token: body.data.session_token })
    expect(profile.id).toBe(userId)
    expect((await signIn(signed)).status).toBe(401)
    expect((await remove(body.data.session_token, id)).status).toBe(409)
    expect((await signIn(await sign())).status).toBe(200)
  })

  test('a deleted passkey does not sign in, though the device still has it', async () => {
    const { session_token: token } = await newCustomer({ email: 'browser@example.com' })
    const { id } = await register(token)
    expect((await signIn(await sign())).status).toBe(200)
    expect((await remove(token, id)).status).toBe(200)
    expect((await signIn(await sign())).status).toBe(401)
  })

  test('another origin, another signature and a user who was not verified are refused', async () => {
    const { session_token: token } = await newCustomer()
    await register(token)
    const signed = await sign()
    const signature = Buffer.from(signed.response.signature ?? '', 'base64url')
    signature.writeUInt8(signature.readUInt8(signature.length - 1) ^ 1, signature.length - 1)
    const response = { ...signed.response, signature: signature.toString('base64url') }
    expect((await signIn({ ...signed, response })).status).toBe(401)

    await browser.verifyUser(false)
    expect((await signIn(await sign({ userVerification: 'discouraged' }))).status).toBe(401)
    await browser.verifyUser(true)

    await browser.goto(neighbourUrl)
    expect((await signIn(await sign())).status).toBe(401)
    await browser.forgetPasskeys()
    const foreign = await browser.answer('create', { ...(await begin(token)), excludeCredentials: [] })
    const verify = await call(url, 'POST', '/v1/profile/passkeys/verify', { token, body: foreign })
    expect(verify.status).toBe(400)
  })
})
