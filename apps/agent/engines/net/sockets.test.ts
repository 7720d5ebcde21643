import { expect, test } from 'vitest'
import { socketFilter } from './sockets.ts'

test('the filter names the local port and each remote address with its port', () => {
  expect(socketFilter(443, ['203.0.113.5:1000', '[2001:db8::1]:1001']).join(' ')).toBe(
    'sport = :443 and ( dst 203.0.113.5:1000 or dst [::ffff:203.0.113.5]:1000 or dst [2001:db8::1]:1001 )',
  )
})
