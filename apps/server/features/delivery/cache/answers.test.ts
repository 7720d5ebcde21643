import { randomBytes } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Answer, AnswerCache } from './answers.ts'

const never = Number.POSITIVE_INFINITY
const answerOf = (body: string, revision = 1, validUntil = never): Answer =>
  new Answer({ body, contentType: 'text/plain', fileExtension: 'txt' }, revision, validUntil)

/** Half of it cannot be compressed. */
const textOf = (characters: number): string =>
  randomBytes(characters >> 2).toString('hex') + 'a'.repeat(characters >> 1)

test('what is kept never exceeds its bound, whatever is asked for in which form, and is counted rightly', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const step = fc.record({
    name: fc.constantFrom(...names),
    isNew: fc.boolean(),
    characters: fc.integer({ min: 0, max: 6000 }),
    encoding: fc.constantFrom('identity' as const, 'gzip' as const, 'br' as const),
  })
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 20_000 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
      const kept = new AnswerCache(most)
      for (const { name, isNew, characters, encoding } of steps) {
        const known = isNew ? undefined : kept.find(name, 1, 0)
        const answer = known ?? answerOf(textOf(characters))
        answer.as(encoding)
        kept.keep(name, answer)
        const held = names.flatMap((each) => kept.find(each, 1, 0) ?? [])
        expect(kept.bytes).toBeLessThanOrEqual(most)
        expect(kept.bytes).toBe(held.reduce((sum, { bytes }) => sum + bytes, 0))
        expect(kept.size).toBe(held.length)
      }
    }),
    { numRuns: 200 },
  )
})

test('what is asked for stays longer than what is not', () => {
  const each = answerOf(textOf(1000)).bytes
  const kept = new AnswerCache(3 * each)
  for (const name of ['wanted', 'forgotten', 'another']) kept.keep(name, answerOf(textOf(1000)))
  kept.find('wanted', 1, 0)
  kept.keep('new', answerOf(textOf(1000)))
  const found = ['wanted', 'forgotten', 'another', 'new'].filter((name) => kept.find(name, 1, 0))
  expect(found).toEqual(['wanted', 'another', 'new'])
})

test('only of its revision, and until it ends', () => {
  const kept = new AnswerCache(1e6)
  kept.keep('name', answerOf('text', 7, 100))
  expect(kept.find('name', 7, 99)).toBeDefined()
  expect(kept.find('name', 8, 99)).toBeUndefined()
  expect(kept.find('name', 7, 100)).toBeUndefined()
})

test('one form takes the place of the text, which is there for who takes no other', () => {
  const text = textOf(8000)
  const answer = answerOf(text)
  const whole = answer.bytes
  const first = answer.as('identity')
  const tag = first.etag
  const gzip = answer.as('gzip')
  expect(gunzipSync(gzip.body).toString()).toBe(text)
  expect(answer.bytes).toBeLessThan(whole)
  expect(answer.as('gzip').body).toBe(gzip.body)
  const plain = answer.as('identity')
  expect([plain.body.toString(), plain.encoding, plain.etag]).toEqual([text, null, tag])
  expect(plain.body).not.toBe(first.body)
  expect(brotliDecompressSync(answer.as('br').body).toString()).toBe(text)
  expect(new Set([tag, gzip.etag, answer.as('br').etag]).size).toBe(3)
})

test('nothing holds more memory than its bytes', () => {
  const answer = answerOf(textOf(8000))
  for (const encoding of ['identity', 'gzip', 'br'] as const) {
    const { body } = encoding === 'identity' ? answerOf('short').as(encoding) : answer.as(encoding)
    expect(body.buffer.byteLength).toBe(body.length)
  }
})

test('whoever asks while it is made waits for the same; another revision is made by itself, a failure is not kept', async () => {
  const kept = new AnswerCache(1e6)
  let made = 0
  const render = (revision: number) => async () => {
    made++
    await new Promise((resolve) => setTimeout(resolve, 1))
    return answerOf('text', revision)
  }
  const [one, same, other] = await Promise.all([
    kept.make('name', 1, render(1)),
    kept.make('name', 1, render(1)),
    kept.make('name', 2, render(2)),
  ])
  expect([made, one === same, other?.revision]).toEqual([2, true, 2])
  await expect(kept.make('name', 3, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect((await kept.make('name', 3, render(3)))?.revision).toBe(3)
})
