import { CreatedAt } from '@sallyport/contract/shapes'
import Type from 'typebox'
import { describe, expect, test } from 'vitest'
import { answerText } from './output.ts'
import { barOf } from './progress.ts'

const Row = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  is_active: Type.Boolean(),
  created_at: CreatedAt,
  inner: Type.Object({}),
})
const row = { id: 1, title: 'Нидерланды', is_active: true, created_at: 1_767_225_600, inner: { a: 1 } }

describe('lists', () => {
  test('are tables, with what is no cell left to JSON', () => {
    const text = answerText([row, { ...row, id: 22, title: 'x' }], Type.Array(Row), 100)
    const [head, first, second, note] = text.split('\n')
    expect(head).toBe('id  title       is_active  created_at')
    expect(first).toMatch(/^1 {3}Нидерланды {2}yes {8}202\d-\d\d-\d\d \d\d:\d\d$/)
    expect(second).toMatch(/^22 {2}x {11}yes/)
    expect(note).toBe('(1 more field: --json)')
  })

  test('show as many columns as there is room for', () => {
    const [head, , note] = answerText([row], Type.Array(Row), 20).split('\n')
    expect([head, note]).toEqual(['id  title', '(3 more fields: --json)'])
  })

  test('of nothing say so; of pages say how to go on', () => {
    expect(answerText([], Type.Array(Row), 80)).toBe('Nothing.')
    const page = Type.Object({
      items: Type.Array(Row),
      next_cursor: Type.Union([Type.String(), Type.Null()]),
    })
    expect(answerText({ items: [row], next_cursor: 'abc' }, page, 80)).toMatch(/More: --cursor abc$/)
    expect(answerText({ items: [row], next_cursor: null }, page, 80)).not.toContain('More')
  })
})

test('one thing is lines, with tables inside', () => {
  const schema = Type.Object({
    name: Type.String(),
    servers: Type.Array(Type.Object({ id: Type.Integer() })),
  })
  expect(answerText({ name: 'ams', servers: [{ id: 1 }] }, schema, 80)).toBe(
    'name     ams\nservers:\n  id\n  1',
  )
  expect(answerText(true, Type.Boolean(), 80)).toBe('Done.')
  expect(answerText({ limit: null }, Type.Object({}), 80)).toBe('limit  –')
})

test('nobody’s text reaches the terminal as a command to it', () => {
  const text = answerText(
    [{ title: '\u001b[2J\u0007evil\nline' }],
    Type.Array(Type.Object({ title: Type.String() })),
    80,
  )
  expect(text).toBe('title\n[2Jevil line')
})

test.each([
  [{ state: 'running', total: 4, moved: 1 }, /^\[#{8}\.{22}\] 1 of 4, running$/],
  [{ state: 'sending', total: 2, sent: 2 }, /^\[#{30}\] 2 of 2, sending$/],
  [{ state: 'running', total: 0, moved: 0 }, /^\[\.{30}\] 0 of 0, running$/],
])('%j is a bar', (standing, bar) => expect(barOf(standing)).toMatch(bar))
