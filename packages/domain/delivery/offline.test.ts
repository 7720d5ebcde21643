import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../vpn/endpoint.ts'
import { type Format, formats } from './format.ts'
import { carries } from './formats/carries.ts'
import { notice } from './formats/entry.ts'
import { renderFormat } from './formats/render.ts'
import { endpoints } from './formats/testing/entries.ts'
import { type OfflineChoice, offlineQuery, readOfflineChoice, withOffline } from './offline.ts'

const named = (title: string): Endpoint => endpoints.find((endpoint) => endpoint.title === title) as Endpoint
const [vless, outline, wireguard, http] = ['vless REALITY', 'outline', 'wireguard', 'http'].map(named) as [
  Endpoint,
  Endpoint,
  Endpoint,
  Endpoint,
]
const told = notice('Option: traffic used up')

const titlesOf = (
  format: Format,
  offline: OfflineChoice,
  entries: readonly (Endpoint | typeof told)[],
  dead: readonly Endpoint[],
) =>
  withOffline(entries, (endpoint) => dead.includes(endpoint), { format, offline }).map(({ title }) => title)

describe('what becomes of entries whose servers do not answer', () => {
  test.each<[string, Format, OfflineChoice, Endpoint[], string[]]>([
    ['marked', 'base64', 'mark', [outline], ['vless REALITY', '⚠ outline', told.title, 'wireguard']],
    ['left out', 'base64', 'hide', [outline], ['vless REALITY', told.title, 'wireguard']],
    ['kept', 'base64', 'keep', [outline], ['vless REALITY', 'outline', told.title, 'wireguard']],
    [
      'all marked where none would be left',
      'base64',
      'hide',
      [vless, outline, wireguard],
      ['⚠ vless REALITY', '⚠ outline', told.title, '⚠ wireguard'],
    ],
    [
      'marked where the app could use none of the others',
      'conf',
      'hide',
      [wireguard],
      ['vless REALITY', 'outline', told.title, '⚠ wireguard'],
    ],
    [
      'left out where the app has one server',
      'outline',
      'mark',
      [vless],
      ['outline', told.title, 'wireguard'],
    ],
    [
      'marked there too, where it is the only one',
      'outline',
      'mark',
      [outline],
      ['vless REALITY', '⚠ outline', told.title, 'wireguard'],
    ],
  ])('%s: %s, %s', (_name, format, offline, dead, titles) => {
    expect(titlesOf(format, offline, [vless, outline, told, wireguard], dead)).toEqual(titles)
  })

  test('an app that takes one server gets one that answers', () => {
    const [first, second] = [
      { ...outline, title: 'first', host: '203.0.113.1' },
      { ...outline, title: 'second', host: '203.0.113.2' },
    ]
    const given = (offline: OfflineChoice) => {
      const entries = withOffline([first, second], (one) => one === first, { format: 'outline', offline })
      return JSON.parse(String(renderFormat('outline', entries, { language: 'en' }).body)).server
    }
    expect([given('mark'), given('hide'), given('keep')]).toEqual([second.host, second.host, first.host])
  })
})

test.each(formats)('%s: what is said to be carried is what is rendered', (format) => {
  for (const endpoint of [...endpoints, http]) {
    const { body } = renderFormat(format, [endpoint], { language: 'en' })
    const isRefused = Buffer.from(body).toString().includes('This app does not support')
    expect(carries(format, endpoint), endpoint.title).toBe(!isRefused)
  }
})

test('the choice is one of three, and the usual one is not said', () => {
  expect(readOfflineChoice(undefined)).toEqual({ offline: 'mark' })
  for (const offline of ['mark', 'hide', 'keep'] as const)
    expect(readOfflineChoice(offline)).toEqual({ offline })
  for (const value of ['', 'HIDE', ['hide'], 'drop'])
    expect(readOfflineChoice(value)).toEqual({ problem: 'offline must be one of mark, hide, keep' })
  expect((['mark', 'hide', 'keep'] as const).map(offlineQuery)).toEqual(['', 'offline=hide', 'offline=keep'])
})
