import { expect, test } from 'vitest'
import { proxyParts } from './parts.ts'

test('what a program asks for', () => {
  expect(proxyParts('socks5://u%40a:p@203.0.113.1:15883')).toEqual({
    user: 'u@a',
    password: 'p',
    host: '203.0.113.1',
    port: '15883',
  })
  expect(proxyParts('http://u:p@[2001:db8::1]:80')?.host).toBe('[2001:db8::1]')
  expect(proxyParts('tg://proxy?server=a&port=1&secret=b')).toBeUndefined()
})
