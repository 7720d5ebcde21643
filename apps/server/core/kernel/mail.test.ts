import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../../../test/support/databases/database.ts'
import { tidy } from '../../compose/tidy.ts'
import { inTransaction } from '../../db/client.ts'
import { type Letter, LetterRefused, type Mailer } from '../../ports/mail.ts'
import type { Job } from './jobs.ts'
import { letGo, postLetter, sendLetters, sendLettersJob } from './mail.ts'
import { sha256, Vault } from './vault.ts'

const database = useTestDatabase()
const vault = new Vault(randomBytes(32))
const letter: Letter = { to: 'ann@example.com', subject: 'Код', text: 'Ваш код: 012345\n' }

let time: number
const clock = { now: () => time }
const advance = (seconds: number) => {
  time += seconds
}
let sent: Letter[]
let logged: object[]
let kicked: Job<never>[]
let stopping: AbortController
/** What sending does beside being noted. */
let onSend: (letter: Letter) => Promise<void> | void

const services = ({ isImmediate = false } = {}) => {
  const mailer: Mailer = {
    isImmediate,
    send: async (one) => {
      await onSend(one)
      sent.push(one)
    },
    close: async () => undefined,
  }
  const note = (fields: object) => void logged.push(fields)
  const log = { info: note, warn: note, error: note }
  const kick = (job: Job<never>) => void kicked.push(job)
  return { db: database().db, vault, mailer, clock, log, kick, stopping: stopping.signal }
}

beforeEach(async () => {
  await database().db.deleteFrom('mails').execute()
  time = 1_800_000_000
  stopping = new AbortController()
  sent = []
  logged = []
  kicked = []
  onSend = () => undefined
})

const post = (change: Partial<Letter> = {}, ttlSeconds = 600) => {
  const now = clock.now()
  return inTransaction(database().db, (tx) =>
    postLetter(tx, vault, { letter: { ...letter, ...change }, now, expiresAt: now + ttlSeconds }),
  )
}

const postAbout = async (subject: string, text: string) => {
  const now = clock.now()
  const fresh = { letter: { ...letter, text }, subject, now, expiresAt: now + 600 }
  await letGo(services(), await inTransaction(database().db, (tx) => postLetter(tx, vault, fresh)))
}

const postAndLetGo = async (change?: Partial<Letter>, ttlSeconds?: number) =>
  letGo(services(), await post(change, ttlSeconds))

const rows = () => database().db.selectFrom('mails').selectAll().execute()

describe('a letter', () => {
  test('is there when the poster goes on, if the mailer is quick', async () => {
    await letGo(services({ isImmediate: true }), await post())
    expect(sent).toEqual([letter])
    expect(await rows()).toEqual([])
    expect(kicked).toEqual([])
  })

  test('is left to the job otherwise', async () => {
    await postAndLetGo()
    expect([sent, kicked]).toEqual([[], [sendLettersJob]])
    await sendLetters(services())
    expect(sent).toEqual([letter])
    expect(await rows()).toEqual([])
  })

  test('is not sent when what it tells about did not happen', async () => {
    const failing = inTransaction(database().db, async (tx) => {
      await postLetter(tx, vault, { letter, now: clock.now(), expiresAt: clock.now() + 600 })
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    advance(300)
    await sendLetters(services())
    expect(sent).toEqual([])
  })

  test('whose poster died is sent by the job after a minute, not before', async () => {
    await post()
    advance(59)
    await sendLetters(services())
    expect(sent).toEqual([])
    advance(1)
    await sendLetters(services())
    expect(sent).toEqual([letter])
  })

  test('is kept sealed', async () => {
    await post()
    const sealed = Buffer.from((await rows())[0]?.letter_sealed ?? [])
    expect(sealed.length).toBeGreaterThan(50)
    for (const part of ['ann@', '012345', 'Код']) expect(sealed.includes(part)).toBe(false)
  })

  test('that would be of no use any more is neither sent nor kept', async () => {
    await postAndLetGo()
    advance(600)
    await sendLetters(services())
    expect(sent).toEqual([])
    await tidy(database().db, clock.now() - 1)
    expect(await rows()).toHaveLength(1)
    await tidy(database().db, clock.now())
    expect(await rows()).toEqual([])
  })
})

describe('a letter about a subject', () => {
  const down = () => Promise.reject(new Error('no mail server'))
  const texts = () => sent.map(({ text }) => text)

  test('takes the place of those about the same that were not sent, and of no others', async () => {
    onSend = down
    await postAbout('code:ann', 'first')
    await postAbout('code:bob', 'of Bob')
    await postAndLetGo({ text: 'about nothing' })
    await sendLetters(services())
    await postAbout('code:ann', 'second')
    await postAbout('code:ann', 'third')
    onSend = () => undefined
    advance(10)
    await sendLetters(services())
    expect(texts().sort()).toEqual(['about nothing', 'of Bob', 'third'])
    expect(await rows()).toEqual([])
  })

  test('outlives an earlier one that was being sent meanwhile', async () => {
    const slow = Promise.withResolvers<void>()
    onSend = () => slow.promise
    await postAbout('code:ann', 'first')
    const sending = sendLetters(services())
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    await postAbout('code:ann', 'second')
    slow.reject(new Error('too slow'))
    await sending
    onSend = () => undefined
    await sendLetters(services())
    expect(texts()).toEqual(['second'])
  })

  test('that did not happen leaves the earlier one', async () => {
    await postAbout('code:ann', 'first')
    const failing = inTransaction(database().db, async (tx) => {
      const fresh = { letter, subject: 'code:ann', now: clock.now(), expiresAt: clock.now() + 600 }
      await postLetter(tx, vault, fresh)
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await sendLetters(services())
    expect(texts()).toEqual(['first'])
  })

  test('does not tell it', async () => {
    await postAbout('code:ann', 'first')
    const hash = Buffer.from((await rows())[0]?.subject_hash ?? [])
    expect(hash).toHaveLength(32)
    expect(hash).not.toEqual(sha256('code:ann'))
  })
})

describe('when sending fails', () => {
  test('it is tried again, ever more rarely, while it is of use', async () => {
    onSend = () => Promise.reject(new Error('no mail server'))
    await letGo(services({ isImmediate: true }), await post())
    const waits = []
    for (;;) {
      const [row] = await rows()
      const wait = (row?.next_try_at ?? 0) - clock.now()
      waits.push(wait)
      advance(wait - 1)
      await sendLetters(services())
      expect((await rows())[0]?.attempts).toBe(row?.attempts)
      advance(1)
      await sendLetters(services())
      if ((await rows())[0]?.attempts === row?.attempts) break
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 300])
    expect(logged).toHaveLength(7)
    expect(JSON.stringify(logged)).not.toMatch(/ann@|012345/)
  })

  test('and works later, it is sent once', async () => {
    onSend = () => Promise.reject(new Error('no mail server'))
    await postAndLetGo()
    await sendLetters(services())
    onSend = () => undefined
    advance(10)
    await sendLetters(services())
    await sendLetters(services())
    expect(sent).toEqual([letter])
  })

  test('for good, it is given up and the address is not logged', async () => {
    onSend = () => Promise.reject(new LetterRefused('nobody lives there'))
    await postAndLetGo()
    await sendLetters(services())
    expect(await rows()).toEqual([])
    expect(logged).toHaveLength(1)
    expect(JSON.stringify(logged)).not.toMatch(/ann@|012345/)
  })

  test('for some, the others go out', async () => {
    onSend = ({ to }) => (to === 'bad@example.com' ? Promise.reject(new Error('busy')) : undefined)
    for (const to of ['bad@example.com', ...Array.from({ length: 11 }, (_, at) => `n${at}@example.com`)])
      await postAndLetGo({ to })
    await sendLetters(services())
    expect(sent).toHaveLength(11)
    expect(await rows()).toHaveLength(1)
  })

  test('for a whole batch, the others wait for the next round', async () => {
    let attempts = 0
    onSend = () => {
      attempts++
      return Promise.reject(new Error('no mail server'))
    }
    for (let at = 0; at < 12; at++) await postAndLetGo()
    await sendLetters(services())
    expect(attempts).toBe(5)
  })

  test('because it cannot be opened, the others are not held up', async () => {
    const foreign = new Vault(randomBytes(32))
    const now = clock.now()
    await postLetter(database().db, foreign, { letter, now: now - 60, expiresAt: now + 600 })
    await postAndLetGo()
    await sendLetters(services())
    expect(sent).toEqual([letter])
  })
})

describe('several senders', () => {
  test('send each letter once', async () => {
    onSend = () => sleep(5)
    for (let at = 0; at < 40; at++) await postAndLetGo({ to: `n${at}@example.com` })
    await Promise.all(Array.from({ length: 6 }, () => sendLetters(services())))
    expect(sent).toHaveLength(40)
    expect(new Set(sent.map(({ to }) => to)).size).toBe(40)
  })

  test('leave a letter to the one who has it, until that one must have died', async () => {
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    onSend = () => first.promise
    await postAndLetGo()
    const slow = sendLetters(services())
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(1)
    onSend = () => second.promise
    advance(59)
    await sendLetters(services())
    expect(await rows()).toMatchObject([{ attempts: 1 }])
    advance(1)
    const next = sendLetters(services())
    await expect.poll(async () => (await rows())[0]?.attempts).toBe(2)
    // What the first one says so late is not about the second one's try.
    first.reject(new Error('too slow'))
    await slow
    expect(await rows()).toMatchObject([{ attempts: 2, next_try_at: time + 60 }])
    second.resolve()
    await next
    expect(sent).toEqual([letter])
    expect(await rows()).toEqual([])
  })

  test('stop between batches when the service does', async () => {
    for (let at = 0; at < 12; at++) await postAndLetGo()
    onSend = () => stopping.abort()
    await sendLetters(services())
    expect(sent).toHaveLength(5)
  })
})
