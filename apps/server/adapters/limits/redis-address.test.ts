import { expect, test } from 'vitest'
import { sentinelOptions } from './redis-address.ts'

test.each([
  ['redis://cache:6379', undefined],
  [
    'redis+sentinel://a:1,b:2,c/main',
    {
      name: 'main',
      sentinels: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
        { host: 'c', port: 26_379 },
      ],
    },
  ],
  [
    'redis+sentinel://:p%40ss@[::1]:7/main/3?sentinel_password=secret',
    {
      name: 'main',
      password: 'p@ss',
      db: 3,
      sentinelPassword: 'secret',
      sentinels: [{ host: '::1', port: 7 }],
    },
  ],
  ['rediss+sentinel://me:word@a/main', { username: 'me', password: 'word', tls: {}, sentinelTLS: {} }],
])('%s', (url, options) => {
  if (options) expect(sentinelOptions(url)).toMatchObject(options)
  else expect(sentinelOptions(url)).toBeUndefined()
})
