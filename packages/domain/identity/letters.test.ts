import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crockfordOf, grouped } from '../text/crockford.ts'
import { readEmail } from './email-address.ts'
import { codeLetter, emailChangedLetter } from './letters.ts'

const languages = ['ru', 'en'] as const
const codes = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, '0'))

const longs = fc.uint8Array({ minLength: 10, maxLength: 10 }).map((bytes) => grouped(crockfordOf(bytes)))
const long = '0123-4567-89AB-CDEF'
const full = { digits: '012345', long, minutes: 10 }
const bare = { ...full, digits: undefined }

test('the digits are the only thing in a letter that looks like them, whatever the codes', () => {
  fc.assert(
    fc.property(codes, longs, fc.constantFrom(...languages), (digits, long, language) => {
      const { subject, text } = codeLetter(language, { digits, long, minutes: 10 })
      expect(`${subject}\n${text}`.match(/\d{6}/g)).toEqual([digits])
      expect(text.indexOf(digits)).toBeLessThan(text.indexOf(long))
      const other = codeLetter(language, { digits: undefined, long, minutes: 10 })
      expect(other.text).toContain(long)
      expect(`${other.subject}\n${other.text}`).not.toMatch(/\d{6}/)
    }),
  )
})

test.each([
  ['ru', codeLetter('ru', full), ['действует 10\u00a0минут', 'Введите его', 'Если вы не запрашивали']],
  ['en', codeLetter('en', full), ['lasts 10\u00a0minutes', 'Enter it', 'If you did not ask']],
  [
    'ru',
    codeLetter('ru', full),
    ['код: 012345\n', 'на другом устройстве', `введите вместо него этот длинный: ${long}\n`],
  ],
  [
    'en',
    codeLetter('en', full),
    ['code: 012345\n', 'on another device', `use this longer code instead: ${long}\n`],
  ],
  ['ru', codeLetter('ru', bare), [`код: ${long}\n`, 'действует 10\u00a0минут', 'слишком много писем']],
  ['en', codeLetter('en', bare), [`code: ${long}\n`, 'lasts 10\u00a0minutes', 'too many letters']],
  ['ru', emailChangedLetter('ru'), ['другой адрес', 'Если адрес изменили не вы']],
  ['en', emailChangedLetter('en'), ['another e-mail address', 'If it was not you']],
] as const)('in %s a letter says what happened and what to do', (language, { subject, text }, parts) => {
  for (const part of parts) expect(text).toContain(part)
  expect(/[а-яё]/i.test(subject + text)).toBe(language === 'ru')
  expect(subject).not.toMatch(/[\r\n]/)
})

test.each([
  [' Ann@Example.COM\n', 'ann@example.com'],
  ['иван@пример.рф', 'иван@пример.рф'],
  ['ИВАН@ПРИМЕР.РФ', 'иван@пример.рф'],
])('%j is the mailbox %s', (typed, mailbox) => {
  expect(readEmail(typed)).toBe(mailbox)
  expect(readEmail(mailbox)).toBe(mailbox)
})
