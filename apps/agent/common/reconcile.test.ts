import type { DesiredState, InboundOf } from '@sallyport/contract/agent/agent'
import type { ProxyAccess, SharedAccess, XrayServed } from '@sallyport/domain/vpn/engine/xray-accounts'
import { expect, test } from 'vitest'
import { type Changes, diff, emptyState, hashOf, mergeAnswer } from './reconcile.ts'

const inbound = (tag: string, port = 443): InboundOf<'vless'> => ({
  tag,
  protocol: 'vless',
  listen: '0.0.0.0',
  port,
  reality: { target: 'a:443', server_names: ['a'], private_key: 'k', short_ids: ['00'] },
})
const access = (id: string, uuid = 'u', tag = 'in', revision = 1): SharedAccess => ({
  id,
  revision,
  kind: 'shared',
  inbound: tag,
  account: { protocol: 'vless', uuid, flow: '' },
})
const answer = (fields: Partial<DesiredState>): DesiredState => ({
  kind: 'snapshot',
  revision: 5,
  hash: '',
  inbounds: [inbound('in')],
  accesses: [],
  removed: [],
  trials: [],
  ...fields,
})

test('a snapshot replaces everything', () => {
  const current = { revision: 3, inbounds: [inbound('old')], accesses: [access('c1')] }
  expect(mergeAnswer(current, answer({ accesses: [access('c2')] }))).toEqual({
    revision: 5,
    inbounds: [inbound('in')],
    accesses: [access('c2')],
  })
})

test('a delta adds, replaces and removes', () => {
  const current = { revision: 3, inbounds: [], accesses: [access('c1'), access('c2'), access('c3')] }
  const delta = answer({
    kind: 'delta',
    accesses: [access('c2', 'new'), access('c4')],
    removed: ['c1', 'c9'],
  })
  expect(mergeAnswer(current, delta)).toEqual({
    revision: 5,
    inbounds: [inbound('in')],
    accesses: [access('c2', 'new'), access('c3'), access('c4')],
  })
})

test('applying a delta twice changes nothing more', () => {
  const delta = answer({ kind: 'delta', accesses: [access('c2')], removed: ['c1'] })
  const once = mergeAnswer({ revision: 3, inbounds: [], accesses: [access('c1')] }, delta)
  expect(mergeAnswer(once, delta)).toEqual(once)
})

test('unchanged keeps what there is', () => {
  const current = { revision: 5, inbounds: [inbound('in')], accesses: [access('c1')] }
  expect(mergeAnswer(current, answer({ kind: 'unchanged', inbounds: [] }))).toEqual(current)
})

test('the hash of an empty node', () => {
  expect(hashOf(emptyState)).toBe('0000000000000000')
})

const nothing: Changes = {
  usersToRemove: [],
  inboundsToRemove: [],
  proxiesToRemove: [],
  exitsToRemove: [],
  accessesToCut: [],
  accessesToReroute: [],
  exitsToAdd: [],
  inboundsToAdd: [],
  proxiesToAdd: [],
  usersToAdd: [],
}
const bridged = (id: string, outbound = '{}'): SharedAccess => ({
  ...access(id),
  exit: { outbound, direct_domains: [], direct_networks: [] },
})
const proxy = (id: string, port = 1080): ProxyAccess => ({
  id,
  revision: 1,
  kind: 'proxy',
  protocol: 'http',
  listen: '0.0.0.0',
  port,
  user: 'u',
  password: 'p',
})
const base: XrayServed = {
  inbounds: [inbound('in'), inbound('other', 444)],
  accesses: [access('c1'), access('c2')],
}

const withAccesses = (...accesses: XrayServed['accesses']): XrayServed => ({ ...base, accesses })

const cases: [string, XrayServed, XrayServed, Partial<Changes>][] = [
  ['nothing', base, base, {}],
  ['only a revision changed', base, { ...base, accesses: [access('c1', 'u', 'in', 9), access('c2')] }, {}],
  [
    'one user more',
    base,
    { ...base, accesses: [...base.accesses, access('c3')] },
    { usersToAdd: [access('c3')] },
  ],
  [
    'one user less',
    base,
    { ...base, accesses: [access('c1')] },
    { usersToRemove: [access('c2')], accessesToCut: [access('c2')] },
  ],
  [
    'other credentials',
    base,
    { ...base, accesses: [access('c1'), access('c2', 'new')] },
    { usersToRemove: [access('c2')], accessesToCut: [access('c2')], usersToAdd: [access('c2', 'new')] },
  ],
  [
    'moved to another inbound',
    base,
    { ...base, accesses: [access('c1'), access('c2', 'u', 'other')] },
    {
      usersToRemove: [access('c2')],
      accessesToCut: [access('c2')],
      usersToAdd: [access('c2', 'u', 'other')],
    },
  ],
  [
    'a changed inbound comes back with its users and cuts nobody',
    base,
    { ...base, inbounds: [inbound('in', 8443), inbound('other', 444)] },
    { inboundsToRemove: [inbound('in')], inboundsToAdd: [inbound('in', 8443)] },
  ],
  [
    'an inbound goes with its users',
    base,
    { inbounds: [inbound('other', 444)], accesses: [] },
    { inboundsToRemove: [inbound('in')], accessesToCut: [...base.accesses] },
  ],
  [
    'a user is removed from an inbound that changes',
    base,
    { inbounds: [inbound('in', 8443), inbound('other', 444)], accesses: [access('c1')] },
    {
      inboundsToRemove: [inbound('in')],
      inboundsToAdd: [inbound('in', 8443)],
      accessesToCut: [access('c2')],
    },
  ],
  ['a proxy more', base, withAccesses(...base.accesses, proxy('s1')), { proxiesToAdd: [proxy('s1')] }],
  [
    'a proxy less',
    withAccesses(proxy('s1'), proxy('s2')),
    withAccesses(proxy('s2')),
    { proxiesToRemove: [proxy('s1')], accessesToCut: [proxy('s1')] },
  ],
  [
    'a proxy at another port',
    withAccesses(proxy('s1')),
    withAccesses(proxy('s1', 1081)),
    {
      proxiesToRemove: [proxy('s1')],
      accessesToCut: [proxy('s1')],
      proxiesToAdd: [proxy('s1', 1081)],
    },
  ],
  [
    'a bridged user more',
    base,
    withAccesses(...base.accesses, bridged('c3')),
    { exitsToAdd: [bridged('c3')], usersToAdd: [bridged('c3')] },
  ],
  [
    'a bridge is put up: the user goes another way from now on, and nobody else is touched',
    base,
    withAccesses(bridged('c1'), access('c2')),
    {
      usersToRemove: [access('c1')],
      accessesToReroute: [access('c1')],
      exitsToAdd: [bridged('c1')],
      usersToAdd: [bridged('c1')],
    },
  ],
  [
    'a bridge leads elsewhere',
    withAccesses(bridged('c1')),
    withAccesses(bridged('c1', '{"other":1}')),
    {
      usersToRemove: [bridged('c1')],
      exitsToRemove: [bridged('c1')],
      accessesToReroute: [bridged('c1')],
      exitsToAdd: [bridged('c1', '{"other":1}')],
      usersToAdd: [bridged('c1', '{"other":1}')],
    },
  ],
  [
    'a bridge is taken down',
    withAccesses(bridged('c1')),
    withAccesses(access('c1')),
    {
      usersToRemove: [bridged('c1')],
      exitsToRemove: [bridged('c1')],
      accessesToReroute: [bridged('c1')],
      usersToAdd: [access('c1')],
    },
  ],
]

test.each(cases)('diff: %s', (_name, from, to, changes) => {
  expect(diff(from, to)).toEqual({ ...nothing, ...changes })
})
