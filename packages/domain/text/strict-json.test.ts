import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maxBytes, memberPath, readStrictJson } from './strict-json.ts'

const problemOf = (text: string) => {
  const read = readStrictJson(text)
  return 'problem' in read ? read.problem : null
}

describe('what it reads', () => {
  const key = fc.string({ unit: 'grapheme-ascii', minLength: 1 })
  const distinct = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return true
    const keys = Array.isArray(value) ? [] : Object.keys(value).map((name) => name.toLowerCase())
    return new Set(keys).size === keys.length && Object.values(value).every(distinct)
  }

  test('is what JSON.parse reads', () => {
    const json = fc.jsonValue({ maxDepth: 8, noUnicodeString: false, stringUnit: 'grapheme' })
    const values = fc.oneof(json, fc.dictionary(key, json)).filter(distinct)
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space)
        const read = readStrictJson(text)
        if ('value' in read) expect(read.value).toEqual(JSON.parse(text))
        else expect(read.problem.problem).toMatch(/NUL|not accepted|too large/)
      }),
    )
  })

  test.each([
    '1',
    '-0.5e-3',
    '"a\\u0041\\n\\/"',
    ' [ ] ',
    '{ }',
    '[1,\r\n\t[true,false,null]]',
    '"😀\\ud83d\\ude00"',
  ])('%s', (text) => {
    expect(readStrictJson(text)).toEqual({ value: JSON.parse(text) })
  })

  test('never more than JSON.parse reads', () => {
    const pieces = fc.constantFrom(...'{}[],:"\\/*# \n019.-eE+tfnulrsa\u0001')
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (characters) => {
        const text = characters.join('')
        const read = readStrictJson(text)
        if ('value' in read) expect(read.value).toEqual(JSON.parse(text))
      }),
      { numRuns: 5000 },
    )
  })
})

describe('what it refuses', () => {
  const refusals: [text: string, path: string, reason: string][] = [
    ['{"a":1,"a":2}', 'a', 'stands twice'],
    ['{"a":1,"A":2}', 'A', 'stands twice'],
    ['{"a":1,"\\u0061":2}', 'a', 'stands twice'],
    ['{"a":1,"\\u0041":2}', 'A', 'stands twice'],
    ['{"s":1,"\\u017f":2}', '["\u017f"]', 'stands twice'],
    ['{"K":1,"\\u212a":2}', '["\u212a"]', 'stands twice'],
    ['{"x":[0,{"a":1,"b":{},"a":2}]}', 'x[1].a', 'stands twice'],
    ['{"x":{"__proto__":1}}', 'x.__proto__', 'not accepted'],
    ['{"\\u005f_proto__":1}', '__proto__', 'not accepted'],
    ['{"constructor":1}', 'constructor', 'not accepted'],
    ['{"prototype":1}', 'prototype', 'not accepted'],
    ['// a\n1', '', 'comments'],
    ['{"a":/* */1}', 'a', 'comments'],
    ['{"a":1 # x\n}', '', 'comments'],
    ['{"a":1}// x', '', 'comments'],
    ['{"a":1,}', '', 'expected a name'],
    ['{"a":[1,]}', 'a[1]', 'expected a value'],
    ['{"a":[1 2]}', 'a', 'expected "," or "]"'],
    ['{"a" 1}', 'a', 'expected ":"'],
    ['{"a":1', '', 'expected "," or "}"'],
    ['{a:1}', '', 'expected a name'],
    ["{'a':1}", '', 'expected a name'],
    ['"a', '', 'does not end'],
    ['"\\x41"', '', 'escape'],
    ['"a\nb"', '', 'control character'],
    ['"\\u0000"', '', 'NUL'],
    ['{"a":"\\ud800"}', 'a', 'surrogate'],
    ['"\ud800"', '', 'well-formed'],
    ['\uFEFF{}', '', 'byte order mark'],
    ['\u00a01', '', 'expected a value'],
    ['{"a":1e309}', 'a', 'too large'],
    ['{"a":9007199254740993}', 'a', 'too large'],
    ['01', '', 'follows'],
    ['+1', '', 'expected a value'],
    ['.5', '', 'expected a value'],
    ['1.', '', 'follows'],
    ['0x10', '', 'follows'],
    ['Infinity', '', 'expected a value'],
    ['', '', 'expected a value'],
    ['{}{}', '', 'follows'],
    [`${'['.repeat(17)}${']'.repeat(17)}`, '[0]'.repeat(16), '16 levels'],
    [`"${'a'.repeat(maxBytes)}"`, '', 'bytes'],
    [`"${'ж'.repeat(maxBytes / 2)}"`, '', 'bytes'],
    [`{${Array.from({ length: 257 }, (_, index) => `"n${index}":0`)}}`, '', '256 names'],
  ]
  test.each(refusals.map((row) => [row[0].slice(0, 30), ...row] as const))('%j', (_, text, path, reason) => {
    expect(problemOf(text)).toEqual({ path, problem: expect.stringContaining(reason) })
  })

  test('16 levels are not too deep', () => {
    expect(problemOf(`${'['.repeat(16)}${']'.repeat(16)}`)).toBeNull()
  })

  test.each([
    [{ bytes: 2 * maxBytes, values: 3 }, null],
    [{ bytes: maxBytes, values: 3 }, `must be at most ${maxBytes} bytes`],
    [{ bytes: 2 * maxBytes, values: 2 }, expect.stringContaining('at most 2 values')],
  ])('within the limits %j', (limits, problem) => {
    const read = readStrictJson(`["${'a'.repeat(maxBytes)}", 1]`, limits)
    expect('problem' in read ? read.problem.problem : null).toEqual(problem)
  })

  test('it says where', () => {
    expect(problemOf('{\n  "a": 1,\n  "b": ?\n}')?.problem).toBe('expected a value (line 3, column 8)')
  })

  test('nothing changes for other objects', () => {
    readStrictJson('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')
    expect('polluted' in {}).toBe(false)
  })
})

test('paths show odd names quoted and short', () => {
  expect(memberPath('', 'a')).toBe('a')
  expect(memberPath('a[0]', 'b')).toBe('a[0].b')
  expect(memberPath('a', 'b.c"')).toBe('a["b.c\\""]')
  expect(memberPath('a', 'x y'.repeat(1000)).length).toBeLessThan(60)
})
