import { expect, test } from 'vitest'
import { type Finding, judgeListed, type OrderedMachine } from './machine-orphans.ts'

const now = 100_000
const here = 1
const known: OrderedMachine = { cloudId: here, ref: 'a', isAsked: false, isGone: false }

test.each<[string, OrderedMachine | undefined, number, Finding]>([
  ['the one we know', known, 0, 'right'],
  ['of an order nobody knows', undefined, 0, 'unknown'],
  ['of one that is gone', { ...known, isGone: true }, now, 'extra'],
  ['beside the one we know', { ...known, ref: 'b' }, 0, 'extra'],
  ['beside the one we know, just made', { ...known, ref: 'b' }, now - 60, 'right'],
  ['asked for, and not written down yet', { ...known, ref: null, isAsked: true }, 0, 'right'],
  ['not asked for here', { ...known, cloudId: 2, ref: null, isAsked: true }, 0, 'extra'],
  ['while another provider has the one we know', { ...known, cloudId: 2 }, 0, 'extra'],
  ['while nobody is asked', { ...known, cloudId: null, ref: null }, 0, 'extra'],
])('%s', (_, machine, createdAt, finding) => {
  expect(judgeListed({ ref: 'a', order: 7, createdAt }, here, machine, now)).toBe(finding)
})
