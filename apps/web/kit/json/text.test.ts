import { describe, expect, test } from 'vitest'
import { lineStart, placeAt, placeOfProblem, readJson } from './text.ts'

const text = `{
  "inbounds": [
    { "port": 443, "settings": {} },
    { "port": 80 }
  ],
  "a b": [1, {"x": null}]
}`

const faultOf = (broken: string) => {
  const { fault } = readJson(broken)
  return fault && { reason: fault.reason, ...placeAt(broken, fault.at) }
}

describe('a text that is JSON', () => {
  test('has a place for every value', () => {
    const { starts, fault } = readJson(text)
    expect(fault).toBeUndefined()
    expect(placeAt(text, starts.get('inbounds[1].port') as number)).toEqual({ line: 4, column: 7 })
    expect(placeAt(text, starts.get('["a b"][1].x') as number)).toEqual({ line: 6, column: 15 })
  })
  test.each(['0', '"é\\u00e9"', '[]', ' {} ', '[-1.5e+3, true, null]'])('%s', (one) => {
    expect(readJson(one).fault).toBeUndefined()
    JSON.parse(one)
  })
})

describe('a text that is not', () => {
  test.each([
    ['', 'value', 1, 1],
    ['{\n  "a": 1,\n}', 'name', 3, 1],
    ['{\n  "a" 1}', 'colon', 2, 7],
    ['{"a": 1\n "b": 2}', 'comma', 2, 2],
    ['[1, 2', 'comma', 1, 6],
    ['["a\nb"]', 'text', 1, 2],
    ['{"a": 1, "a": 2}', 'twice', 1, 10],
    ['{\n// no\n}', 'comment', 2, 1],
    ['{} x', 'tail', 1, 4],
    ['[01]', 'value', 1, 2],
    ['[tru]', 'value', 1, 2],
  ] as const)('%j', (broken, reason, line, column) => {
    expect(faultOf(broken)).toEqual({ reason, line, column })
  })
})

describe('what the service says', () => {
  const said = (path: string, problem = 'is not allowed') =>
    placeOfProblem(text, readJson(text), { path, problem })
  test('stands at its line', () => {
    expect(said('inbounds[1].port')).toEqual({ line: 4, column: 7 })
  })
  test('stands at what it is missing in', () => {
    expect(said('inbounds[0].settings.clients[0].id')?.line).toBe(3)
    expect(said('inbounds[7]')?.line).toBe(2)
  })
  test('may name the line itself', () => {
    expect(said('', 'expected a value (line 5, column 9)')).toEqual({ line: 5, column: 9 })
  })
  test('may begin with the place', () => {
    expect(said('', 'inbounds[1].port: must be less')).toEqual({ line: 4, column: 7 })
    expect(said('', '["a b"][1].x: must be a text')?.line).toBe(6)
    expect(said('', 'inbounds[1].tag: is missing')?.line).toBe(4)
  })
  test('may mean the whole', () => {
    expect(said('', 'Xray refuses it: unknown')).toBeUndefined()
    expect(said('', 'nowhere: must be a text')).toBeUndefined()
    expect(said('')).toBeUndefined()
    expect(said('outbounds')).toBeUndefined()
    expect(said('[["odd')).toBeUndefined()
  })
})

test('lines begin where they do', () => {
  expect(lineStart(text, 1)).toBe(0)
  expect(text.slice(lineStart(text, 4)).startsWith('    { "port": 80')).toBe(true)
  expect(lineStart('a', 9)).toBe(1)
})
