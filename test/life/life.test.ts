import { readdirSync, readFileSync } from 'node:fs'
import { allOperations } from '@sallyport/contract/tables'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { renumbered } from './renumbered.ts'
import { type Chapter, chapters, neverCalled } from './script.ts'
import { beginning, momentOf } from './texts.ts'
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

/** Chapters that broke off. Each goes on where the one before ended, so those that come later may miss what these would have made. */
const brokenOff: string[] = []

const golden = (file: string): string => readFileSync(new URL(`golden/${file}`, import.meta.url), 'utf8')

/** When each chapter ends, so that those after one that broke off begin when they should. */
const ends: Record<string, string | undefined> = {}
const endsFile = 'ends.json'

const recordOf = async (world: World, { name, play }: Chapter): Promise<string> => {
  const { clock } = world.life.service
  const before = brokenOff.join(', ')
  try {
    await play(world)
    return world.life.take()
  } catch (error) {
    brokenOff.push(name)
    world.life.take()
    const end = beginning + Number(JSON.parse(golden(endsFile))[name]?.slice(1))
    if (end > clock.now()) clock.advance(end - clock.now())
    if (before === '') throw error
    throw new Error(`${name} broke off, perhaps because ${before} did before it`, { cause: error })
  } finally {
    ends[name] = momentOf(clock.now())
  }
}

test.each(chapters)('$name', async (chapter) => {
  if (!world) throw new Error('the service did not start')
  const file = `${chapter.name}.json`
  const record = await recordOf(world, chapter)
  if (brokenOff.length === 0) return expect(record).toMatchFileSnapshot(`golden/${file}`)
  // Never recorded anew from here on, and names are counted from its own beginning.
  const because = `perhaps because ${brokenOff.join(', ')} broke off before it`
  expect(renumbered(record), because).toBe(renumbered(golden(file)))
})

test('each chapter ends when it did', async () => {
  if (brokenOff.length > 0) throw new Error(`${brokenOff.join(', ')} broke off`)
  await expect(`${JSON.stringify(ends, null, 2)}\n`).toMatchFileSnapshot(`golden/${endsFile}`)
})

test('no operation for customers or operators is left out', () => {
  const all = [...allOperations()].filter(({ table }) => table.audience !== 'agent').map(({ name }) => name)
  const called = all.filter((name) => world?.life.called.has(name))
  expect([...called, ...Object.keys(neverCalled)].sort()).toEqual(all.sort())
})

test('no record is left of a chapter that is gone', () => {
  const known = new Set([endsFile, ...chapters.map(({ name }) => `${name}.json`)])
  const kept = readdirSync(new URL('golden', import.meta.url))
  expect(kept.filter((file) => !known.has(file))).toEqual([])
})
