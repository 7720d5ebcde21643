import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isTimeZone, nextStart, type Step, startOf, startsBetween } from './local-time.ts'

const at = (iso: string): number => Date.parse(iso) / 1000
const iso = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')

test.each([
  ['Europe/Moscow', 'day', '2026-03-01T20:59:59Z', '2026-02-28T21:00:00Z'],
  ['Europe/Moscow', 'day', '2026-03-01T21:00:00Z', '2026-03-01T21:00:00Z'],
  ['Europe/Moscow', 'month', '2026-03-31T20:59:59Z', '2026-02-28T21:00:00Z'],
  ['Europe/Moscow', 'month', '2026-03-31T21:00:00Z', '2026-03-31T21:00:00Z'],
  ['Asia/Kolkata', 'hour', '2026-03-01T10:15:00Z', '2026-03-01T09:30:00Z'],
  ['Asia/Kolkata', 'hour', '2026-03-01T10:30:00Z', '2026-03-01T10:30:00Z'],
  ['Asia/Kathmandu', 'day', '2026-03-01T18:14:59Z', '2026-02-28T18:15:00Z'],
  ['UTC', 'month', '2024-02-29T23:59:59Z', '2024-02-01T00:00:00Z'],
  ['America/New_York', 'hour', '1969-12-31T23:30:00Z', '1969-12-31T23:00:00Z'],
] as const)('in %s the %s of %s began at %s', (zone, step, moment, start) => {
  expect(iso(startOf(at(moment), zone, step))).toBe(start)
})

describe('where clocks are changed', () => {
  const hoursOf = (zone: string, day: string): number => {
    const start = startOf(at(`${day}T12:00:00Z`), zone, 'day')
    return (nextStart(start, zone, 'day') - start) / 3600
  }

  test.each([
    ['Europe/Berlin', '2026-03-29', 23],
    ['Europe/Berlin', '2026-10-25', 25],
    ['Europe/Berlin', '2026-06-01', 24],
    // Midnight itself is skipped, or comes twice.
    ['America/Santiago', '2026-09-06', 23],
    ['America/Havana', '2026-11-01', 25],
    ['Asia/Beirut', '2026-03-29', 23],
  ])('a day of %s, %s, has %d hours', (zone, day, hours) => {
    expect(hoursOf(zone, day)).toBe(hours)
    const start = startOf(at(`${day}T12:00:00Z`), zone, 'day')
    expect(startsBetween(start, nextStart(start, zone, 'day'), zone, 'hour')).toHaveLength(hours)
  })
})

test('what has a part between two moments', () => {
  const days = startsBetween(at('2026-02-27T22:00:00Z'), at('2026-03-01T21:00:00Z'), 'Europe/Moscow', 'day')
  expect(days.map(iso)).toEqual(['2026-02-27T21:00:00Z', '2026-02-28T21:00:00Z'])
  expect(startsBetween(100, 100, 'UTC', 'hour')).toEqual([0])
  expect(startsBetween(100, 0, 'UTC', 'hour')).toEqual([])
  expect(startsBetween(at('2026-01-01T00:00:00Z'), at('2027-01-01T00:00:00Z'), 'UTC', 'month')).toHaveLength(
    12,
  )
})

test('every moment is in one, and they follow each other', () => {
  const zones = ['Europe/Moscow', 'Europe/Berlin', 'America/Havana', 'Asia/Kathmandu', 'Australia/Lord_Howe']
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4_000_000_000 }),
      fc.constantFrom(...zones),
      fc.constantFrom<Step>('day', 'month'),
      (moment, zone, step) => {
        const [start, next] = [startOf(moment, zone, step), nextStart(moment, zone, step)]
        expect(start).toBeLessThanOrEqual(moment)
        expect(next).toBeGreaterThan(moment)
        expect(startOf(next, zone, step)).toBe(next)
        expect(startOf(next - 1, zone, step)).toBe(start)
      },
    ),
    { numRuns: 500 },
  )
})

test('those of a long time are the same as one after another', () => {
  const zones = ['Europe/Moscow', 'Europe/Berlin', 'America/Havana', 'Africa/Casablanca', 'Asia/Kathmandu']
  for (const zone of zones) {
    for (const step of ['hour', 'day', 'month'] as const) {
      const [from, to] = [at('2025-09-20T10:07:00Z'), at('2026-04-20T10:07:00Z')]
      const each: number[] = []
      for (let start = startOf(from, zone, step); start < to; start = nextStart(start, zone, step)) {
        each.push(start)
      }
      expect(startsBetween(from, to, zone, step)).toEqual(each)
    }
  }
})

test.each([
  ['Europe/Moscow', true],
  ['UTC', true],
  ['Mars/Olympus', false],
  ['', false],
])('%s is a time zone: %s', (name, is) => expect(isTimeZone(name)).toBe(is))
