import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { expect, expectTypeOf, test } from 'vitest'
import { aboutOf, Closed, field, Nullable, resource, resourceName } from './shapes.ts'

const words = { en: 'In roubles', ru: 'В рублях' }
const plain = Type.Integer({ minimum: 1, maximum: 9 })
const told = field(plain, { ...words, example: 3 })

test('what is told of a field changes nothing for whoever validates or serialises', () => {
  expect(JSON.stringify(told)).toBe(JSON.stringify(plain))
  expect(Object.keys(told)).toEqual(Object.keys(plain))
  const [bare, noted] = [Closed({ a: plain }), Closed({ a: told })].map((schema) => Compile(schema))
  for (const value of [{ a: 3 }, { a: 30 }, { a: 'x' }, {}, { b: 1 }]) {
    expect(noted?.Check(value)).toBe(bare?.Check(value))
    expect(noted?.Errors(value)).toEqual(bare?.Errors(value))
  }
  expect(noted?.Code()).toBe(bare?.Code())
})

test('it stays when the field becomes optional, nullable or part of another shape', () => {
  expect(aboutOf(Type.Optional(told))).toEqual({ ...words, example: 3 })
  expect(aboutOf(Nullable(told).anyOf[0])).toEqual({ ...words, example: 3 })
  expect(aboutOf(Closed({ ...Closed({ a: told }).properties }).properties.a)).toEqual({
    ...words,
    example: 3,
  })
  const optional = Closed({ a: field(Type.Optional(plain), words) })
  expect(Compile(optional).Check({})).toBe(true)
})

test('one who says more says it over what was said', () => {
  expect(aboutOf(field(told, { example: 4 }))).toEqual({ ...words, example: 4 })
  expect(aboutOf(told)).toEqual({ ...words, example: 3 })
})

test('both languages or neither, and an example of the field’s own type', () => {
  expectTypeOf(told).toEqualTypeOf(plain)
  const neverRun = () => {
    // @ts-expect-error said in one language
    field(plain, { en: 'In roubles' })
    // @ts-expect-error no number
    field(plain, { example: 'three' })
  }
  expect(neverRun).toBeTypeOf('function')
})

test('a resource keeps its name, what is made of its fields does not', () => {
  const Thing = resource('Thing', { a: plain })
  expect(resourceName(Thing)).toBe('Thing')
  expect(resourceName(Type.Optional(Thing))).toBe('Thing')
  expect(resourceName(Closed({ ...Thing.properties }))).toBeUndefined()
})
