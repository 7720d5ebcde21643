import { describe, expect, test } from 'vitest'
import { type Json, type JsonProblem, maxBytes, maxValues, readStrictJson } from '../../text/strict-json.ts'
import { edited } from '../testing/hostile-xray-configs.ts'
import { readXrayConfig } from '../xray-policy.ts'
import { arrayOf, maxProblems, object, repeatedIndex } from './checkers.ts'

/** The texts that took longest of all that were measured: 10 ms at most, where an ordinary one takes 0.5. */

const filled = (unit: string, bytes = maxBytes - 100): string => unit.repeat(Math.floor(bytes / unit.length))
const many = (unit: string): string => `[${filled(`${unit},`)}${unit}]`
const listOf = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index))
const names = (count: number, make: (index: number) => string): string =>
  `{${listOf(count, (index) => `${JSON.stringify(make(index))}:0`)}}`
const pem = (title: string) => [
  `-----BEGIN ${title}-----`,
  ...listOf(390, () => 'A'.repeat(76)),
  `-----END ${title}-----`,
]

const texts: readonly (readonly [name: string, text: string])[] = [
  ['empty objects', many('{}')],
  ['numbers', many('1')],
  ['empty texts', many('""')],
  ['small nests', many('[[[[]]]]')],
  [
    'rules without end',
    edited(
      'routing.rules',
      listOf(20_000, () => ({})),
    ),
  ],
  ['escapes', `["${filled('\\u0061')}"]`],
  ['quotes that end nothing', `["${filled('\\"')}`],
  ['line breaks before a fault', `${filled('\n')}x`],
  ['brackets', filled('[')],
  ['long names', names(16, (index) => `${index}`.padEnd(4000, 'K'))],
  ['names that fold to others', names(250, (index) => `${index}`.padEnd(120, 'ſ'))],
  ['long names like known ones', names(250, (index) => `inbound${index}`.padEnd(200, 'S'))],
  ['wrong domains', edited('routing.rules', [{ domain: listOf(4000, () => '!'), outboundTag: 'direct' }])],
  [
    'unknown keys in every rule',
    edited(
      'routing.rules',
      listOf(64, () => ({ x: 1, outboundTag: 1 })),
    ),
  ],
  ['ports', edited('routing.rules', [{ port: filled('1-2,', 60_000), outboundTag: 'direct' }])],
  [
    'lines of PEM',
    edited('inbounds[0].streamSettings', {
      security: 'tls',
      tlsSettings: { certificates: [{ certificate: pem('CERTIFICATE'), key: pem('PRIVATE KEY') }] },
    }),
  ],
  ['digits', `[0.${filled('9')}]`],
]

describe('what is read of the worst 64 KiB', () => {
  test.each(texts)('%s', (_, text) => {
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxBytes)
    const read = readXrayConfig(text, { listen: '::', port: 1 })
    const problems = 'problems' in read ? read.problems : []
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.length).toBeLessThanOrEqual(maxProblems)
    for (const { path, problem } of problems) expect(`${path} ${problem}`.length).toBeLessThan(1500)
  })
})

test('20 000 values are read and not one more', () => {
  const array = (length: number): string => JSON.stringify(listOf(length, () => 0))
  expect(readStrictJson(array(maxValues - 1))).toHaveProperty('value')
  expect(readStrictJson(array(maxValues))).toEqual({
    problem: { path: '', problem: expect.stringContaining('at most 20000 values') },
  })
  const nested = `{"a":${array(10_000)},"b":${array(10_000)}}`
  expect(readStrictJson(nested)).toHaveProperty('problem')
})

describe('nothing is looked at after as many problems as are told', () => {
  const counting = () => {
    const seen = { count: 0 }
    const checker = (_: Json, path: string, problems: JsonProblem[]): undefined => {
      seen.count += 1
      problems.push({ path, problem: 'wrong' })
    }
    return { seen, checker }
  }
  const items = listOf(4000, () => 0)

  test('in arrays', () => {
    const { seen, checker } = counting()
    const problems: JsonProblem[] = []
    arrayOf(checker, 0, 4096)(items, 'a', problems)
    expect([seen.count, problems.length]).toEqual([maxProblems, maxProblems])
  })

  test('in objects, and in what comes after them', () => {
    const { seen, checker } = counting()
    const table = Object.fromEntries(items.map((_, index) => [`k${index}`, checker]))
    const value = Object.fromEntries(items.map((item, index) => [`k${index}`, item]))
    const problems: JsonProblem[] = []
    arrayOf(object(table, {}), 0, 10)([value, value, {}], '', problems)
    expect([seen.count, problems.length]).toEqual([maxProblems, maxProblems])
  })
})

test('what stands twice is found in one walk', () => {
  let asked = 0
  const keyOf = (item: number): string => {
    asked += 1
    return String(item)
  }
  const items = listOf(4000, (index) => index)
  expect(repeatedIndex(items, keyOf)).toBe(-1)
  expect(asked).toBe(4000)
  expect(repeatedIndex([3, 1, 2, 1, 3], keyOf)).toBe(3)
})
