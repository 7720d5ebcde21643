import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { allOperations } from './tables.ts'
import { Line, linePattern, Prose, prosePattern } from './visible-text.ts'

const line = Compile(Line(1, 64))
const prose = Compile(Prose(1, 64))

describe('what people may write', () => {
  test.each([
    'Дом',
    'My phone 📱',
    'семья 👨‍👩‍👧‍👦',
    '❤️',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿 London',
    'می‌خواهم',
    'שלום',
    'a',
    ' padded ',
    '<b>&"\'',
    'x'.repeat(64),
    '😀'.repeat(64),
  ])('%j', (text) => {
    expect(line.Check(text)).toBe(true)
    expect(prose.Check(text)).toBe(true)
  })

  test('several lines, where there is room for them', () => {
    expect(prose.Check('Dear customer,\n\tthe server moves.')).toBe(true)
    expect(line.Check('one\ntwo')).toBe(false)
  })
})

describe('what is refused', () => {
  const codes = [0x00, 0x07, 0x0d, 0x1b, 0x7f, 0x85, 0x9f, 0xad, 0x61c, 0x180e, 0x200b, 0x200e, 0x200f]
  const more = [0x202a, 0x202e, 0x2060, 0x2066, 0x2069, 0x206f, 0xfeff, 0xfff9, 0xfffc, 0xffff]
  const above = [0x1bca0, 0x1d173, 0xe0001, 0xe0041, 0xe007f, 0xe0100, 0xe0fff]
  test.each([...codes, ...more, ...above])('character %i among others', (code) => {
    const text = `a${String.fromCodePoint(code)}b`
    expect(line.Check(text)).toBe(false)
    expect(prose.Check(text)).toBe(false)
  })

  test.each(['\t', '\n', '\u2028'])('%j in a line', (text) => expect(line.Check(`a${text}b`)).toBe(false))

  test.each([
    '',
    ' ',
    '   ',
    '\u00a0',
    '\u3000',
    '\u2800',
    '\u3164',
    '\u200d',
    '\ufe0f',
    '\u0301',
    ' \u200c ',
  ])('nothing to see: %j', (text) => {
    expect(line.Check(text)).toBe(false)
    expect(prose.Check(text)).toBe(false)
  })

  test('too long, counted in characters', () => {
    expect(line.Check('x'.repeat(65))).toBe(false)
    expect(line.Check('😀'.repeat(65))).toBe(false)
  })
})

describe('wherever people name or tell something', () => {
  interface Field {
    readonly type?: string
    readonly pattern?: string
    readonly anyOf?: readonly Field[]
  }
  const written = /^(title|name|comment|reason|content)$/
  const fields = [...allOperations()].flatMap(({ name, row, table }) => {
    const { properties = {} } = (row.request.body ?? {}) as { properties?: Record<string, Field> }
    if (table.audience === 'agent') return []
    return Object.entries(properties)
      .filter(([field]) => written.test(field))
      .map(
        ([field, schema]) =>
          [name, field, schema.anyOf?.find(({ type }) => type === 'string') ?? schema] as const,
      )
  })

  test('there are such fields', () => expect(fields.length).toBeGreaterThan(5))

  test.each(fields)('%s: %s is text that can be seen', (_name, _field, { pattern }) => {
    expect([linePattern, prosePattern]).toContain(pattern)
  })
})
