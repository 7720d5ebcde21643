import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { botToken, signInitData, signWidget } from '../../../test/support/people/telegram.ts'
import {
  botIdIn,
  isFresh,
  isSignedFor,
  personIn,
  readInitData,
  readWidget,
  type TelegramData,
} from './telegram-data.ts'

test.each([
  ['123456789:AAExample', 123_456_789],
  ['1:a', 1],
  ['', null],
  ['AAExample', null],
  ['12 3:AA', null],
  ['12345678901234567890:AA', null],
])('the bot of the token %j is %j', (token, id) => expect(botIdIn(token)).toBe(id))

const at = 1_800_000_000
const id = 4_503_599_627_370_495

/** Signed by another implementation of Telegram's description. */
const goldenWidget = {
  id,
  first_name: 'Анна',
  last_name: '',
  username: 'anna',
  photo_url: 'https://t.me/i/userpic/320/a.jpg',
  auth_date: at,
  hash: '10716347c97b0ba2e6d62fb91a76d9d59fa5328f5d4030423cab38661cc42230',
}
const goldenUser =
  '%7B%22id%22%3A4503599627370495%2C%22first_name%22%3A%22%D0%90%D0%BD%D0%BD%D0%B0%20%2B%20%26%20%3D%20%25%22%2C' +
  '%22language_code%22%3A%22ru%22%2C%22photo_url%22%3A%22https%3A%5C%2F%5C%2Ft.me%5C%2Fi%5C%2Fa.svg%22%7D'
const goldenHash = 'hash=529fdcd26a86a8af82c3b747978bf3e51a7af71de0fcaa1a69f098cb1669c87d'
const goldenParts = [
  `user=${goldenUser}`,
  'chat_instance=-8134722200314281151',
  'chat_type=private',
  'start_param=ABCD1234',
  'auth_date=1800000000',
  'query_id=AAHdF6IQAAAAAN0XohDhrOrc',
  'signature=zL-ucjNyREiHDE8a',
  goldenHash,
]

const isGoodInitData = (text: string, token = botToken): boolean => {
  const data = readInitData(text)
  return data !== undefined && isSignedFor(token, data)
}

describe('the login widget', () => {
  test('is believed as Telegram signs it, whatever of our own is beside it', () => {
    expect(isSignedFor(botToken, readWidget(goldenWidget))).toBe(true)
    expect(isSignedFor(botToken, readWidget({ ...goldenWidget, referral_code: 'X', link: true }))).toBe(true)
    expect(personIn(readWidget(goldenWidget))).toEqual({
      id,
      isBot: false,
      signedAt: at,
      startParam: undefined,
    })
  })

  test.each([
    ['another person', { id: 1 }],
    ['another time', { auth_date: at + 1 }],
    ['another name', { first_name: 'Anna' }],
    ['a field more', { last_name: ' ' }],
    ['another hash', { hash: '0'.repeat(64) }],
    ['a hash in capitals', { hash: goldenWidget.hash.toUpperCase() }],
    ['a short hash', { hash: goldenWidget.hash.slice(2) }],
    ['no hash', { hash: '' }],
  ])('%s: refused', (_, change) => {
    expect(isSignedFor(botToken, readWidget({ ...goldenWidget, ...change }))).toBe(false)
  })

  test('a field that is absent is not signed as empty', () => {
    const { last_name: _, ...without } = goldenWidget
    expect(isSignedFor(botToken, readWidget(without))).toBe(false)
    expect(isSignedFor(botToken, readWidget(signWidget({ id: 7, auth_date: at })))).toBe(true)
  })

  test('a name with a line break does not become another field', () => {
    const named = { auth_date: at, first_name: 'A\nid=1\nlast_name=B', id: 7 }
    expect(isSignedFor(botToken, readWidget(signWidget(named)))).toBe(false)
    const { hash } = signWidget(named)
    const split = { auth_date: at, first_name: 'A', id: 1, last_name: 'B\nid=7', hash }
    expect(isSignedFor(botToken, readWidget(split))).toBe(false)
  })
})

describe('a Mini App', () => {
  test('is believed as Telegram signs it, in any order', () => {
    for (const parts of [goldenParts, goldenParts.toReversed(), goldenParts.toSorted()]) {
      expect(isGoodInitData(parts.join('&'))).toBe(true)
    }
    const data = readInitData(goldenParts.join('&')) as TelegramData
    expect(personIn(data)).toEqual({ id, isBot: false, signedAt: at, startParam: 'ABCD1234' })
  })

  test.each([
    ['a field more', [...goldenParts, 'chat=1']],
    ['a field less', goldenParts.filter((part) => !part.startsWith('signature'))],
    ['no hash', goldenParts.filter((part) => part !== goldenHash)],
    ['the hash twice', [...goldenParts, goldenHash]],
    ['a field twice', [...goldenParts, 'chat_type=private']],
    ['another user first', [`user=${encodeURIComponent('{"id":1}')}`, ...goldenParts]],
    ['encoded twice', goldenParts.map((part) => part.replace(goldenUser, encodeURIComponent(goldenUser)))],
    ['a plus for a plus', goldenParts.map((part) => part.replace('%2B', '+'))],
    ['nothing', []],
  ])('%s: refused', (_, parts) => {
    expect(isGoodInitData(parts.join('&'))).toBe(false)
  })

  test.each([
    ['{"id":7,"is_bot":true}', { id: 7, isBot: true }],
    ['{"id":7,"is_bot":false}', { id: 7, isBot: false }],
    ['{"id":"7"}', undefined],
    ['{"id":7.5}', undefined],
    ['{"id":0}', undefined],
    ['{"id":9007199254740993}', undefined],
    ['{}', undefined],
    ['null', undefined],
    ['[7]', undefined],
    ['', undefined],
    ['{"id":7', undefined],
  ])('user %s', (user, expected) => {
    const person = personIn(readInitData(signInitData({ user, auth_date: at })) as TelegramData)
    expect(person && { id: person.id, isBot: person.isBot }).toEqual(expected)
  })
})

test('neither kind passes for the other', () => {
  const fields = { id: 7, auth_date: at }
  const widget = signWidget(fields)
  expect(isGoodInitData(`id=7&auth_date=${at}&hash=${widget.hash}`)).toBe(false)
  const hash = readInitData(signInitData(fields))?.hash as string
  expect(isSignedFor(botToken, readWidget({ ...fields, hash }))).toBe(false)
})

const value = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\n'))
const signedFields = fc
  .dictionary(fc.stringMatching(/^[a-z_]{1,12}$/), value, { minKeys: 1 })
  .filter((fields) => !('hash' in fields))

test('whatever is signed is believed, for this bot, and nothing else is', () => {
  fc.assert(
    fc.property(signedFields, fc.nat(), value, (fields, place, other) => {
      const text = signInitData(fields)
      expect(isGoodInitData(text)).toBe(true)
      expect(isGoodInitData(text, `${botToken}x`)).toBe(false)
      const name = Object.keys(fields)[place % Object.keys(fields).length] as string
      fc.pre(fields[name] !== other)
      const hash = text.slice(text.lastIndexOf('hash='))
      const changed = new URLSearchParams({ ...fields, [name]: other })
      expect(isGoodInitData(`${changed}&${hash}`)).toBe(false)
    }),
  )
})

test('no text breaks the reading', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const data = readInitData(`${text}&hash=${'0'.repeat(64)}`)
      if (!data) return
      expect(isSignedFor(botToken, data)).toBe(false)
      personIn(data)
    }),
  )
})

test.each([
  ['widget', 600],
  ['mini_app', 3600],
] as const)('%s data is believed for %d seconds, and a minute early', (source, seconds) => {
  const ages = [-61, -60, 0, seconds, seconds + 1]
  expect(ages.map((age) => isFresh(source, at, at + age))).toEqual([false, true, true, true, false])
})
