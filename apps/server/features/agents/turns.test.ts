import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

const work = () => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { run: () => promise, resolve, reject }
}

test('things of one node come one after another, those of another beside them', async () => {
  const turns = new Turns()
  const begun: string[] = []
  const first = work()
  const take = (nodeId: number, name: string, run: () => Promise<string>) =>
    turns.take(nodeId, () => {
      begun.push(name)
      return run()
    })
  const taken = [
    take(1, 'first', first.run),
    take(1, 'second', async () => 'second'),
    take(2, 'other', async () => 'other'),
  ]
  expect(await taken[2]).toBe('other')
  expect(begun).toEqual(['first', 'other'])
  first.reject(new Error('broken'))
  await expect(taken[0]).rejects.toThrow('broken')
  expect(await taken[1]).toBe('second')
  expect(await take(1, 'third', async () => 'third')).toBe('third')
})

test('only so many wait', async () => {
  const turns = new Turns()
  const first = work()
  const waiting = [
    turns.take(1, first.run),
    ...Array.from({ length: 8 }, () => turns.take(1, async () => 'x')),
  ]
  await expect(turns.take(1, async () => 'x')).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
    retryAfterSeconds: 1,
  })
  first.resolve('first')
  expect(await Promise.all(waiting)).toEqual(['first', ...Array(8).fill('x')])
  expect(await turns.take(1, async () => 'again')).toBe('again')
})
