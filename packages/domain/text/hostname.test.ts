import { expect, test } from 'vitest'
import { hostnameProblem } from './hostname.ts'

const label = 'a'.repeat(63)

test.each([
  'a',
  'vpn',
  'VPN-1',
  'vpn.example.com',
  'xn--e1afmkfd.xn--p1ai',
  '1a',
  `${label}.com`,
])('%s', (name) => {
  expect(hostnameProblem(name)).toBeUndefined()
})

test.each([
  '-vpn',
  'vpn-',
  'vpn..com',
  '.com',
  'com.',
  'vpn_1',
  'a b',
  'имя',
  'a\n',
  "a';reboot;'",
  '203.0.113.7',
  '42',
  `${label}a`,
  `${`${label}.`.repeat(4)}com`,
])('%j is none', (name) => {
  expect(hostnameProblem(name)).toEqual(expect.any(String))
})
