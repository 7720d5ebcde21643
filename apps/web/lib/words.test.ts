import { describe, expect, expectTypeOf, test } from 'vitest'
import { type HolesOf, translated, translator } from './words.ts'

const en = { plain: 'Pay', named: 'Hello, {name}', counted: '{n|day|days} left of {all}' } as const

describe('texts', () => {
  test('are filled, with numbers and plurals of the language', () => {
    const say = translator(en, 'en')
    expect(say('plain')).toBe('Pay')
    expect(say('named', { name: '<b>' })).toBe('Hello, <b>')
    expect(say('counted', { n: 1, all: 30 })).toBe('1\u00a0day left of 30')
    expect(say('counted', { n: 1200, all: 30 })).toBe('1,200\u00a0days left of 30')
  })

  test('have one full stop where what fills them brings its own', () => {
    const say = translator({ until: 'До {date}. Ещё {n|день|дня|дней}.' } as const, 'ru')
    expect(say('until', { date: '1 мая 2027 г.', n: 2 })).toBe('До 1 мая 2027 г. Ещё 2\u00a0дня.')
    expect(say('until', { date: 'завтра', n: 5 })).toBe('До завтра. Ещё 5\u00a0дней.')
  })

  test.each([
    [1, 'день'],
    [2, 'дня'],
    [5, 'дней'],
    [11, 'дней'],
    [21, 'день'],
    [104, 'дня'],
    [0, 'дней'],
  ])('%i in Russian is %s', (n, word) => {
    const say = translator({ left: '{n|день|дня|дней}' } as const, 'ru')
    expect(say('left', { n })).toBe(`${n}\u00a0${word}`)
  })

  test('know their holes by type, and refuse others', () => {
    expectTypeOf<HolesOf<typeof en.counted>>().toEqualTypeOf<'n' | 'all'>()
    expectTypeOf<HolesOf<typeof en.plain>>().toEqualTypeOf<never>()
    const whole = translated<typeof en>()
    whole({ plain: 'Оплатить', named: 'Привет, {name}', counted: 'Ещё {n|день|дня|дней} из {all}' })
    // @ts-expect-error one text is missing
    whole({ plain: 'Оплатить', named: 'Привет, {name}' })
    // @ts-expect-error a hole has another name
    whole({ plain: 'Оплатить', named: 'Привет, {imya}', counted: 'Ещё {n|день|дня|дней} из {all}' })
    // @ts-expect-error a text that nobody asks for
    whole({ plain: 'Оплатить', named: '{name}', counted: '{n|день|дня|дней} {all}', other: 'лишнее' })
    const say = translator(en, 'en')
    // @ts-expect-error a hole is left open
    say('named')
  })
})
