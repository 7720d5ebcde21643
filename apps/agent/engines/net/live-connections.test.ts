import { expect, test } from 'vitest'
import { type LiveConnection, LiveConnections, mostPerAccess, parseAccessLine } from './live-connections.ts'

test.each([
  [
    '2026/11/15 03:50:00.000001 from 203.0.113.5:40000 accepted tcp:example.com:443 [vless-3 -> direct] email: c12',
    { network: null, remote: '203.0.113.5:40000', inbound: 'vless-3', outbound: 'direct', user: 'c12' },
  ],
  [
    '2026/11/15 03:50:00.000001 from tcp:203.0.113.5:40000 accepted udp:1.1.1.1:53 [vless-3 >> direct] email: c12',
    { network: 'tcp', remote: '203.0.113.5:40000', inbound: 'vless-3', outbound: 'direct', user: 'c12' },
  ],
  [
    '2026/11/15 03:50:00.000001 from [2001:db8::1]:40000 accepted tcp:[::1]:443 [vless-3 -> block] email: c12',
    { network: null, remote: '[2001:db8::1]:40000', inbound: 'vless-3', outbound: 'block', user: 'c12' },
  ],
  [
    '2026/11/15 03:50:00.000001 from udp:203.0.113.5:40000 accepted udp:1.1.1.1:53 [outline-1 -> direct] email: c12',
    { network: 'udp', remote: '203.0.113.5:40000', inbound: 'outline-1', outbound: 'direct', user: 'c12' },
  ],
  [
    '2026/11/15 03:50:00.000001 from tcp:203.0.113.5:40000 accepted tcp:1.1.1.1:53 [proxy-s1 -> direct]',
    { network: 'tcp', remote: '203.0.113.5:40000', inbound: 'proxy-s1', outbound: 'direct', user: null },
  ],
  [
    // A target of the customer's choice; what stands last is Xray's own.
    '2026/11/15 03:50:00.000001 from 203.0.113.5:40000 accepted x [a -> b] email: c1:443 [hy-1 -> direct] email: c12',
    { network: null, remote: '203.0.113.5:40000', inbound: 'hy-1', outbound: 'direct', user: 'c12' },
  ],
])('reads %s', (line, connection) => {
  expect(parseAccessLine(line)).toEqual(connection)
})

test.each([
  '2026/11/15 03:50:00 from 203.0.113.5:40000 rejected  proxy/vless/encoding: invalid request user id',
  '2026/11/15 03:50:00 [Warning] core: Xray 26.3.27 started',
  'from 127.0.0.1:1 accepted tcp:127.0.0.1:0 [api -> api]',
  '2026/11/15 03:50:00 from 203.0.113.5:40000 accepted tcp:1.1.1.1:53',
])('passes over %s', (line) => {
  expect(parseAccessLine(line)).toBeNull()
})

const connection = (
  id: string,
  remote: string,
  localPort = 443,
  network: LiveConnection['network'] = 'tcp',
) => ({
  id,
  remote,
  localPort,
  network,
})

test('takes the connections of exactly the named accesses, neighbours behind one address stay', () => {
  const live = new LiveConnections()
  live.add(connection('c1', '203.0.113.5:1000'))
  live.add(connection('c2', '203.0.113.5:1001'))
  live.add(connection('c1', '203.0.113.5:1000', 444))
  expect(live.take(new Set(['c1']))).toHaveLength(2)
  expect(live.take(new Set(['c1', 'c2']))).toEqual([connection('c2', '203.0.113.5:1001')])
})

test('a reused client port belongs to whoever came last', () => {
  const live = new LiveConnections()
  live.add(connection('c1', '203.0.113.5:1000'))
  live.add(connection('c2', '203.0.113.5:1000'))
  expect(live.take(new Set(['c1']))).toEqual([])
})

test('forgets closed connections, but not one that came while the open ones were listed', async () => {
  const live = new LiveConnections()
  live.add(connection('c1', '203.0.113.5:1000'))
  live.add(connection('c1', '203.0.113.5:1001'))
  live.add(connection('c1', '203.0.113.5:1000', 444))
  await live.sweep(443, async () => {
    live.add(connection('c1', '203.0.113.5:1002'))
    return new Set(['203.0.113.5:1001'])
  })
  expect(live.take(new Set(['c1'])).map(({ remote, localPort }) => `${remote} ${localPort}`)).toEqual([
    '203.0.113.5:1001 443',
    '203.0.113.5:1000 444',
    '203.0.113.5:1002 443',
  ])
})

test('nothing says that a UDP session has ended, so it is forgotten after ten minutes without a sign', async () => {
  const live = new LiveConnections()
  const tenMinutesMs = 10 * 60 * 1000
  live.add(connection('c1', '203.0.113.5:1000', 443, 'udp'), 0)
  live.add(connection('c2', '203.0.113.5:1001', 443, 'any'), 1)
  await live.sweep(443, async () => new Set(), tenMinutesMs)
  expect(live.take(new Set(['c1', 'c2'])).map(({ id }) => id)).toEqual(['c2'])
})

test('of one access only so many are kept, the one without a sign for longest goes first', () => {
  const live = new LiveConnections()
  live.add(connection('c2', '203.0.113.6:1'))
  for (let port = 1; port <= mostPerAccess; port += 1) live.add(connection('c1', `203.0.113.5:${port}`))
  live.add(connection('c1', '203.0.113.5:1'))
  live.add(connection('c1', '203.0.113.5:60000'))
  expect(live.size).toBe(mostPerAccess + 1)
  const remotes = live.take(new Set(['c1'])).map(({ remote }) => remote)
  expect(remotes).toContain('203.0.113.5:1')
  expect(remotes).not.toContain('203.0.113.5:2')
  expect(live.take(new Set(['c2']))).toHaveLength(1)
})
