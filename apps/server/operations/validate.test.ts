import { emailPattern } from '@sallyport/contract/customer/auth-shapes'
import { ApiError } from '@sallyport/contract/errors'
import { Closed, Nullable, Text } from '@sallyport/contract/shapes'
import Type, { type TSchema } from 'typebox'
import { expect, test } from 'vitest'
import { validate } from './validate.ts'

const detailsOf = (schema: TSchema, value: unknown) => {
  try {
    validate(Closed({ field: schema }), { field: value })
  } catch (error) {
    return (error as ApiError).details
  }
  return []
}

const title = Nullable(Text(1, 64))
const hours = Nullable(Type.Integer({ minimum: 1, maximum: 5 }))

const rows: [string, TSchema, unknown, string[]][] = [
  ['a long title', title, 'x'.repeat(65), ['must be 1 to 64 characters, or null']],
  ['an empty title', title, '', ['must be 1 to 64 characters, or null']],
  ['a number for a title', title, 5, ['must be a string or null']],
  ['an object for a title', title, {}, ['must be a string or null']],
  ['null for a title', title, null, []],
  ['64 letters', title, 'x'.repeat(64), []],
  ['no bound below', Nullable(Text(0, 8)), 'x'.repeat(9), ['must be at most 8 characters, or null']],
  ['no null', Text(1, 64), '', ['must be 1 to 64 characters']],
  ['null where there is none', Text(1, 64), null, ['must be a string']],
  ['no bound above', Type.String({ minLength: 2 }), 'x', ['must be at least 2 characters']],
  ['a large number', hours, 9, ['must be <= 5, or null']],
  ['text for a number', hours, '9', ['must be a whole number or null']],
  [
    'an address',
    Nullable(Type.String({ pattern: emailPattern })),
    'nobody',
    ['must be an e-mail address, like name@example.com, or null'],
  ],
  ['a value of a list', Nullable(Type.Enum(['a', 'b'])), 'c', ['must be one of a, b, or null']],
]

test.each(rows)('%s', (_what, schema, value, problems) => {
  expect(detailsOf(schema, value)).toEqual(problems.map((problem) => ({ path: 'field', problem })))
})

test('what is wrong inside an object that may be null is told as usual', () => {
  const schema = Nullable(Closed({ name: Text(1, 3) }))
  expect(detailsOf(schema, { name: '', other: 1 })).toEqual(
    expect.arrayContaining([
      { path: 'field.name', problem: 'must be 1 to 3 characters' },
      { path: 'field.other', problem: 'is not a field of this operation' },
    ]),
  )
})

test('everything that is wrong is one refusal', () => {
  const two = Closed({ a: Nullable(Text(1, 2)), b: Nullable(Text(1, 2)) })
  expect(() => validate(two, { a: '', b: 5 })).toThrow(ApiError)
})

test('fields too many are all named, and so is what is missing', () => {
  const strange = Array.from({ length: 20 }, (_, at) => `strange_${at}`)
  const value = Object.fromEntries(strange.map((name) => [name, name.length]))
  const details = (() => {
    try {
      validate(Closed({ field: Text(1, 64) }), value)
      return []
    } catch (error) {
      return (error as ApiError).details
    }
  })()
  const unknown = strange.map((path) => ({ path, problem: 'is not a field of this operation' }))
  expect(details).toHaveLength(21)
  expect(details).toEqual(expect.arrayContaining([...unknown, { path: 'field', problem: 'is required' }]))
})
