import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskPromocode, normalisePromocode, promocodeBytes, promocodeFrom } from './promocode.ts'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const shape = /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/
const someBytes = fc.uint8Array({ minLength: promocodeBytes, maxLength: promocodeBytes })
const someCode = someBytes.map(promocodeFrom)

const bytesOf = (hex: string) => Buffer.from(hex, 'hex')

describe('promocodeFrom', () => {
  test.each([
    ['00000000000000000000', '0000-0000-0000-0000'],
    ['ffffffffffffffffffff', 'ZZZZ-ZZZZ-ZZZZ-ZZZZ'],
    ['00000000000000000001', '0000-0000-0000-0001'],
    ['08000000000000000000', '1000-0000-0000-0000'],
    // Every symbol once: 0-15 and 16-31 as groups of five bits.
    ['00443214c74254b635cf', '0123-4567-89AB-CDEF'],
    ['84653a56d7c675be77df', 'GHJK-MNPQ-RSTV-WXYZ'],
  ])('%s is %s', (hex, code) => {
    expect(promocodeFrom(bytesOf(hex))).toBe(code)
  })

  test('keeps all 80 bits: the key read as a number is the bytes read as one', () => {
    fc.assert(
      fc.property(someBytes, (bytes) => {
        const code = promocodeFrom(bytes)
        expect(code).toMatch(shape)
        const read = [...code.replaceAll('-', '')].reduce(
          (sum, symbol) => sum * 32n + BigInt(alphabet.indexOf(symbol)),
          0n,
        )
        expect(read).toBe(BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
      }),
    )
  })

  test.each([0, 9, 11, 16])('refuses %i bytes', (length) => {
    expect(() => promocodeFrom(new Uint8Array(length))).toThrow('10 bytes')
  })
})

describe('normalisePromocode', () => {
  const code = '0123-4567-89AB-CDEF'
  test.each([
    [code, code],
    ['0123456789ABCDEF', code],
    ['0123456789abcdef', code],
    ['oi23-4567-89ab-cdef', code],
    ['OL23 4567 89AB CDEF', code],
    ['  0l23–4567—89ab‑cdef\t', code],
    ['0-1-2-3-4-5-6-7-8-9-A-B-C-D-E-F', code],
    ['0123\u00a04567\u00a089AB\u00a0CDEF', code],
    ['', undefined],
    ['----', undefined],
    ['FREE', undefined],
    ['0123-4567-89AB-CDE', undefined],
    ['0123-4567-89AB-CDEFG', undefined],
    ['U123-4567-89AB-CDEF', undefined],
    ['u123-4567-89AB-CDEF', undefined],
    ['0123_4567_89AB_CDEF', undefined],
    ['0123-4567-89AB-CDE*', undefined],
    // Letters that only become those of the alphabet in upper case, or look like them.
    ['ı123-4567-89AB-CDEF', undefined],
    ['0123-4567-89ſB-CDEF', undefined],
    ['0123-4567-89АВ-СDЕF', undefined],
    ['0123-4567-89AB-CDE😀', undefined],
  ])('%j is %j', (text, wanted) => {
    expect(normalisePromocode(text)).toBe(wanted)
  })

  test('finds the key in every way to write it', () => {
    const written = fc.array(fc.tuple(fc.constantFrom('', '-', ' ', '–'), fc.boolean(), fc.nat(2)), {
      minLength: 16,
      maxLength: 16,
    })
    fc.assert(
      fc.property(someCode, written, (key, manners) => {
        const text = [...key.replaceAll('-', '')].map((symbol, at) => {
          const [separator, isLower, twin] = manners[at] as [string, boolean, number]
          const alike = { 0: ['0', 'O', 'O'], 1: ['1', 'I', 'L'] }[symbol]?.[twin] ?? symbol
          return separator + (isLower ? alike.toLowerCase() : alike)
        })
        expect(normalisePromocode(text.join(''))).toBe(key)
      }),
    )
  })

  test('answers any text with a key of the usual form or nothing, and its own answers with themselves', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.string({ unit: fc.constantFrom(...alphabet, ...'iloILO- u'), minLength: 14, maxLength: 22 }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const code = normalisePromocode(text)
        if (code === undefined) return
        expect(code).toMatch(shape)
        expect(normalisePromocode(code)).toBe(code)
      }),
    )
  })
})

test('a masked key shows its ends only', () => {
  expect(maskPromocode('ABCD-EFGH-JKMN-WXYZ')).toBe('ABCD-••••-••••-WXYZ')
})
