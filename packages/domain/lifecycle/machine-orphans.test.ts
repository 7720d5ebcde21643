import { expect, test } from 'vitest'
import { type Finding, judgeListed, type OrderedMachine } from './machine-orphans.ts'

const now = 100_000
const here = 1
const known: OrderedMachine = { cloudId: here, ref: 'a', isAsked: false, isGone: false, orderedAt: 1000 }

test.each<[string, OrderedMachine | undefined, number, Finding]>([
  ['the one we know', known, 2000, 'right'],
  ['of an order nobody knows', undefined, 0, 'unknown'],
  ['from before the order', known, 600, 'unknown'],
  ['from before the order, by a provider’s clock', known, 800, 'right'],
  ['of one that is gone', { ...known, isGone: true }, now, 'extra'],
  ['beside the one we know', { ...known, ref: 'b' }, 2000, 'extra'],
  ['beside the one we know, just made', { ...known, ref: 'b' }, now - 60, 'right'],
  ['asked for, and not written down yet', { ...known, ref: null, isAsked: true }, 2000, 'right'],
  ['not asked for here', { ...known, cloudId: 2, ref: null, isAsked: true }, 2000, 'extra'],
  ['while another provider has the one we know', { ...known, cloudId: 2 }, 2000, 'extra'],
  ['while nobody is asked', { ...known, cloudId: null, ref: null }, 2000, 'extra'],
])('%s', (_, machine, createdAt, finding) => {
  expect(judgeListed({ ref: 'a', order: 7, createdAt }, here, machine, now)).toBe(finding)
})
