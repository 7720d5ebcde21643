import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createPlain } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { webhookPoster } from './post-webhook.ts'

/** Where a name leads is looked at once, and nowhere else is dialled. */

const now = Math.floor(Date.now() / 1000)
const pair = selfSignedCertificate({
  serverName: 'crm.example.com',
  notBefore: now - 60,
  days: 1,
  keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  serial: '0123456789abcdef',
})

let site: Server
let names: (string | false | null | undefined)[]
beforeAll(async () => {
  site = createServer({ cert: pair.certificate, key: pair.key }, (request, response) => {
    names.push((request.socket as { servername?: string }).servername, request.headers.host)
    request.resume()
    response.end('ok')
  })
  site.listen(0, '127.0.0.1')
  await once(site, 'listening')
})
afterAll(() => site.close())

const port = () => (site.address() as AddressInfo).port
const post = {
  headers: { 'content-type': 'application/json' },
  body: '{}',
  signal: new AbortController().signal,
}
const everywhere = () => true

test('the address that was judged is dialled, with the name asked for and vouched for', async () => {
  names = []
  let looks = 0
  const resolve = async () => {
    looks++
    return ['127.0.0.1']
  }
  const send = webhookPoster({ mayDial: everywhere, resolve, ca: pair.certificate })
  const url = `https://crm.example.com:${port()}/hook`
  expect(await send({ ...post, url })).toEqual({ status: 200, error: null })
  expect([looks, names]).toEqual([1, ['crm.example.com', `crm.example.com:${port()}`]])
})

test('a certificate of another name is refused', async () => {
  const send = webhookPoster({
    mayDial: everywhere,
    resolve: async () => ['127.0.0.1'],
    ca: pair.certificate,
  })
  const outcome = await send({ ...post, url: `https://other.example.com:${port()}/` })
  expect(outcome).toEqual({ status: null, error: 'no answer (ERR_TLS_CERT_ALTNAME_INVALID)' })
})

describe('a name', () => {
  test.each([
    [
      'of which one address is not allowed',
      ['203.0.113.1', '10.0.0.1'],
      'the name leads to an address that is not public',
    ],
    ['without addresses', [], 'the name has no address'],
  ])('%s is not dialled', async (_, addresses, error) => {
    const dialled: string[] = []
    const mayDial = (address: string) => {
      dialled.push(address)
      return address !== '10.0.0.1'
    }
    const send = webhookPoster({ mayDial, resolve: async () => addresses })
    expect(await send({ ...post, url: 'https://crm.example.com/' })).toEqual({ status: null, error })
  })

  test('that nobody knows is no answer', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('getaddrinfo ENOTFOUND secret.example.com'), { code: 'ENOTFOUND' })
    }
    const outcome = await webhookPoster({ mayDial: everywhere, resolve })({
      ...post,
      url: 'https://secret.example.com/',
    })
    expect(outcome).toEqual({ status: null, error: 'no answer (ENOTFOUND)' })
  })

  test('whose look-up hangs is given up in time', async () => {
    const resolve = () => new Promise<string[]>(() => undefined)
    const send = webhookPoster({ mayDial: everywhere, resolve, timeoutMs: 50 })
    expect(await send({ ...post, url: 'https://crm.example.com/' })).toEqual({
      status: null,
      error: 'no answer in time',
    })
  })
})

test('an address is judged as a name is', async () => {
  const send = webhookPoster({ mayDial: () => false })
  for (const host of ['127.0.0.1', '[::1]', '169.254.169.254', '2130706433']) {
    expect((await send({ ...post, url: `https://${host}/` })).error, host).toMatch(/not public/)
  }
})

test('an answer without end is an answer, and not read to its end', async () => {
  const endless = createPlain((_, response) => {
    const timer = setInterval(() => response.write(Buffer.alloc(32 * 1024)), 1)
    response.once('close', () => clearInterval(timer))
  })
  endless.listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const url = `http://127.0.0.1:${(endless.address() as AddressInfo).port}/`
  const began = performance.now()
  expect(await webhookPoster({ mayDial: everywhere })({ ...post, url })).toEqual({ status: 200, error: null })
  expect(performance.now() - began).toBeLessThan(5000)
  endless.closeAllConnections()
  endless.close()
})
