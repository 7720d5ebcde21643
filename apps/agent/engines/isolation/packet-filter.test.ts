import { expect, test } from 'vitest'
import { elementLine, openScript, tableScript } from './packet-filter.ts'

test.each([
  ['203.0.113.5:40000', 'gone4 { 203.0.113.5 . 40000 . 443 timeout 10m }'],
  ['[2001:db8::1]:40000', 'gone6 { 2001:db8::1 . 40000 . 443 timeout 10m }'],
])('%s is blocked as exactly that endpoint', (remote, element) => {
  expect(elementLine('t', 443, remote)).toBe(`add element inet t ${element}`)
})

test.each([
  '',
  'example.com:443',
  '203.0.113.5',
  '1.1.1.1:1 } ; flush ruleset ; {',
])('nothing but an endpoint reaches nft: %j', (remote) => {
  expect(() => elementLine('t', 443, remote)).toThrow('not an endpoint')
})

test('what carries the mark is kept from private networks of both families', () => {
  const script = tableScript('t')
  expect(script).toMatch(/meta mark 1396788313 ip daddr \{ .*127\.0\.0\.0\/8.* \} drop/)
  expect(script).toMatch(/meta mark 1396788313 ip6 daddr \{ .*fc00::\/7.* \} drop/)
})

test('what carries the mark reaches of this machine only the ports that are for customers', () => {
  const script = tableScript('t', [8443])
  expect(script).toContain('elements = { 80, 443, 8443 }')
  const allowing = script.indexOf(
    '1396788313 fib daddr type local meta l4proto { tcp, udp } th dport @open accept',
  )
  const refusing = script.indexOf('1396788313 fib daddr type local reject')
  expect(allowing).toBeGreaterThan(script.indexOf('ip6 daddr {'))
  expect(refusing).toBeGreaterThan(allowing)
  expect(openScript('t', [8443, 443])).toBe(
    'flush set inet t open\nadd element inet t open { 80, 443, 8443 }',
  )
})
