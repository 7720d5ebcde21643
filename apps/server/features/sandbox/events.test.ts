import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eventBody, eventIdOf, factsIn, judgeEvent, nextTryAt, sign, signatureHeader } from './events.ts'

const key = Buffer.alloc(32, 1)
const now = 1_800_000_000
const money = { payment_id: 'p1', amount: 345, currency: 'TON' }
const bodyOf = (state: 'succeeded' | 'declined' | 'refunded') =>
  eventBody({ ...money, state, event_id: eventIdOf('p1', state, now) })
const body = bodyOf('succeeded')

const judge = (signature: string | string[] | undefined, text = body, at = now) =>
  judgeEvent(key, {
    headers: { [signatureHeader]: signature },
    body: Buffer.from(text),
    ip: '127.0.0.1',
    now: at,
  }).kind

describe('the signature', () => {
  test('is of the raw body and its moment, as documented', () => {
    // HMAC-SHA256 computed apart from this code, with openssl.
    expect(sign(Buffer.from('key'), '{}', 1)).toBe(
      't=1,v1=1ba6b8171186efc613e8bcc0cbdab2748f24984d7c5a84faa2637afa0e40d224',
    )
  })

  test('check 14: the signature opens the door to its own body for five minutes', () => {
    const signature = sign(key, body, now)
    expect(judge(signature)).toBe('event')
    expect(judge(signature, body, now + 300)).toBe('event')
    expect(judge(signature, body, now - 300)).toBe('event')
    expect(judge(signature, body, now + 301)).toBe('forged')
    expect(judge(signature, body, now - 301)).toBe('forged')
    expect(judge(signature, body.replace('345', '999'))).toBe('forged')
    expect(judge(sign(Buffer.alloc(32, 2), body, now))).toBe('forged')
    expect(judge(signature.replace(`t=${now}`, `t=${now + 1}`))).toBe('forged')
  })

  test.each([
    [undefined],
    [''],
    ['v1=00'],
    [`t=${now},v1=zz`],
    [`t=${now},v1=`],
    [[sign(key, body, now), 'x']],
  ])('malformed as %j is refused', (signature) => expect(judge(signature)).toBe('forged'))

  test('no other text is taken for a signature', () => {
    fc.assert(fc.property(fc.string(), (text) => judge(text) === 'forged'))
  })

  test('of something that is not an event, or is an unknown one', () => {
    for (const text of ['', 'null', '[]', '{}', '{"event_id":1}', body.replace('345', '3.45')])
      expect(judge(sign(key, text, now), text)).toBe('forged')
    const strange = body.replace('payment.succeeded', 'payment.thought_about')
    expect(judge(sign(key, strange, now), strange)).toBe('ignored')
    expect(factsIn(strange)).toEqual([])
  })
})

test('the body names the event, and the facts come back out of it', () => {
  expect(JSON.parse(body)).toEqual({
    event_id: `p1.succeeded.${now}`,
    type: 'payment.succeeded',
    payment_id: 'p1',
    amount: 345,
    currency: 'TON',
  })
  const ids = { paymentId: 'p1', providerPaymentId: 'p1' }
  const paid = { receiptId: 'sandbox-p1', amount: 345, currency: 'TON' }
  expect(factsIn(body)).toEqual([{ kind: 'received', ...ids, ...paid, payer: null }])
  expect(factsIn(bodyOf('refunded'))).toEqual([{ kind: 'refunded', ...paid }])
  expect(factsIn(bodyOf('declined'))).toEqual([{ kind: 'canceled', ...ids, reason: expect.any(String) }])
  expect(factsIn('not json')).toEqual([])
})

test('news that nobody hears is told after 5 s, 30 s, 2 min, 10 min, 30 min and then every hour', () => {
  const id = eventIdOf('p.1', 'succeeded', now)
  const waits: number[] = []
  for (let at = now; waits.length < 8; ) {
    const next = nextTryAt(id, at)
    waits.push(next - at)
    at = next
  }
  expect(waits).toEqual([5, 30, 120, 600, 1800, 3600, 3600, 3600])
})
