import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type MachineFacts, type MachineStep, stepOf } from './machine-step.ts'

const now = 1000

/** Delivered, on, and nothing to do about it. */
const atRest: MachineFacts = {
  status: 'active',
  wanted: 'on',
  offer: { isByHand: false },
  isAsked: false,
  isKnown: true,
  isBusy: false,
  hasAddress: true,
  isAbandoned: false,
  isDelivered: true,
  isOverdue: false,
  isOn: true,
  rebootAt: null,
  isRebooting: false,
}
const fresh: Partial<MachineFacts> = {
  status: 'ordered',
  offer: null,
  isKnown: false,
  hasAddress: false,
  isOn: false,
  isDelivered: false,
}

describe('what comes next', () => {
  test.each<[string, Partial<MachineFacts>, MachineStep]>([
    ['an order', fresh, 'choose'],
    ['an offer', { ...fresh, offer: { isByHand: false } }, 'create'],
    ['an offer by hand', { ...fresh, offer: { isByHand: true } }, 'ask'],
    ['asked, answer unknown', { ...fresh, offer: { isByHand: false }, isAsked: true }, 'find'],
    ['made, being set up', { status: 'purchased', isBusy: true, hasAddress: false }, 'follow'],
    ['made, no address', { status: 'purchased', hasAddress: false }, 'look'],
    ['made, with an address', { status: 'purchased' }, 'await'],
    ['at rest', {}, 'rest'],
    ['a restart in a moment', { rebootAt: now + 1 }, 'rest'],
    ['a restart now', { rebootAt: now }, 'reboot'],
    ['restarting', { isRebooting: true }, 'watch'],
    ['ended', { wanted: 'off' }, 'power off'],
    ['ended and off', { wanted: 'off', isOn: false }, 'rest'],
    ['ended, not restarted', { wanted: 'off', isOn: false, rebootAt: now }, 'rest'],
    ['renewed', { isOn: false }, 'power on'],
    ['ended before it came', { ...fresh, wanted: 'off' }, 'give up'],
    ['ended before it called home', { wanted: 'off', isDelivered: false }, 'destroy'],
    ['waited for too long', { ...fresh, isOverdue: true }, 'give up'],
    ['made, and waited for too long', { isBusy: true, isDelivered: false, isOverdue: true }, 'give up'],
    ['asked, and waited for too long', { ...fresh, isAsked: true, isOverdue: true }, 'give up'],
    ['of no use, and waited for too long', { ...fresh, isAbandoned: true, isOverdue: true }, 'give up'],
    ['gone, and waited for too long', { wanted: 'gone', isDelivered: false, isOverdue: true }, 'destroy'],
    ['lost, and waited for too long', { ...fresh, isDelivered: true, isOverdue: true }, 'choose'],
    ['lost, and ended', { ...fresh, wanted: 'off', isDelivered: true }, 'rest'],
    ['ended while asked for', { ...fresh, wanted: 'off', isAsked: true }, 'find'],
    ['gone', { wanted: 'gone' }, 'destroy'],
    ['going', { wanted: 'gone', isBusy: true }, 'follow'],
    ['gone at the provider', { wanted: 'gone', isKnown: false }, 'forget'],
    ['gone while asked for', { ...fresh, wanted: 'gone', isAsked: true }, 'find'],
    ['of no use', { isAbandoned: true }, 'destroy'],
    ['of no use and gone', { isAbandoned: true, isKnown: false }, 'forget'],
  ])('%s', (_, facts, step) => {
    expect(stepOf({ ...atRest, ...facts }, now)).toBe(step)
  })

  const facts = fc.record<MachineFacts>({
    status: fc.constantFrom('ordered', 'purchased', 'active'),
    wanted: fc.constantFrom('on', 'off', 'gone'),
    offer: fc.option(fc.record({ isByHand: fc.boolean() })),
    isAsked: fc.boolean(),
    isKnown: fc.boolean(),
    isBusy: fc.boolean(),
    hasAddress: fc.boolean(),
    isAbandoned: fc.boolean(),
    isDelivered: fc.boolean(),
    isOverdue: fc.boolean(),
    isOn: fc.boolean(),
    rebootAt: fc.option(fc.integer({ min: 0, max: 2000 })),
    isRebooting: fc.boolean(),
  })

  test('a machine is asked for only where none may be', () => {
    fc.assert(
      fc.property(facts, (given) => {
        if (stepOf(given, now) !== 'create') return
        expect(given).toMatchObject({ isKnown: false, isAsked: false, wanted: 'on', isAbandoned: false })
      }),
    )
  })

  test('what is not wanted is not forgotten while it may be there', () => {
    fc.assert(
      fc.property(facts, (given) => {
        if (stepOf(given, now) !== 'forget') return
        expect(given).toMatchObject({ isKnown: false, isAsked: false })
      }),
    )
  })
})
