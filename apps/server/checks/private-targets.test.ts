import { once } from 'node:events'
import { createServer as createSite, type Server as Site } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { webhookPoster } from '../adapters/webhooks/post-webhook.ts'
import { mayDial } from '../core/webhooks/endpoint-address.ts'

/** Whatever address is given for events to be sent to, nobody inside hears a knock. */

let canary: Server
let port: number
let knocks: number
beforeAll(async () => {
  canary = createServer((socket) => {
    knocks++
    socket.destroy()
  })
  canary.listen(0, '::')
  await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
})
beforeEach(() => {
  knocks = 0
})
afterAll(() => canary.close())

const post = { headers: {}, body: '{}', signal: new AbortController().signal }
const send = (url: string, resolve: () => Promise<string[]> = async () => []) =>
  webhookPoster({ mayDial: mayDial(false), resolve, timeoutMs: 1000 })({ ...post, url })

const inside = [
  ...['127.0.0.1', '127.0.0.2', '127.1', '0', '0.0.0.0', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1'],
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '198.18.0.1', '224.0.0.1'],
  ...[
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[64:ff9b::7f00:1]',
    '[fd00::1]',
    '[fe80::1]',
  ],
  ...['[2002:7f00:1::]', '255.255.255.255'],
]

/** Said before anybody is dialled: where nobody listens, silence would say nothing. */
const refused = { status: null, error: 'the name leads to an address that is not public' }

test.each(
  inside.flatMap((host) => [`http://${host}`, `https://${host}`]),
)('check 32: %s is not dialled', async (origin) => {
  expect(await send(`${origin}:${port}/`)).toEqual(refused)
  expect(knocks).toBe(0)
})

const records: [string, string[]][] = [
  ['a private address', ['127.0.0.1']],
  ['a public and a private one', ['203.0.113.1', '127.0.0.1']],
  ['a private one of version 6', ['::1']],
  ['a private one that is mapped', ['::ffff:127.0.0.1']],
  ['that of metadata', ['169.254.169.254']],
]

test.each(records)('check 32: a name that leads to %s is not dialled', async (_what, addresses) => {
  expect(await send(`https://crm.example.com:${port}/`, async () => addresses)).toEqual(refused)
  expect(knocks).toBe(0)
})

test('check 32: a name that leads elsewhere when it is asked again is asked once', async () => {
  let asked = 0
  const judged: string[] = []
  // An address of documentation, at which nobody is; it passes for a public one here, so that it is dialled.
  const resolve = async () => (asked++ === 0 ? ['192.0.2.1'] : ['127.0.0.1'])
  const passesAll = (address: string) => judged.push(address) > 0
  const sendTo = webhookPoster({ mayDial: passesAll, resolve, timeoutMs: 1000 })
  const outcome = await sendTo({ ...post, url: `https://rebinding.example.com:${port}/` })
  expect(outcome.status).toBeNull()
  expect(outcome.error).toMatch(/^no answer/)
  expect([asked, judged, knocks]).toEqual([1, ['192.0.2.1'], 0])
})

test('check 32: a redirect is not followed', async () => {
  const site: Site = createSite((_request, response) => {
    response.writeHead(307, { location: `http://127.0.0.1:${port}/` }).end()
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const outcome = await webhookPoster({ mayDial: () => true })({ ...post, url })
  expect(outcome.status).toBe(307)
  expect(knocks).toBe(0)
  site.close()
})
