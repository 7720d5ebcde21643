import { expect, test } from 'vitest'
import { FewAtOnce } from './few-at-once.ts'

const work = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { run: () => promise, resolve, reject }
}

test('so many go on together, the others in the order they came, also after one that failed', async () => {
  const few = new FewAtOnce(2)
  const begun: number[] = []
  const works = Array.from({ length: 5 }, work)
  const taken = works.map(({ run }, at) =>
    few.take(() => {
      begun.push(at)
      return run()
    }),
  )
  expect(begun).toEqual([0, 1])
  works[1]?.reject(new Error('broken'))
  await expect(taken[1]).rejects.toThrow('broken')
  expect(begun).toEqual([0, 1, 2])
  for (const { resolve } of works) resolve('done')
  expect(await Promise.all([taken[0], taken[2], taken[3], taken[4]])).toHaveLength(4)
  expect(begun).toEqual([0, 1, 2, 3, 4])
})

test('who has waited too long is told to come again, and takes no place', async () => {
  const few = new FewAtOnce(1, 20)
  const first = work()
  const taken = few.take(first.run)
  await expect(few.take(async () => 'late')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  first.resolve('first')
  expect(await taken).toBe('first')
  expect(await few.take(async () => 'next')).toBe('next')
  const again = work()
  const held = few.take(again.run)
  const waits = few.take(async () => 'waited')
  again.resolve('again')
  expect(await Promise.all([held, waits])).toEqual(['again', 'waited'])
})

test('who waits aside and is sent away when the turn has come leaves the place to the next', async () => {
  const few = new FewAtOnce(1)
  const first = work()
  const taken = few.take(first.run)
  const sentAway = few.take(
    async () => 'not begun',
    async (wait) => {
      await wait()
      throw new Error('no room')
    },
  )
  const next = few.take(async () => 'next')
  first.resolve('first')
  await expect(sentAway).rejects.toThrow('no room')
  expect(await Promise.all([taken, next])).toEqual(['first', 'next'])
})
