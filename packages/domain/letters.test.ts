import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEmail } from './email-address.ts'
import { codeLetter, emailChangedLetter } from './letters.ts'

const languages = ['ru', 'en'] as const
const codes = fc.integer({ min: 0, max: 999_999 }).map((number) => String(number).padStart(6, '0'))

test('a code is the only thing in its letter that looks like one, whatever the code', () => {
  fc.assert(
    fc.property(codes, fc.constantFrom(...languages), (code, language) => {
      const { subject, text } = codeLetter(language, code, 10)
      expect(`${subject}\n${text}`.match(/\b\d{6}\b/g)).toEqual([code])
    }),
  )
})

test.each([
  ['ru', codeLetter('ru', '012345', 10), ['действует 10 минут', 'Введите его', 'Если вы не запрашивали']],
  ['en', codeLetter('en', '012345', 10), ['lasts 10 minutes', 'Enter it', 'If you did not ask']],
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
