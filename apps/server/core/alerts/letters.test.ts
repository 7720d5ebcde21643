import type { Role } from '@sallyport/contract/operation'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { lettersTo } from '../../../../test/support/people/mailbox.ts'
import { startTestService, type TestService } from '../../../../test/support/service.ts'
import { type AlertKind, matchAlerts, raiseAlert } from '../kernel/alerts.ts'
import { createOperator } from '../operators/operators.ts'
import { sendAlertLetters } from './letters.ts'

/** One letter about everything that is new, to those who want it, in a rhythm. */

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterEach(async () => {
  await service.db.deleteFrom('alerts').execute()
  await service.db.updateTable('operators').set({ email: null }).execute()
  service.clock.advance(3600)
})
afterAll(() => service.stop())

const person = async (role: Role, wants = true): Promise<string> => {
  const email = `${crypto.randomUUID()}@example.com`
  await createOperator(service.db, { name: email, role, now: service.clock.now() })
  await service.db
    .updateTable('operators')
    .set({ email, wants_alerts: wants })
    .where('name', '=', email)
    .execute()
  return email
}
const raise = (kind: AlertKind, subject: string, details: Record<string, unknown> = {}) =>
  raiseAlert(service.db, { kind, subject, details, now: service.clock.now() })
const send = () => sendAlertLetters(service.running.services, service.clock.now())
/** As a mail program shows them. */
const read = (email: string): string[] =>
  lettersTo(service, email).map((letter) => {
    const body = letter.slice(letter.indexOf('\r\n\r\n') + 4)
    return /base64/i.test(letter) ? Buffer.from(body, 'base64').toString('utf8') : body
  })

test('several alerts are one letter that says what to do', async () => {
  const olga = await person('owner')
  await raise('dispute', 'sandbox:1', { amount: 777 })
  for (let n = 1; n <= 12; n++) await raise('grant_failed', `order:${n}`)
  await raise('certificate_ending', 'server:3', { domain: 'one.example.com' })
  await send()
  const [letter, ...others] = read(olga)
  expect(others).toEqual([])
  expect(letter).toContain('• dispute: sandbox:1')
  expect(letter).toContain('order:10 and more: 2')
  expect(letter).toContain('server:3 (one.example.com)')
  expect(letter).toContain('Ответьте на спор')
  expect(letter).toContain('Open in all: 14')
  expect(letter).not.toContain('777')
  service.clock.advance(3600)
  await send()
  expect(read(olga)).toHaveLength(1)
})

test('the next letter comes after a while, with all that is new by then', async () => {
  const olga = await person('owner')
  await raise('dispute', 'sandbox:1')
  await send()
  await raise('dispute', 'sandbox:2')
  service.clock.advance(300)
  await send()
  await raise('dispute', 'sandbox:3')
  expect(read(olga)).toHaveLength(1)
  service.clock.advance(300)
  await send()
  expect(read(olga)).toHaveLength(2)
  expect(read(olga)[1]).toContain('sandbox:2, sandbox:3')
})

test('what passes by itself is told of, and told anew when it begins again', async () => {
  const olga = await person('owner')
  const match = (findings: string[]) => {
    const now = service.clock.now()
    return matchAlerts(
      service.db,
      'node_gone',
      findings.map((subject) => ({ subject, details: { name: 'msk-1' }, since: now })),
      now,
    )
  }
  await match(['node:1'])
  await send()
  await match([])
  service.clock.advance(600)
  await send()
  await match(['node:1'])
  service.clock.advance(600)
  await send()
  const letters = read(olga)
  expect(letters).toHaveLength(3)
  expect(letters[1]).toContain(
    'Over by itself:\r\n• node_gone: node:1 (msk-1)'.replace(
      '\r\n',
      letters[1]?.includes('\r\n') ? '\r\n' : '\n',
    ),
  )
  expect(letters[2]).toContain('New:')
})

test('what came and went between two letters is in none', async () => {
  const olga = await person('owner')
  const now = service.clock.now()
  await matchAlerts(service.db, 'node_gone', [{ subject: 'node:1', details: {}, since: now }], now)
  await matchAlerts(service.db, 'node_gone', [], now)
  await send()
  expect(read(olga)).toEqual([])
})

test('letters go to who wants them, and to technicians about machines alone', async () => {
  const [olga, ivan] = [await person('finance'), await person('technician')]
  const [quiet, gone] = [await person('owner', false), await person('owner')]
  await service.db.updateTable('operators').set({ revoked_at: 1 }).where('email', '=', gone).execute()
  await raise('wrong_amount', 'receipt:1')
  await send()
  expect([olga, ivan, quiet, gone].map((email) => read(email).length)).toEqual([1, 0, 0, 0])
  service.clock.advance(600)
  await raise('refund_failed', 'refund:1')
  await raise('not_carried', 'server:1')
  await send()
  expect([olga, ivan, quiet, gone].map((email) => read(email).length)).toEqual([2, 1, 0, 0])
  expect(read(ivan)[0]).not.toContain('refund')
  expect(read(ivan)[0]).toContain('Open in all: 1')
})

test('when nobody is there to write to, it waits until somebody is', async () => {
  await raise('dispute', 'sandbox:1')
  await send()
  const olga = await person('owner')
  await send()
  expect(read(olga)).toHaveLength(1)
})

test('what those who are there are not told of waits for those who come', async () => {
  const ivan = await person('technician')
  await raise('dispute', 'sandbox:1')
  await raise('not_carried', 'server:1')
  await send()
  expect(read(ivan)).toHaveLength(1)
  const olga = await person('owner')
  service.clock.advance(600)
  await send()
  expect(read(olga)).toHaveLength(1)
  expect(read(olga)[0]).toContain('sandbox:1')
  expect(read(ivan)).toHaveLength(1)
})

test('an end is told to nobody who comes after it', async () => {
  const olga = await person('owner')
  const now = service.clock.now()
  await matchAlerts(service.db, 'node_gone', [{ subject: 'node:1', details: {}, since: now }], now)
  await send()
  await service.db.updateTable('operators').set({ email: null }).where('email', '=', olga).execute()
  await matchAlerts(service.db, 'node_gone', [], now)
  service.clock.advance(600)
  await send()
  const ivan = await person('owner')
  await send()
  expect(read(ivan)).toEqual([])
})

test('a letter says what to do, and leads only where something is', async () => {
  const olga = await person('owner')
  await raise('dispute', 'sandbox:1')
  await send()
  const [letter = ''] = read(olga)
  expect(letter).toContain('sallyport alert list')
  const links = [...letter.matchAll(/https?:\/\/\S+/g)].map(([link]) => new URL(link))
  expect(links.map(({ pathname }) => pathname)).toEqual(['/docs/ru/operators', '/docs/en/operators'])
  for (const { pathname } of links) {
    expect((await fetch(`${service.running.url}${pathname}`)).status).toBe(200)
  }
})

test('several instances write once', async () => {
  const olga = await person('owner')
  await raise('dispute', 'sandbox:1')
  await Promise.all(Array.from({ length: 4 }, send))
  expect(read(olga)).toHaveLength(1)
})
