import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { testEngine } from '../../../../../test/support/databases/database.ts'
import { MailServer } from '../../../../../test/support/people/mail-server.ts'
import {
  anotherCode,
  codeTo,
  dumpOf,
  lettersTo,
  longCodeTo,
  Visitor,
} from '../../../../../test/support/people/mailbox.ts'
import { openLimiter, startTestService, type TestService } from '../../../../../test/support/service.ts'
import { readConfig } from '../../../config.ts'
import { type RunningService, startService } from '../../../main.ts'

/** What holds for all instances together, across restarts, and for what is left behind. */

const post = async (at: string, path: string, body: object) => {
  const response = await fetch(`${at}/v1/auth/email/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
  return { status: response.status, waitSeconds: Number(response.headers.get('retry-after')) }
}

describe('limits', () => {
  let service: TestService
  let other: RunningService | undefined
  beforeAll(async () => {
    service = await startTestService({ withoutLimits: true })
    // The embedded database belongs to one process, so there is nothing to share.
    if (testEngine() !== 'postgres') return
    other = await startService(readConfig(service.env), { clock: service.clock, limiter: openLimiter })
  })
  afterAll(async () => {
    await other?.stop()
    await service.stop()
  })

  const urls = () => [service.running.url, other?.url ?? service.running.url]
  const untilNextHour = () => 3600 - (service.clock.now() % 3600)

  test('ten letters an hour to one address, on all instances together and after a restart', async () => {
    const email = 'ann@example.com'
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, at) => post(urls()[at % 2] as string, 'start', { email })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(lettersTo(service, email)).toHaveLength(10)
    const refused = { status: 429, waitSeconds: untilNextHour() }
    expect(answers.find(({ status }) => status !== 200)).toEqual(refused)
    await service.whileAway(async () => undefined)
    for (const url of urls()) expect(await post(url, 'start', { email: ' ANN@example.com' })).toEqual(refused)
    expect((await post(service.running.url, 'start', { email: 'bob@example.com' })).status).toBe(200)
    service.clock.advance(untilNextHour())
    expect((await post(service.running.url, 'start', { email })).status).toBe(200)
  })

  test('ten wrong codes an hour for one address, however many codes are asked for', async () => {
    const email = 'eve@example.com'
    const guess = async (url: string) => {
      const code = codeTo(service, email)
      return (await post(url, 'verify', { email, code: anotherCode(code) })).status
    }
    for (let at = 0; at < 10; at++) {
      if (at % 4 === 0) await post(service.running.url, 'start', { email })
      expect(await guess(urls()[at % 2] as string)).toBe(401)
    }
    await post(service.running.url, 'start', { email })
    await service.whileAway(async () => undefined)
    const right = { email, code: codeTo(service, email) }
    const refused = { status: 429, waitSeconds: untilNextHour() }
    for (const url of urls()) expect(await post(url, 'verify', right)).toEqual(refused)
    service.clock.advance(untilNextHour())
    await post(service.running.url, 'start', { email })
    expect((await post(urls()[1] as string, 'verify', { email, code: codeTo(service, email) })).status).toBe(
      200,
    )
  })

  test('right codes do not count', async () => {
    const email = 'often@example.com'
    for (let at = 0; at < 12; at++) {
      if (at === 10) service.clock.advance(untilNextHour())
      await post(service.running.url, 'start', { email })
      const { status } = await post(service.running.url, 'verify', { email, code: codeTo(service, email) })
      expect(status).toBe(200)
    }
  })
})

test('neither codes nor addresses are in the log, and no code is in the database', async () => {
  const lines: string[] = []
  // The logger writes there when it finds the method replaced, and to the file descriptor otherwise.
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((line) => {
    lines.push(String(line))
    return true
  })
  const service = await startTestService({ env: { LOG_LEVEL: 'trace' } })
  try {
    const email = 'secretive@example.com'
    await post(service.running.url, 'start', { email })
    const [code, long] = [codeTo(service, email), longCodeTo(service, email)]
    await post(service.running.url, 'verify', { email, code: anotherCode(code) })
    await post(service.running.url, 'verify', { email, code: `${long.slice(0, -1)}U` })
    const waiting = await dumpOf(service)
    await post(service.running.url, 'verify', { email, code })
    const log = lines.join('')
    expect(log).toContain('a letter was written')
    for (const text of [log, waiting, await dumpOf(service)]) {
      expect(text).not.toMatch(new RegExp(`\\b${code}\\b`))
      for (const part of [long, long.replaceAll('-', ''), long.slice(0, 9), long.slice(-9)]) {
        expect(text).not.toContain(part)
      }
    }
    for (const text of [log, waiting]) expect(text).not.toContain('secretive')
    expect(await dumpOf(service)).toContain('secretive')
  } finally {
    spy.mockRestore()
    await service.stop()
  }
})

test('a stranger who asks does not take away a letter that waits for the mail server', async () => {
  const server = await new MailServer().start()
  const env = { SMTP_URL: server.url, MAIL_FROM: 'a@vpn.example', TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startTestService({ env })
  try {
    server.refusals = { to: 450 }
    const waiting = () => service.db.selectFrom('mails').select('attempts').execute()
    const tried = (count: number) =>
      expect.poll(waiting, { timeout: 10_000 }).toEqual(Array(count).fill({ attempts: 1 }))
    for (const [ip, count] of [
      ['198.51.100.1', 1],
      ['203.0.113.1', 2],
      ['203.0.113.1', 2],
    ] as const) {
      expect((await new Visitor(service, ip).start('ann@example.com')).status).toBe(200)
      await tried(count)
    }
    server.refusals = {}
    service.clock.advance(10)
    await service.running.runJobs()
    await expect.poll(waiting).toEqual([])
    expect(server.letters).toHaveLength(2)
  } finally {
    await service.stop()
    await server.stop()
  }
})

test('with a mail server the answer does not wait, and the letter goes out once the server is there', async () => {
  const server = await new MailServer().start()
  const env = { SMTP_URL: server.url, MAIL_FROM: 'Sallyport <no-reply@vpn.example>' }
  const service = await startTestService({ env })
  try {
    server.refusals = { to: 450 }
    const asked = () => post(service.running.url, 'start', { email: 'ann@example.com' })
    expect([(await asked()).status, (await asked()).status]).toEqual([200, 200])
    const waiting = () => service.db.selectFrom('mails').select(['attempts', 'next_try_at']).execute()
    await expect
      .poll(waiting, { timeout: 10_000 })
      .toEqual([{ attempts: 1, next_try_at: service.clock.now() + 10 }])
    server.refusals = {}
    service.clock.advance(10)
    await Promise.all([service.running.runJobs(), service.running.runJobs()])
    await expect.poll(waiting).toEqual([])
    expect(server.letters.map(({ to }) => to)).toEqual([['ann@example.com']])
    server.refusals = { to: 550 }
    await post(service.running.url, 'start', { email: 'nobody@example.com' })
    await expect.poll(waiting, { timeout: 10_000 }).toEqual([])
    expect(server.letters).toHaveLength(1)
  } finally {
    await service.stop()
    await server.stop()
  }
})
