import { expect, test } from 'vitest'
import { elementLine, tableScript } from './packet-filter.ts'

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
