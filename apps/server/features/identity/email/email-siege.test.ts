import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  anotherCode,
  codeTo,
  lettersTo,
  longCodeTo,
  newAddress,
  Visitor,
} from '../../../../../test/support/people/mailbox.ts'
import { startTestService, type TestService } from '../../../../../test/support/service.ts'

/** Strangers on many networks who want to get in, or to keep the owner of an address out. */

let service: TestService
beforeAll(async () => {
  service = await startTestService({ withoutLimits: true, env: { TRUSTED_PROXIES: '127.0.0.1' } })
})
afterAll(() => service.stop())

/** Every test has a day of its own. */
beforeEach(async () => {
  service.clock.advance(86_400 - (service.clock.now() % 86_400))
  await service.db.deleteFrom('mailed_codes').execute()
})

const stranger = (at: number) => new Visitor(service, `203.0.${at}.1`)
const strangers = (count: number) => Array.from({ length: count }, (_, at) => stranger(at))
let networks = 0
/** On a network that nobody was seen on before. */
const fresh = () => new Visitor(service, `198.51.${Math.floor(networks / 250)}.${++networks % 250}`)
const statusOf = async (answer: Promise<{ status: number }>) => (await answer).status
const untilNext = (seconds: number) => seconds - (service.clock.now() % seconds)

/** Each network asks for letters and types wrong codes of both forms. */
const attackBy = async (count: number, email: string, letters = 3) => {
  for (const network of strangers(count)) {
    await Promise.all(Array.from({ length: letters }, () => network.start(email)))
    await Promise.all(Array.from({ length: 3 }, () => network.verify(email, '000000')))
    await network.verify(email, '0000-0000-0000-0000')
  }
}

const digitsOf = (letter: string | undefined) => /\b\d{6}\b/.exec(letter ?? '')?.[0]

describe('three networks that attack all day', () => {
  test('do not keep the owner from six digits on a fresh network', async () => {
    const email = newAddress()
    for (let hour = 0; hour < 12; hour++) {
      await attackBy(3, email, hour < 8 ? 1 : 11)
      if (hour % 4 === 3) {
        const owner = fresh()
        expect(await statusOf(owner.start(email))).toBe(200)
        const code = codeTo(service, email)
        await Promise.all(strangers(3).map((network) => network.verify(email, anotherCode(code))))
        expect(await statusOf(owner.verify(email, code))).toBe(200)
      }
      service.clock.advance(3600)
    }
  })
})

describe('forty networks that attack', () => {
  test('do not keep the owner from the long code, at the worst second of any slot', async () => {
    const email = newAddress()
    for (let hour = 0; hour < 3; hour++) {
      await attackBy(hour === 0 ? 40 : 12, email)
      service.clock.advance(untilNext(3600))
    }
    for (const late of [0, 150, 299]) {
      service.clock.advance(untilNext(300))
      await Promise.all(strangers(40).map((network) => network.start(email)))
      service.clock.advance(late)
      const owner = fresh()
      const before = lettersTo(service, email).length
      const { status, body } = await owner.start(email)
      expect([status, lettersTo(service, email).length]).toEqual([200, before])
      expect(digitsOf(lettersTo(service, email).at(-1))).toBeUndefined()
      await Promise.all(strangers(10).map((network) => network.verify(email, '0000-0000-0000-0000')))
      expect(body.data.expires_at - service.clock.now()).toBeGreaterThan(300)
      service.clock.advance(body.data.expires_at - service.clock.now() - 1)
      expect(await statusOf(owner.verify(email, longCodeTo(service, email)))).toBe(200)
    }
  })

  test('leave a letter to whoever used the last one and asks again', async () => {
    const email = newAddress()
    for (let hour = 0; hour < 3; hour++) {
      await attackBy(12, email)
      service.clock.advance(untilNext(3600))
    }
    for (let at = 0; at < 3; at++) {
      await Promise.all(strangers(20).map((network) => network.start(email)))
      const owner = fresh()
      await owner.start(email)
      expect(await statusOf(owner.verify(email, longCodeTo(service, email)))).toBe(200)
    }
  })

  test('neither replace the owner’s digits nor use up their tries', async () => {
    const email = newAddress()
    const owner = fresh()
    const code = await owner.ask(email)
    for (const network of strangers(40)) {
      await network.start(email)
      await Promise.all(Array.from({ length: 6 }, () => network.verify(email, anotherCode(code))))
    }
    expect(lettersTo(service, email).length).toBeGreaterThan(10)
    for (let at = 0; at < 4; at++) {
      expect(await statusOf(owner.verify(email, anotherCode(code)))).toBe(401)
    }
    expect(await statusOf(owner.verify(email, code))).toBe(200)
  })

  test('learn nothing about who has an account, also when no letter is sent', async () => {
    const [known, unknown] = [newAddress(), newAddress()]
    await service.createUser({ email: known })
    const answersAbout = async (email: string) => {
      const answers = []
      for (let at = 0; at < 40; at++) {
        const { status, headers, body } = await stranger(at).start(email)
        answers.push([
          status,
          body,
          [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
        ])
      }
      return answers
    }
    const answers = await answersAbout(known)
    expect(await answersAbout(unknown)).toEqual(answers)
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
    expect(lettersTo(service, known)).toHaveLength(26)
    expect(lettersTo(service, unknown)).toHaveLength(26)
  })
})

test('any number of networks guesses 250 times a day', async () => {
  const email = newAddress()
  let compared = 0
  for (let hour = 0; hour < 24; hour++) {
    for (let at = 0; at < (hour < 3 ? 26 : 1); at++) {
      const asker = fresh()
      await asker.start(email)
      await Promise.all(Array.from({ length: 6 }, () => asker.verify(email, '000000')))
      if (at < 6) await Promise.all([fresh(), fresh()].map((other) => other.verify(email, '000000')))
    }
    const letters = await service.db.selectFrom('mailed_codes').selectAll().execute()
    for (const { digits_hash, tries_left, foreign_tries_left } of letters) {
      if (digits_hash) compared += 10 - tries_left - foreign_tries_left
    }
    service.clock.advance(3600)
    await service.db.deleteFrom('mailed_codes').execute()
  }
  expect(compared).toBe(5 * 44 + 30)
})

describe('a code asked for on one network and typed on another', () => {
  test('opens the account in both forms', async () => {
    for (const codeOf of [codeTo, longCodeTo]) {
      const email = newAddress()
      await fresh().start(email)
      expect(await statusOf(fresh().verify(email, codeOf(service, email)))).toBe(200)
    }
  })

  test('opens it in the long form when strangers have used up the tries, or asked since', async () => {
    const email = newAddress()
    await fresh().start(email)
    const [code, long] = [codeTo(service, email), longCodeTo(service, email)]
    await stranger(1).start(email)
    expect(await statusOf(fresh().verify(email, code))).toBe(401)
    for (let at = 0; at < 9; at++) await fresh().verify(email, '000000')
    const refused = await fresh().verify(email, code)
    expect([refused.status, refused.headers.get('x-ratelimit-limit')]).toEqual([429, '10'])
    const typed = ` ${long.toLowerCase().replaceAll('-', ' — ').replaceAll('0', 'o').replaceAll('1', 'l')}`
    expect(await statusOf(fresh().verify(email, typed))).toBe(200)
    expect(await statusOf(fresh().verify(email, long))).toBe(401)
  })

  test('opens it in the long form where the digits were tried too often', async () => {
    const email = newAddress()
    const owner = fresh()
    for (let at = 0; at < 2; at++) {
      const code = await owner.ask(email)
      for (let wrong = 0; wrong < 5; wrong++) await owner.verify(email, anotherCode(code))
    }
    expect(await statusOf(owner.verify(email, codeTo(service, email)))).toBe(429)
    const wrong = await owner.verify(email, '0000-0000-0000-0000')
    expect([wrong.status, wrong.headers.get('x-ratelimit-limit')]).toEqual([429, '10'])
    expect(await statusOf(owner.verify(email, longCodeTo(service, email)))).toBe(200)
  })
})

describe('the long code', () => {
  test('opens one session together with the digits, however many use either at once', async () => {
    const email = newAddress()
    const owner = fresh()
    await owner.start(email)
    const [code, long] = [codeTo(service, email), longCodeTo(service, email)]
    const uses = Array.from({ length: 20 }, (_, at) =>
      (at % 2 ? owner : fresh()).verify(email, at % 2 ? code : long),
    )
    expect((await Promise.all(uses)).filter(({ status }) => status === 200)).toHaveLength(1)
    for (const used of [code, long]) expect(await statusOf(fresh().verify(email, used))).not.toBe(200)
  })

  test('lasts 600 seconds, exactly, whatever letters come', async () => {
    const [early, late] = [newAddress(), newAddress()]
    const codes: string[] = []
    for (const email of [early, late]) {
      await fresh().start(email)
      codes.push(longCodeTo(service, email))
      await fresh().start(email)
    }
    service.clock.advance(599)
    expect(await statusOf(fresh().verify(early, codes[0] as string))).toBe(200)
    service.clock.advance(1)
    expect(await statusOf(fresh().verify(late, codes[1] as string))).toBe(401)
  })

  test('opens the account of its own address only', async () => {
    const [email, other] = [newAddress(), newAddress()]
    await fresh().start(email)
    expect(await statusOf(fresh().verify(other, longCodeTo(service, email)))).toBe(401)
  })

  test.each([
    '',
    '12345',
    '1234567',
    '12345a',
    '0000-0000-0000',
    '0'.repeat(41),
  ])('%j is no code', async (code) => {
    expect(await statusOf(fresh().verify(newAddress(), code))).toBe(400)
  })
})
