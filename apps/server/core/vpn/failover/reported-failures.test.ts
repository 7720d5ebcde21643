import { expect, test } from 'vitest'
import { emptyReport } from '../../../../../test/support/node.ts'
import { isOfPlace, isSilent, saidOf } from './reported-failures.ts'

const engine = (
  name: 'xray' | 'amneziawg' | 'mtg',
  state: 'running' | 'crashed' | 'missing' | 'refused',
) => ({
  name,
  state,
  version: null,
  detail: null,
})

test('a node that carries everything says nothing', () => {
  expect(isSilent(saidOf(emptyReport))).toBe(true)
  const told = { inbounds: [], accesses: [], unfit: [] }
  expect(isSilent(saidOf({ ...emptyReport, not_carried: told }))).toBe(true)
})

test('what is named, with the reasons that were given; strange names are nobody', () => {
  const refused = [{ id: 'a7', revision: 3, reason: 'port 9 is taken by another program' }]
  const told = {
    inbounds: [{ tag: 'vless-3', reason: 'x' }],
    accesses: ['a7', 'a0', "a1' or 1=1"],
    unfit: ['a8'],
  }
  expect(saidOf({ ...emptyReport, refused, not_carried: told })).toEqual({
    closed: [{ tag: 'vless-3', reason: 'x' }],
    named: [
      { accessId: 7, reason: 'port 9 is taken by another program', isUnfit: false },
      { accessId: 8, reason: '', isUnfit: true },
    ],
    absent: [],
  })
})

test('of an older agent its refusals are believed, and the inbounds that its sentence names', () => {
  const refused = [{ id: 'a7', revision: 3, reason: 'no' }]
  const apply_error =
    'inbound vless-2410-3: port 443 is taken by another program; access a7: no; inbound wg-12: UDP port 5 is taken'
  expect(saidOf({ ...emptyReport, refused, apply_error })).toEqual({
    closed: [
      { tag: 'vless-2410-3', reason: 'port 443 is taken by another program' },
      { tag: 'wg-12', reason: 'UDP port 5 is taken' },
    ],
    named: [{ accessId: 7, reason: 'no', isUnfit: false }],
    absent: [],
  })
})

test('engines that are not there; what has crashed is told by those who know whom it served', () => {
  const engines = [engine('xray', 'crashed'), engine('amneziawg', 'crashed'), engine('mtg', 'missing')]
  expect(saidOf({ ...emptyReport, engines }).absent).toEqual(['xray', 'mtg'])
  const not_carried = { inbounds: [], accesses: [], unfit: [] }
  expect(saidOf({ ...emptyReport, engines, not_carried }).absent).toEqual(['mtg'])
  expect(saidOf({ ...emptyReport, engines: [engine('amneziawg', 'refused')] }).absent).toEqual(['amneziawg'])
})

test.each([
  ['access a3: port 12000 is taken by another program', true],
  ['UDP port 12000 may not be opened by this user', true],
  ['its address 100.64.0.7 is used by another agent on this machine', true],
  ['inbound wg-3 is not served', true],
  ['Xray did not start: exit 23', true],
  ['www.example.com leads to an address that is not public: name another site', false],
  ['unknown transport protocol', false],
])('%s: the place is at fault %s', (reason, expected) => {
  expect(isOfPlace(reason)).toBe(expected)
})
