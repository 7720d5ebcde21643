import fc from 'fast-check'
import { expect, test } from 'vitest'
import { YooKassa, yooKassaNetworks } from './yookassa.ts'

const credentials = { shopId: '1', secretKey: 'secret' }
const yooKassa = new YooKassa(credentials)
const judge = (body: string, ip = '185.71.76.5') =>
  yooKassa.judge({ headers: {}, body: Buffer.from(body), ip, now: 0 })
const body = JSON.stringify({ type: 'notification', event: 'payment.succeeded', object: { id: 'p-1' } })

test.each([
  ['185.71.76.0', 'event'],
  ['185.71.76.31', 'event'],
  ['185.71.76.32', 'forged'],
  ['77.75.154.127', 'forged'],
  ['77.75.154.128', 'event'],
  ['77.75.156.11', 'event'],
  ['77.75.156.12', 'forged'],
  ['::ffff:77.75.156.35', 'event'],
  ['::ffff:4d4b:9c24', 'forged'],
  ['2a02:5180:0:1509::1', 'event'],
  ['2a02:5181::1', 'forged'],
  ['127.0.0.1', 'forged'],
  ['', 'forged'],
  ['unknown', 'forged'],
])('from %s: %s', (ip, kind) => {
  expect(judge(body, ip).kind).toBe(kind)
})

test('the list is a setting, and a wrong one stops the start', () => {
  const of = (...webhookNetworks: string[]) => new YooKassa({ ...credentials, webhookNetworks })
  const request = { headers: {}, body: Buffer.from(body), ip: '::ffff:127.0.0.1', now: 0 }
  expect(of('127.0.0.0/8').judge(request).kind).toBe('event')
  expect(of().judge(request).kind).toBe('forged')
  for (const wrong of ['127.0.0.0/33', '127.0.0.0/', '10.0.0', 'localhost', '::/129', '10.0.0.0/-1']) {
    expect(() => of(wrong)).toThrow(wrong)
  }
  expect(() => of(...yooKassaNetworks)).not.toThrow()
})

test.each([
  ['not JSON', '{', 'forged'],
  ['null', 'null', 'forged'],
  ['a list', '[]', 'forged'],
  ['no type', '{"event":"payment.succeeded","object":{"id":"p-1"}}', 'forged'],
  ['no event', '{"type":"notification","object":{"id":"p-1"}}', 'forged'],
  ['no object', '{"type":"notification","event":"payment.succeeded"}', 'forged'],
  ['a number for an id', '{"type":"notification","event":"payment.canceled","object":{"id":1}}', 'forged'],
  ['a path', '{"type":"notification","event":"payment.canceled","object":{"id":"../x"}}', 'forged'],
  ['a refund of nothing', '{"type":"notification","event":"refund.succeeded","object":{"id":"r"}}', 'forged'],
  ['a payout', '{"type":"notification","event":"payout.succeeded","object":{"id":"po-1"}}', 'ignored'],
])('%s', (_what, text, kind) => {
  expect(judge(text).kind).toBe(kind)
  expect(yooKassa.interpret(text).every((fact) => fact.kind === 'look')).toBe(true)
})

test('no body is ever believed', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('payment.succeeded', 'refund.succeeded'), (json, event) => {
      const text = `{"type":"notification","event":"${event}","object":${json}}`
      judge(text)
      expect(yooKassa.interpret(text).every((fact) => fact.kind === 'look')).toBe(true)
    }),
  )
})
