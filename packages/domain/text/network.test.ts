import { expect, test } from 'vitest'
import { networkProblem } from './network.ts'

test.each([
  '192.0.2.0/24',
  '0.0.0.0/0',
  '5.255.192.0/18',
  '192.0.2.7/32',
  '2001:db8::/32',
  '::/0',
  '::1/128',
])('%s is a network', (text) => expect(networkProblem(text)).toBeUndefined())

test.each([
  '',
  '192.0.2.0',
  '192.0.2.0/',
  '192.0.2.0/33',
  '192.0.2.0/024',
  '192.0.2.0/-1',
  '192.0.2.0/24/8',
  '192.0.2/24',
  '2001:db8::/129',
  'fe80::1%eth0/64',
  'example.com/24',
  '192.0.2.0/24 ',
])('“%s” is none', (text) => expect(networkProblem(text)).toContain('must be a network'))
