import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pathsOf } from './check-documents.ts'

/** The table of docs/reliability.md and the titles of tests say the same: every check is somewhere, and runs. */

const root = fileURLToPath(new URL('..', import.meta.url))
const count = 44

interface Row {
  readonly number: number
  readonly files: readonly string[]
  readonly when: string
}

const rows: Row[] = [
  ...readFileSync(join(root, 'docs/reliability.md'), 'utf8').matchAll(/^\| (\d+) \|(.*)\|$/gm),
].map(([, number, rest = '']) => {
  const [, where = '', when = ''] = rest.split('|')
  return {
    number: Number(number),
    files: [...where.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
    when: when.trim(),
  }
})

/** In whichever of the three kinds of quotes, at the beginning of a title. */
const titledIn = (file: string): Set<number> =>
  new Set(
    [...readFileSync(join(root, file), 'utf8').matchAll(/['"`]check (\d+): \S/g)].map(([, number]) =>
      Number(number),
    ),
  )

const tests = pathsOf(root).filter((path) => path.endsWith('.test.ts') && !path.startsWith('scripts/'))
const titled = new Map(tests.map((file) => [file, titledIn(file)]))

test('every check has its row, once and in order', () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
})

test.each(rows)('check $number is where the table says, and nowhere else', ({ number, files, when }) => {
  const found = [...titled].filter(([, numbers]) => numbers.has(number)).map(([file]) => file)
  expect(files.toSorted()).toEqual(found.toSorted())
  expect(found.length).toBeGreaterThan(0)
  expect(when).toMatch(/npm test|long|script/)
})

test('no title names a check that is not there', () => {
  const numbers = [...titled.values()].flatMap((some) => [...some])
  expect(numbers.filter((number) => number < 1 || number > count)).toEqual([])
})
