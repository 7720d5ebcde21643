import { array, assert, constantFrom, property, record, string, tuple } from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Endpoint } from '../../vpn/endpoint.ts'
import { type Format, formats } from '../format.ts'
import * as samples from '../render/testing/endpoints.ts'
import { type Entry, notice } from './entry.ts'
import { renderFormat } from './render.ts'
import { titlesIn } from './testing/read-back.ts'
import { titleOf, uniqueTitles } from './titles.ts'

const hostile = [
  'a "b" \'c\' `d`',
  'line\nbreak\r\nand\ttab',
  '\u2028line\u2029separators\u0085\u000b\u000c',
  'turned \u202earound\u2066 \u200f\u061c',
  'NUL \u0000 BEL \u0007 ESC \u001b[31m DEL \u007f',
  'half \ud83d of a pair',
  '- item',
  'key: value',
  'trailing:',
  '# comment',
  'DE #1',
  '{a: b}',
  '[a, b]',
  '*alias',
  '&anchor',
  '!tag',
  '%directive',
  '@at',
  '| block',
  '> folded',
  '? key',
  '---',
  '...',
  '~',
  'null',
  'yes',
  'no',
  'on',
  '0123',
  '1e5',
  '0x1f',
  '.inf',
  '2026-11-16',
  '12:30:45',
  '<<',
  '=',
  '</script><script>alert(1)</script>',
  '<!--',
  ']]>',
  '$x $proxies {{y}}',
  '$proxies',
  '\\u0041 \\n \\',
  '%41%20+%zz',
  'a&b=c?d#e/f',
  '   leading and trailing   ',
  '\u00a0no-break\u3000ideographic\u00a0',
  '😀'.repeat(64),
  '👨‍👩‍👧‍👦🏳️‍🌈🇩🇪🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'ﷺ﷽ ﷺ',
  'Z̸̢̛a̶l̷g̵o̴',
  '\ufeffBOM \ufffe \uffff',
  'DIRECT',
  'REJECT',
  'GLOBAL',
  'VPN',
  'Auto',
  'direct',
  'proxy',
  '__proto__',
  'constructor',
  'x'.repeat(5000),
  '',
  ' ',
]

/** An entry that the format carries under its title. */
const sampleOf = (format: Format): Endpoint => {
  if (format === 'conf') return samples.wireguard
  return format === 'clash' ? samples.trojan : samples.vless
}

const reserved: Readonly<Partial<Record<Format, readonly string[]>>> = {
  mihomo: ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'COMPATIBLE', 'GLOBAL', 'VPN', 'Auto'],
  stash: ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'COMPATIBLE', 'GLOBAL', 'VPN', 'Auto'],
  clash: ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'COMPATIBLE', 'GLOBAL', 'VPN', 'Auto'],
  'sing-box': ['VPN', 'Auto', 'direct'],
}

/** What an app must show: every title as shownTitle has it, and numbered where the format wants names that differ. */
const expectedTitles = (format: Format, entries: readonly Entry[]): string[] => {
  const titles = entries.map(titleOf)
  const taken = reserved[format]
  return taken === undefined ? titles : uniqueTitles(titles, taken)
}

const throughTitles = formats.filter((format) => format !== 'outline')

test.each(throughTitles)('%s carries every hostile title, and the order', (format) => {
  const entries = hostile.map((title) => ({ ...sampleOf(format), title }))
  const rendered = renderFormat(format, entries, { language: 'ru' })
  expect(titlesIn(format, rendered)).toEqual(expectedTitles(format, entries))
})

test.each(throughTitles)('%s carries each hostile title alone', (format) => {
  for (const title of hostile) {
    const entry = { ...sampleOf(format), title }
    const rendered = renderFormat(format, [entry], { language: 'ru' })
    expect(titlesIn(format, rendered)).toEqual(expectedTitles(format, [entry]))
  }
})

test.each(formats)('%s carries hostile notices', (format) => {
  for (const title of hostile) {
    const entry = notice(title)
    const rendered = renderFormat(format, [entry], { language: 'ru' })
    expect(titlesIn(format, rendered)).toEqual(expectedTitles(format, [entry]))
  }
})

const anyTitle = string({
  unit: constantFrom(...'a 1"\'\\:#&*-?|>%@`{}[],\n\r\t\u2028\u202e', '🇩', '🇪', 'Ж', '\ud83d', '2'),
})
const wideTitle = string({ unit: 'binary', maxLength: 40 })
const entry = tuple(record({ title: anyTitle }), record({ title: wideTitle })).map(([one, other]) => [
  one,
  other,
])

test.each(throughTitles)('%s: what is read back is what was rendered', (format) => {
  assert(
    property(array(entry, { minLength: 1, maxLength: 6 }), (pairs) => {
      const entries = pairs.flat().map(({ title }) => ({ ...sampleOf(format), title }))
      const rendered = renderFormat(format, entries, { language: 'en' })
      expect(titlesIn(format, rendered)).toEqual(expectedTitles(format, entries))
      expect(renderFormat(format, entries, { language: 'en' })).toEqual(rendered)
    }),
    { numRuns: 50 },
  )
})

/** The secret that comes back from what an app was given, wherever the format has it. */
const secretIn = (format: Format, text: string): string | undefined => {
  const read = (format === 'xray' || format === 'sing-box' ? JSON.parse(text) : parse(text)) as unknown
  let secret: string | undefined
  JSON.stringify(read, (key, value: unknown) => {
    if (key === 'password' && typeof value === 'string') secret = value
    return value
  })
  return secret
}

test.each(['xray', 'mihomo', 'stash', 'clash', 'sing-box'] as const)('%s carries any secret', (format) => {
  assert(
    property(string({ unit: 'binary', minLength: 1, maxLength: 30 }), (password) => {
      const { body } = renderFormat(format, [{ ...samples.trojan, password }], { language: 'en' })
      expect(secretIn(format, String(body))).toBe(password)
    }),
    { numRuns: 50 },
  )
})
