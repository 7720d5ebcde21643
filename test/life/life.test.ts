import { readdirSync } from 'node:fs'
import { allOperations } from '@sallyport/contract/tables'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { chapters, neverCalled } from './script.ts'
import { startWorld, type World } from './world.ts'

/**
 * A customer's life over HTTP, compared with what it was recorded as. `npm test -- test/life -u` records it anew: for a
 * change of what the service answers, never for one of how it works inside.
 */

/** Numbers that are drawn are drawn once: two ports of this life are never the same by chance. */
vi.mock('node:crypto', async (importOriginal) => {
  let drawn = 0
  const randomInt = (first: number, last?: number): number => {
    const [from, to] = last === undefined ? [0, first] : [first, last]
    return from + (drawn++ % (to - from))
  }
  return { ...(await importOriginal<typeof import('node:crypto')>()), randomInt }
})

let world: World | undefined
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

/** Each chapter goes on where the one before ended: after one that did not there is nothing to compare. */
let unfinished: string | undefined

test.each(chapters)('$name', async ({ name, play }) => {
  if (!world || unfinished) throw new Error(`${unfinished} did not end`)
  unfinished = name
  await play(world)
  unfinished = undefined
  await expect(world.life.take()).toMatchFileSnapshot(`golden/${name}.json`)
})

test('no operation for customers or operators is left out', () => {
  const all = [...allOperations()].filter(({ table }) => table.audience !== 'agent').map(({ name }) => name)
  const called = all.filter((name) => world?.life.called.has(name))
  expect([...called, ...Object.keys(neverCalled)].sort()).toEqual(all.sort())
})

test('no record is left of a chapter that is gone', () => {
  const known = new Set(chapters.map(({ name }) => `${name}.json`))
  const kept = readdirSync(new URL('golden', import.meta.url))
  expect(kept.filter((file) => !known.has(file))).toEqual([])
})
