import { diagnosisChecks } from '@sallyport/contract/operator/people/diagnosis'
import { describe, expect, test } from 'vitest'
import { diagnose } from './diagnosis.ts'
import type { AccessFacts, DiagnosisFacts, TermFacts } from './diagnosis-facts.ts'

const access: AccessFacts = {
  id: 11,
  protocol: 'vless',
  serverId: 21,
  nodeId: 31,
  node: 'de-1',
  isPlaced: true,
  problem: null,
  isNodeHeard: true,
  nodeSeenAt: 1_800_000_000,
  nodeError: null,
  isNodeBehind: false,
  engine: 'xray',
  isEngineReady: true,
}
const term: TermFacts = { id: 5, isLive: true, paused: null, expiresAt: 1_800_086_400, isStopped: false }
const payment = { stuckOrder: null, aside: null, waitingOrder: null, hasRenewalFailed: false }
const well: DiagnosisFacts = {
  isDeleted: false,
  isBlocked: false,
  hadTerms: true,
  terms: [term],
  accesses: [access],
  emptyTerms: [],
  machines: [],
  payment,
  fetch: { at: 1_800_000_000, app: 'Happ/3.7.0', outcome: 'served' },
  isFetchStale: false,
  trafficAt: 1_800_000_100,
}

const written = (seconds: number) => `<${seconds}>`
const reasonOf = (facts: DiagnosisFacts) => diagnose(facts, written).find(({ state }) => state === 'problem')
const withAccess = (changed: Partial<AccessFacts>) => ({
  ...well,
  accesses: [access, { ...access, id: 12, ...changed }],
})
const withTerm = (changed: Partial<TermFacts>) => ({ ...well, terms: [term, { ...term, id: 6, ...changed }] })
const nothing = { ...well, terms: [], accesses: [], fetch: null, trafficAt: null }

test('of somebody for whom everything works every check is right, in the promised order', () => {
  const findings = diagnose(well, written)
  expect(findings.map(({ check }) => check)).toEqual([...diagnosisChecks])
  expect(new Set(findings.map(({ state }) => state))).toEqual(new Set(['ok']))
})

const table: readonly [
  name: string,
  facts: DiagnosisFacts,
  check: string,
  operation: string | undefined,
  text: string,
][] = [
  ['a deleted account', { ...nothing, isDeleted: true, hadTerms: false }, 'account', undefined, 'deleted'],
  ['a closed account', { ...well, isBlocked: true }, 'account', 'blockUser', 'closed'],
  ['nothing bought', { ...nothing, hadTerms: false }, 'term', 'grantProduct', 'Nothing was ever bought'],
  ['everything gone', nothing, 'term', 'grantProduct', 'is gone'],
  [
    'everything ended',
    { ...nothing, terms: [{ ...term, isLive: false }] },
    'term',
    'changeTermDays',
    'the last at <1800086400>',
  ],
  ['switched off', withTerm({ paused: 'operator' }), 'term', 'changeUserOption', 'Term 6'],
  [
    'paid and not given',
    { ...well, payment: { ...payment, stuckOrder: 7 } },
    'payment',
    'refundPayment',
    'Order 7',
  ],
  [
    'money aside',
    { ...well, payment: { ...payment, aside: { receiptId: 8, orderId: 7 } } },
    'payment',
    'creditReceipt',
    'Receipt 8',
  ],
  [
    'no money to renew',
    { ...well, payment: { ...payment, hasRenewalFailed: true } },
    'payment',
    'adjustBalance',
    'money',
  ],
  [
    'a machine on its way',
    { ...well, machines: [{ id: 3, problem: 'no stock' }] },
    'access',
    'retryMachine',
    'no stock',
  ],
  ['a term with nothing', { ...well, emptyTerms: [6] }, 'access', undefined, 'Term 6'],
  ['not placed', withAccess({ isPlaced: false }), 'placement', undefined, 'Configuration 12'],
  ['not carried', withAccess({ problem: 'port is taken' }), 'placement', 'startDrain', 'port is taken'],
  ['nobody can carry it', withTerm({ isStopped: true }), 'placement', 'createServer', 'term 6'],
  [
    'a silent node',
    withAccess({ isNodeHeard: false, node: 'de-2' }),
    'node',
    'createEnrolment',
    'de-2 is silent',
  ],
  [
    'a node that never came',
    withAccess({ isNodeHeard: false, nodeSeenAt: null }),
    'node',
    'createEnrolment',
    'never',
  ],
  ['a node in trouble', withAccess({ nodeError: 'disk is full' }), 'node', undefined, 'disk is full'],
  ['no engine', withAccess({ isEngineReady: false }), 'engine', 'startDrain', 'xray (vless)'],
  ['traffic used up', withTerm({ paused: 'quota' }), 'limit', 'changeUserOption', 'term 6'],
  ...(['limit', 'blocked', 'unknown', 'no_hwid'] as const).map((outcome): (typeof table)[number] => [
    `refused: ${outcome}`,
    { ...well, fetch: { at: 1, app: 'Happ', outcome } },
    'devices',
    outcome === 'no_hwid' ? 'changeDeliverySettings' : 'createNotification',
    'refused',
  ]),
  ['never fetched', { ...well, fetch: null }, 'last_fetch', 'createNotification', 'ever fetched'],
  [
    'fetched before it changed',
    { ...well, isFetchStale: true },
    'last_fetch',
    'createNotification',
    'Happ/3.7.0',
  ],
  ['no traffic', { ...well, trafficAt: null }, 'last_traffic', 'createNotification', 'no traffic'],
]

describe('the reason', () => {
  test.each(table)('%s', (_name, facts, check, operation, text) => {
    const reason = reasonOf(facts)
    expect([reason?.check, reason?.operation]).toEqual([check, operation])
    expect(reason?.text_en).toContain(text)
    expect(reason?.text_ru).toMatch(/[а-яё]/i)
  })

  test('is what comes first, whatever else is wrong', () => {
    const facts = {
      ...withAccess({ isNodeHeard: false, isEngineReady: false }),
      isBlocked: true,
      trafficAt: null,
    }
    expect(reasonOf(facts)?.check).toBe('account')
  })
})

describe('the reason names what it is about', () => {
  const silent = withAccess({ isNodeHeard: false, nodeId: 32 })
  const refused = withAccess({ problem: 'port is taken', serverId: 22 })
  const aside = { ...well, payment: { ...payment, aside: { receiptId: 8, orderId: 7 } } }
  test.each([
    ['a term', withTerm({ paused: 'quota' }), 'term:6'],
    ['what ended', { ...nothing, terms: [{ ...term, isLive: false }] }, 'term:5'],
    ['an order', { ...well, payment: { ...payment, stuckOrder: 7 } }, 'order:7'],
    ['the order of money aside', aside, 'order:7'],
    ['a machine', { ...well, machines: [{ id: 3, problem: null }] }, 'machine:3'],
    ['a node', silent, 'node:32'],
    ['a server', refused, 'server:22'],
    ['nothing but the customer', { ...well, isBlocked: true }, undefined],
  ] as const)('%s', (_name, facts, subject) => {
    expect(reasonOf(facts)?.subject).toBe(subject)
  })
})

describe('what cannot be known', () => {
  const stateOf = (facts: DiagnosisFacts, check: string) =>
    diagnose(facts, written).find((finding) => finding.check === check)?.state

  test('nothing is on', () => {
    for (const check of ['access', 'placement', 'node', 'engine', 'last_traffic']) {
      expect(stateOf(nothing, check), check).toBe('unknown')
    }
  })
  test('a payment is waited for', () => {
    expect(stateOf({ ...well, payment: { ...payment, waitingOrder: 4 } }, 'payment')).toBe('unknown')
  })
  test('changes are under way', () => {
    expect(stateOf(withAccess({ isNodeBehind: true }), 'node')).toBe('unknown')
  })
  test('the engine of a silent node', () => {
    expect(stateOf(withAccess({ isNodeHeard: false, isEngineReady: false }), 'engine')).toBe('unknown')
  })
})
