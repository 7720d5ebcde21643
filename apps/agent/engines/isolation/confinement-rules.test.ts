import { expect, test } from 'vitest'
import { outboundReach, reachOf, resolversIn, wall } from './confinement-rules.ts'

test('places are read from every form of outbound, names are not', () => {
  const server = { address: '127.0.0.1', port: 8443 }
  const forms = [
    { settings: { vnext: [server] } },
    { settings: { servers: [server] } },
    { settings: server },
    { settings: { peers: [{ endpoint: '127.0.0.1:8443' }] } },
  ]
  for (const form of forms) {
    expect(outboundReach(JSON.stringify({ protocol: 'any', ...form }))).toEqual([server])
  }
  expect(outboundReach('{"protocol":"freedom"}')).toEqual([])
  expect(reachOf('localhost:443')).toEqual([])
  expect(reachOf('[::1]:443')).toEqual([{ address: '::1', port: 443 }])
})

test('resolvers are those of resolv.conf, or this machine', () => {
  const text =
    '# nameserver 9.9.9.9\nnameserver 10.0.0.2\n nameserver fe80::1%eth0\nsearch lan\nnameserver name\n'
  expect(resolversIn(text)).toEqual(['10.0.0.2', 'fe80::1'])
  expect(resolversIn('')).toEqual(['127.0.0.1', '::1'])
})

test('the wall names each program with its own places', () => {
  const reach = [
    { address: '127.0.0.1', port: 8443 },
    { address: '::1', port: 53 },
  ]
  const script = wall(
    'mine',
    [
      { uid: 200_001, reach },
      { uid: 200_002, reach: [] },
    ],
    ['10.0.0.2'],
  )
  expect(script.startsWith('table inet mine {}\ndelete table inet mine\n')).toBe(true)
  expect(script).toContain('elements = { 200001, 200002 }')
  expect(script).toContain('elements = { 200001 . 127.0.0.1 . 8443 }')
  expect(script).toContain('elements = { 200001 . ::1 . 53 }')
  expect(script).toMatch(/set resolvers4 .* elements = \{ 10\.0\.0\.2 \}/)
  expect(script).toMatch(/set resolvers6 \{ typeof ip6 daddr; \}/)
  expect(script).toMatch(/set private4 .*169\.254\.0\.0\/16/)
  expect(script).toMatch(/set private6 .*fc00::\/7/)
})

test('this machine itself is closed after what is allowed and before the end', () => {
  const lines = wall('mine', [{ uid: 200_001, reach: [] }], []).split('\n')
  const closing = lines.indexOf('    fib daddr type local reject with icmpx admin-prohibited')
  expect(closing).toBeGreaterThan(lines.findLastIndex((line) => line.endsWith(' accept')))
  expect(closing).toBeLessThan(lines.indexOf('  chain outgoing {'))
})
