import { afterAll, beforeAll, expect, test } from 'vitest'
import { anotherCode, newAddress, Visitor } from '../../../../test/support/people/mailbox.ts'
import {
  type Answer,
  startTestService,
  type TestService,
  usualOrder,
} from '../../../../test/support/service.ts'

/** Limits on guessing are stricter than the operation's own: whoever hits one is told about that one. */

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const untilNextHour = () => 3600 - (service.clock.now() % 3600)

const shown = ({ status, headers }: Answer) => [
  status,
  ...['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'].map((name) =>
    Number(headers.get(name)),
  ),
]
const hit = (limit: number) => {
  const wait = untilNextHour()
  return [429, limit, 0, service.clock.now() + wait, wait]
}

/** The answer to the one that is too many, each after the operation's own limit allows it again. */
const oneTooMany = async (most: number, work: () => Promise<Answer>): Promise<Answer> => {
  for (let at = 0; at < most; at++) {
    service.clock.advance(60)
    expect((await work()).status).not.toBe(429)
  }
  service.clock.advance(60)
  return work()
}

test('a wrong promocode too many', async () => {
  service.clock.advance(untilNextHour())
  const user = await service.createUser({ balance: 1000 })
  const body = {
    ...usualOrder,
    payment_method_id: undefined,
    tariff_id: undefined,
    promocode: 'AAAA-AAAA-AAAA-AAAA',
  }
  const buy = () => service.customer(user, 'POST', '/configs', body)
  expect(shown(await oneTooMany(10, buy))).toEqual(hit(10))
})

test('a wrong transfer key too many', async () => {
  service.clock.advance(untilNextHour())
  const { session_token: token } = await service.createUser()
  const body = { key: 'AAAA-AAAA-AAAA-AAAA' }
  const move = () => service.call('POST', '/v1/profile/transfer/activateKey', { token, body })
  expect(shown(await oneTooMany(10, move))).toEqual(hit(10))
})

test('a wrong code too many', async () => {
  service.clock.advance(untilNextHour())
  const [visitor, email] = [new Visitor(service), newAddress()]
  const guess = async () => visitor.verify(email, anotherCode(await visitor.ask(email)))
  expect(shown(await oneTooMany(9, guess))).not.toContain(429)
  expect(shown(await visitor.verify(email, '0000-0000-0000-0000'))).toEqual(hit(10))
})

test('a letter too many', async () => {
  service.clock.advance(untilNextHour())
  const [visitor, email] = [new Visitor(service), newAddress()]
  expect(shown(await oneTooMany(10, () => visitor.start(email)))).toEqual(hit(10))
})
