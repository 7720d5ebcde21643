import { expect, test } from 'vitest'
import { fileNames } from './file-names.ts'
import { shownTitle, titleOf, uniqueTitles } from './titles.ts'

test.each([
  ['DE #1', 'DE #1'],
  [' 🇩🇪 Германия: "1" ', ' 🇩🇪 Германия: "1" '],
  ['a\r\nb\tc\u0000d\u0085e\u009ff', 'a  b c d e f'],
  ['a\u2028b\u2029c', 'a b c'],
  ['a\u202eb\u2066c\u200fd\u061ce', 'abcde'],
  ['👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️', '👨‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ❤️'],
  ['a\ud800b', 'a\ufffdb'],
  ['\ufeffa\ufffeb\uffffc', 'abc'],
])('%j is shown as %j', (title, expected) => {
  expect(shownTitle(title)).toBe(expected)
})

test.each(['', '   ', '\n', '\u202e'])('without a title, %j, the protocol stands in', (title) => {
  expect(titleOf({ title, protocol: 'vless' })).toBe('vless')
})

test.each([
  [['a', 'b'], [], ['a', 'b']],
  [['a', 'a', 'a'], [], ['a', 'a 2', 'a 3']],
  [['a', 'a', 'a 2'], [], ['a', 'a 3', 'a 2']],
  [['a 2', 'a', 'a'], [], ['a 2', 'a', 'a 3']],
  [['VPN', 'vpn'], ['VPN'], ['VPN 2', 'vpn']],
  [['', ''], [], ['', ' 2']],
])('%j, where %j are taken, become %j', (titles, taken, expected) => {
  expect(uniqueTitles(titles, taken)).toEqual(expected)
})

test('a thousand of the same name are told apart at once', () => {
  const names = uniqueTitles(Array.from({ length: 1000 }, () => 'x'))
  expect(new Set(names).size).toBe(1000)
  expect(names.at(-1)).toBe('x 1000')
})

test.each([
  [
    ['🇩🇪 Германия #1', '🇩🇪 Германия #1'],
    ['DE-Germaniy', 'DE-Germaniy-2'],
  ],
  [
    ['DE', 'de', 'De 2'],
    ['DE', 'de-3', 'De-2'],
  ],
  [
    ['Щука ёж', 'Ø Ωmega', 'Café'],
    ['Shchuka-ezh', 'mega', 'Cafe'],
  ],
  [
    ['../../etc/passwd', 'a\\b:c*d?'],
    ['etc-passwd', 'a-b-c-d'],
  ],
  [
    ['CON', 'nul', '🚀', ''],
    ['vpnCON', 'vpnnul', 'vpn', 'vpn-2'],
  ],
])('files of %j are called %j', (titles, expected) => {
  expect(fileNames(titles)).toEqual(expected)
})

test('names of files are such as Linux and Android import, however many there are', () => {
  const names = fileNames(
    Array.from({ length: 900 }, (_, at) => (at % 2 === 0 ? 'Великобритания' : 'велико британия')),
  )
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(900)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,15}$/)
})
