import { expect, test } from 'vitest'
import { alertLetter } from './alert-letter.ts'
import { alertWords, fleetAlertKinds, wordsOfAlert } from './alert-words.ts'

test.each(Object.entries(alertWords))('%s says what happened and what to do, in both languages', (_, {
  ru,
  en,
}) => {
  expect(ru).toMatch(/^[А-ЯЁ].*\.$/)
  expect(en).toMatch(/^[A-Z].*\.$/)
  // What happened, and what to do.
  for (const text of [ru, en]) expect(text.split(/[.:;] /).length).toBeGreaterThan(1)
})

test('who looks after machines is told of no money', () => {
  for (const kind of fleetAlertKinds)
    expect(kind).not.toMatch(/payment|amount|refund|dispute|grant|rates|provider/)
})

test.each(['of_tomorrow', 'toString', '__proto__'])('%s has words too', (kind) => {
  expect(wordsOfAlert(kind).en).toContain('does not know')
})

test('a letter is short, however many there are', () => {
  const opened = Array.from({ length: 5000 }, (_, n) => ({ kind: 'dispute', subject: `x:${n}`, details: {} }))
  const { subject, text } = alertLetter({
    opened,
    ended: [],
    openCount: 5000,
    url: 'https://vpn.example.com/operator',
  })
  expect(subject).toContain('5000')
  expect(text.length).toBeLessThan(2000)
})

test('a name in a letter is a text and nothing else', () => {
  const opened = [
    { kind: 'node_gone', subject: 'node:1', details: { name: 7, domain: { a: 1 }, cloud: 'hel' } },
  ]
  expect(alertLetter({ opened, ended: [], openCount: 1, url: '' }).text).toContain('node:1 (hel)')
})
