import { readdirSync, readFileSync } from 'node:fs'
import { allOperations } from '@sallyport/contract/tables'
import { sql } from 'kysely'
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

/** Kept as bytes, or under a name that says it is a secret: hashes, seals, keys of signatures. */
const keptSecrets = async ({ life }: World): Promise<Map<string, string[]>> => {
  const { db } = life.service
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t
      on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
    where c.table_schema = 'public' and (c.data_type = 'bytea' or c.column_name ~ 'hash|sealed|secret')`.execute(
    db,
  )
  const kept = new Map<string, string[]>()
  for (const { table, column } of columns) {
    const { rows } = await sql<{ value: unknown }>`
      select distinct ${sql.ref(column)} as value from ${sql.table(table)}
      where ${sql.ref(column)} is not null limit 500`.execute(db)
    const values = rows.map(({ value }) =>
      value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)),
    )
    const long = values.filter((value) => value.length >= 12)
    kept.set(
      `${table}.${column}`,
      long.flatMap((value) => [
        value.toString('hex'),
        value.toString('base64').replace(/=+$/, ''),
        value.toString('base64url'),
      ]),
    )
  }
  return kept
}

test('check 4: no answer holds what is kept as a hash or under a seal, and none but one of operators a whole card', async () => {
  if (!world) throw new Error('the service did not start')
  const { heard } = world.life
  expect(heard.length).toBeGreaterThan(500)
  const kept = await keptSecrets(world)
  expect([...kept.values()].flat().length).toBeGreaterThan(300)
  const all = heard.map(({ text }) => text).join('\n')
  const told = [...kept]
    .filter(([, forms]) => forms.some((form) => all.includes(form)))
    .map(([column]) => column)
  expect(told).toEqual([])
  const withCard = heard.filter(({ text }) => /2200 ?1500 ?0000 ?1237/.test(text)).map(({ name }) => name)
  expect([...new Set(withCard)].filter((name) => name !== 'revealWithdrawalAccount')).toEqual([])
  expect(withCard.length, 'the one that shows it is among them').toBeGreaterThan(0)
})

test('check 4: no answer to a customer holds the credentials of another', async () => {
  if (!world) throw new Error('the service did not start')
  const { service, heard } = world.life
  const { rows } = await sql<{
    email: string
  }>`select email from users where email is not null and deleted_at is null`.execute(service.db)
  const people = [world.anna, world.boris]
  for (const person of people) {
    const others = rows.map(({ email }) => email)
    const own = heard
      .filter((one) => one.who === person.name)
      .map(({ text }) => text)
      .join('\n')
    expect(own.length).toBeGreaterThan(1000)
    const { rows: mine } = await sql<{
      email: string
    }>`select email from users where id = ${person.id}`.execute(service.db)
    const foreign = others.filter((email) => email !== mine[0]?.email && own.includes(email))
    expect(foreign, `${person.name} is told`).toEqual([])
    for (const other of people.filter((one) => one !== person)) {
      for (const secret of [other.apiKey, other.subscriptionKey, other.refreshToken].filter(
        (one) => one.length > 8,
      ))
        expect(own.includes(secret)).toBe(false)
    }
  }
})

test('no record is left of a chapter that is gone', () => {
  const known = new Set([endsFile, ...chapters.map(({ name }) => `${name}.json`)])
  const kept = readdirSync(new URL('golden', import.meta.url))
  expect(kept.filter((file) => !known.has(file))).toEqual([])
})
