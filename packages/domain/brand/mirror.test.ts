import { expect, test } from 'vitest'
import { isPlainOrigin, mirrorProblem } from './mirror.ts'

const publicUrl = 'https://vpn.example.com'

test.each([
  'https://a.example',
  'https://a.example:8443',
  'https://xn--e1afmkfd.xn--p1ai',
  'https://203.0.113.7',
  'https://[2001:db8::7]',
  'https://[2001:db8::7]:8443',
  'https://a-b.example',
  'https://vpn.example.com:8443',
])('%s may be a mirror', (mirror) => expect(mirrorProblem(mirror, publicUrl)).toBe(null))

test.each([
  ['a.example', 'must be an address'],
  ['https://', 'must be an address'],
  ['http://a.example', 'must begin with https://'],
  ['javascript:alert(1)', 'must begin with https://'],
  ['https://a.example/', 'must be written as https://a.example, without a path'],
  ['https://a.example/cabinet', 'without a path'],
  ['https://a.example?x', 'without a path'],
  ['https://a.example#x', 'without a path'],
  ['https://a.example:443', 'must be written as https://a.example, without a path'],
  ['https://A.example', 'as https://a.example'],
  ['https://пример.рф', 'as https://xn--e1afmkfd.xn--p1ai'],
  ['https://a;sandbox', 'letters, digits, dots and hyphens'],
  ['https://a,b', 'letters, digits, dots and hyphens'],
  ["https://a'self'", 'letters, digits, dots and hyphens'],
  ['https://*.a.example', 'letters, digits, dots and hyphens'],
  ['https://a_b.example', 'letters, digits, dots and hyphens'],
  ['https://a;b:8443', 'letters, digits, dots and hyphens'],
  ['https://me:secret@a.example', 'must not hold a name or a password'],
  ['https://vpn.example.com', 'is the address of the service itself'],
])('%s may not: %s', (mirror, problem) => expect(mirrorProblem(mirror, publicUrl)).toContain(problem))

test.each([
  ['https://a.example', true],
  ['http://localhost:8080', true],
  ['https://[2001:db8::7]:8443', true],
  ['https://a;sandbox', false],
  ['https://a,b', false],
  ['https://a b', false],
  ['https://[a;b]', false],
  ['null', false],
  ['', false],
])('%s names a plain host: %s', (origin, isPlain) => expect(isPlainOrigin(origin)).toBe(isPlain))

test('a service with a path in its address is known by its origin', () => {
  expect(mirrorProblem('https://vpn.example.com', 'https://vpn.example.com/shop')).toContain('itself')
})
