import type { AccessOf, InboundOf } from '@sallyport/contract/agent/agent'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyPair, presharedKey } from '../../testing/tunnels.ts'
import { isTunnelAddress, planTunnels, type TunnelSpec, tunnelNames } from './tunnel-plan.ts'

const names = tunnelNames('/var/lib/agent')
const nothingBefore: ReadonlyMap<string, TunnelSpec> = new Map()
const parameters = { jc: 3, jmin: 40, jmax: 70, s1: 72, s2: 40, s3: 32, s4: 16, h1: 5, h2: 6, h3: 7, h4: 8 }

const inbound = (tag: string, port = 51820): InboundOf<'wg'> => ({
  tag,
  listen: '0.0.0.0',
  port,
  protocol: 'wg',
  private_key: keyPair().privateKey,
})
const peer = (address: string) => ({
  public_key: keyPair().publicKey,
  preshared_key: presharedKey(),
  address,
})
const shared = (id: string, address: string, tag = 'wg-1'): AccessOf<'shared'> => ({
  id,
  revision: 4,
  kind: 'shared',
  inbound: tag,
  account: { protocol: 'wg', ...peer(address) },
})
const personal = (id: string, address: string, port = 40_000): AccessOf<'amnezia-wg'> => ({
  id,
  revision: 4,
  kind: 'amnezia-wg',
  listen: '0.0.0.0',
  port,
  private_key: keyPair().privateKey,
  parameters,
  peer: peer(address),
})
const planned = (tunnels: readonly TunnelSpec[]) => new Map(tunnels.map((tunnel) => [tunnel.name, tunnel]))

describe('names', () => {
  test('fit into what Linux allows, begin with the prefix of the agent, and stay', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (directory, key) => {
        const { prefix, interfaceOf } = tunnelNames(directory)
        expect(interfaceOf(key)).toMatch(/^slp[0-9a-z]{12}$/)
        expect(interfaceOf(key).startsWith(prefix)).toBe(true)
        expect(tunnelNames(directory).interfaceOf(key)).toBe(interfaceOf(key))
      }),
    )
  })

  test('differ between directories and between tunnels', () => {
    expect(tunnelNames('/var/lib/other').prefix).not.toBe(names.prefix)
    expect(names.interfaceOf('access:c1')).not.toBe(names.interfaceOf('inbound:c1'))
  })
})

test.each([
  ['100.64.0.2', true],
  ['100.127.255.254', true],
  ['100.64.0.1', false],
  ['100.63.0.2', false],
  ['100.128.0.2', false],
  ['10.0.0.1', false],
  ['100.064.0.2', false],
  ['100.64.0.2/32', false],
  ['100.64.0.256', false],
  ['100.64.0.2\nreplace_peers=true', false],
])('%j is an address for a customer: %s', (address, is) => {
  expect(isTunnelAddress(address)).toBe(is)
})

test('an inbound with customers and each personal access is a tunnel; all else is not ours', () => {
  const state = {
    inbounds: [inbound('wg-1'), inbound('wg-2', 51821)],
    accesses: [
      shared('c1', '100.64.0.2'),
      shared('c2', '100.64.0.3'),
      personal('c3', '100.64.0.4'),
      { id: 's1', revision: 1, kind: 'mtproto', listen: '0.0.0.0', port: 443, secret: 'ee' } as const,
    ],
  }
  const { tunnels, troubles } = planTunnels(state, names, nothingBefore)
  expect(troubles).toEqual([])
  expect(tunnels.map(({ title, mtu, peers }) => [title, mtu, [...peers.keys()]])).toEqual([
    ['inbound wg-1', 1420, ['c1', 'c2']],
    ['access c3', 1280, ['c3']],
  ])
  expect(tunnels[0]?.parameters).toBeNull()
  expect(tunnels[0]?.privateKey).toMatch(/^[0-9a-f]{64}$/)
})

describe('refused', () => {
  const first = shared('c1', '100.64.0.2')
  const second = shared('c2', '100.64.0.3')
  const { account } = first

  test.each([
    ['a bad public key', { ...second, account: { ...account, public_key: 'AAAA' } }, /public key/],
    ['a bad preshared key', { ...second, account: { ...account, preshared_key: '' } }, /preshared key/],
    ['an address outside', { ...second, account: { ...account, address: '10.0.0.1' } }, /100\.64\.0\.0/],
    ['a taken key', { ...second, account: { ...account, address: '100.64.0.9' } }, /public key is taken/],
    ['a taken address', shared('c2', '100.64.0.2'), /100\.64\.0\.2 is taken/],
    ['an unknown inbound', shared('c2', '100.64.0.3', 'wg-9'), /wg-9 is not served/],
    ['a taken port', personal('c2', '100.64.0.3', 51820), /port 51820 is taken/],
    ['jmax below jmin', { ...personal('c2', '100.64.0.3'), parameters: { ...parameters, jmax: 1 } }, /jmin/],
  ])('%s, by name, while the others are served', (_, access, reason) => {
    const state = { inbounds: [inbound('wg-1')], accesses: [first, access] }
    const { tunnels, troubles } = planTunnels(state as never, names, nothingBefore)
    expect(troubles).toEqual([{ id: 'c2', revision: 4, reason: expect.stringMatching(reason) }])
    expect(tunnels.flatMap(({ peers }) => [...peers.keys()])).toEqual(['c1'])
  })

  test('what was served before goes on', () => {
    const mine = personal('c3', '100.64.0.4')
    const inbounds = [inbound('wg-1')]
    const before = planned(
      planTunnels({ inbounds, accesses: [first, second, mine] }, names, nothingBefore).tunnels,
    )
    const spoiled = { ...second, account: { ...second.account, public_key: 'AAAA' } }
    const worse = { ...mine, revision: 5, parameters: { ...parameters, h2: 5 } }
    const state = { inbounds, accesses: [first, spoiled, worse] }
    const { tunnels, troubles } = planTunnels(state as never, names, before)
    expect(planned(tunnels)).toEqual(before)
    expect(troubles.map(({ id, revision }) => [id, revision])).toEqual([
      ['c2', 4],
      ['c3', 5],
    ])
  })

  test('but nobody whose key is another now', () => {
    const mine = personal('c3', '100.64.0.4')
    const inbounds = [inbound('wg-1')]
    const state = { inbounds, accesses: [first, second, mine] }
    const before = planned(planTunnels(state, names, nothingBefore).tunnels)
    const spoiled = { ...second, account: { ...second.account, ...peer('100.64.0.3'), preshared_key: '' } }
    const worse = { ...mine, peer: peer('100.64.0.4'), parameters: { ...parameters, h2: 5 } }
    const { tunnels } = planTunnels({ inbounds, accesses: [first, spoiled, worse] } as never, names, before)
    expect(tunnels.map(({ peers }) => [...peers.keys()])).toEqual([['c1']])
  })

  test('a bad key of an inbound is nobody in particular', () => {
    const bad = { ...inbound('wg-1'), private_key: 'AAAA' }
    const { tunnels, troubles } = planTunnels({ inbounds: [bad], accesses: [first] }, names, nothingBefore)
    expect(tunnels).toEqual([])
    const reason = expect.stringContaining('inbound wg-1')
    expect(troubles).toEqual([{ id: null, revision: null, reason, inbound: 'wg-1' }])
  })
})

test('an address that leads into an interface of another agent is refused, whoever had it before', () => {
  const state = {
    inbounds: [inbound('wg-1')],
    accesses: [shared('c1', '100.64.0.2'), shared('c2', '100.64.0.3'), personal('c3', '100.64.0.4')],
  }
  const before = planned(planTunnels(state, names, nothingBefore).tunnels)
  const { tunnels, troubles } = planTunnels(state, names, before, new Set(['100.64.0.2', '100.64.0.4']))
  expect(tunnels.map(({ peers }) => [...peers.keys()])).toEqual([['c2']])
  const used = expect.stringContaining('is used by another agent on this machine')
  expect(troubles).toEqual([
    { id: 'c1', revision: 4, reason: used },
    { id: 'c3', revision: 4, reason: used },
  ])
})
