import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AllowedHours, nextAllowed, reminderTime } from './quiet-hours.ts'

const day = 86_400
const at = (time: string) => Date.parse(`2026-03-${time}Z`) / 1000
const hours = (startHour: number, endHour: number, offsetMinutes = 0): AllowedHours => ({
  startHour,
  endHour,
  offsetMinutes,
})

describe('the first allowed moment', () => {
  test.each([
    ['at noon', '10T12:00:00', hours(9, 21), '10T12:00:00'],
    ['at the start, which counts', '10T09:00:00', hours(9, 21), '10T09:00:00'],
    ['a second before the start', '10T08:59:59', hours(9, 21), '10T09:00:00'],
    ['a second before the end', '10T20:59:59', hours(9, 21), '10T20:59:59'],
    ['at the end, which does not count', '10T21:00:00', hours(9, 21), '11T09:00:00'],
    ['after the end', '10T23:30:00', hours(9, 21), '11T09:00:00'],
    ['at midnight', '11T00:00:00', hours(9, 21), '11T09:00:00'],
    ['before midnight, hours that wrap', '10T23:00:00', hours(22, 6), '10T23:00:00'],
    ['at midnight, hours that wrap', '11T00:00:00', hours(22, 6), '11T00:00:00'],
    ['a second before their end', '11T05:59:59', hours(22, 6), '11T05:59:59'],
    ['at their end', '11T06:00:00', hours(22, 6), '11T22:00:00'],
    ['between their end and start', '11T12:00:00', hours(22, 6), '11T22:00:00'],
    ['at their start', '11T22:00:00', hours(22, 6), '11T22:00:00'],
    ['until midnight', '10T23:59:59', hours(20, 0), '10T23:59:59'],
    ['until midnight, at midnight', '11T00:00:00', hours(20, 0), '11T20:00:00'],
    ['from midnight', '10T23:59:59', hours(0, 1), '11T00:00:00'],
    ['from midnight, an hour later', '11T01:00:00', hours(0, 1), '12T00:00:00'],
    ['equal hours are the whole day', '11T03:17:05', hours(9, 9), '11T03:17:05'],
    ['midnight twice is the whole day', '11T00:00:00', hours(0, 0), '11T00:00:00'],
    ['Moscow, night', '10T18:00:00', hours(9, 21, 180), '11T06:00:00'],
    ['Moscow, morning', '10T06:00:00', hours(9, 21, 180), '10T06:00:00'],
    ['India, a second before its start', '10T03:29:59', hours(9, 21, 330), '10T03:30:00'],
    ['Newfoundland', '10T12:29:59', hours(9, 21, -210), '10T12:30:00'],
    ['the farthest east', '10T18:59:59', hours(9, 21, 840), '10T19:00:00'],
    ['the farthest west', '10T20:59:59', hours(9, 21, -720), '10T21:00:00'],
    ['the farthest west, at the end', '10T09:00:00', hours(9, 21, -720), '10T21:00:00'],
  ])('%s', (_what, now, allowed, expected) => {
    expect(nextAllowed(at(now), allowed)).toBe(at(expected))
  })

  /** Said another way than in the rule: by the hour the customer's clock shows. */
  const isAllowed = (moment: number, { startHour, endHour, offsetMinutes }: AllowedHours): boolean => {
    const hour = new Date((moment + offsetMinutes * 60) * 1000).getUTCHours()
    if (startHour === endHour) return true
    return startHour < endHour ? hour >= startHour && hour < endHour : hour >= startHour || hour < endHour
  }

  const hour = fc.integer({ min: 0, max: 23 })
  const anyHours = fc.record({
    startHour: hour,
    endHour: hour,
    offsetMinutes: fc.oneof(
      fc.integer({ min: -720, max: 840 }),
      fc.integer({ min: -24, max: 28 }).map((halves) => halves * 30),
    ),
  })
  const anyNow = fc.oneof(
    fc.integer({ min: 0, max: 4_000_000_000 }),
    fc.integer({ min: 0, max: 1_000_000 }).map((whole) => whole * 3600),
    fc.integer({ min: 0, max: 1_000_000 }).map((whole) => whole * 1800 - 1),
  )

  test('is allowed, within a day, and nothing allowed comes before it', () => {
    fc.assert(
      fc.property(anyNow, anyHours, (now, allowed) => {
        const found = nextAllowed(now, allowed)
        expect(found).toBeGreaterThanOrEqual(now)
        expect(found).toBeLessThan(now + day)
        expect(isAllowed(found, allowed)).toBe(true)
        if (found === now) return
        // Hours begin on whole minutes whatever the offset, so looking once a minute misses nothing.
        expect(isAllowed(now, allowed) || isAllowed(found - 1, allowed)).toBe(false)
        for (let moment = Math.ceil(now / 60) * 60; moment < found; moment += 60) {
          if (isAllowed(moment, allowed)) expect.fail(`${moment} is allowed and comes before ${found}`)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('is the same moment for everyone who asks before it', () => {
    fc.assert(
      fc.property(anyNow, anyHours, fc.double({ min: 0, max: 1, noNaN: true }), (now, allowed, part) => {
        const found = nextAllowed(now, allowed)
        expect(nextAllowed(now + Math.floor((found - now) * part), allowed)).toBe(found)
      }),
    )
  })
})

describe('the time of a reminder', () => {
  test.each([
    ['waits for the morning', '10T22:00:00', '13T22:00:00', '11T09:00:00'],
    ['at once by day', '10T12:00:00', '11T12:00:00', '10T12:00:00'],
    ['an hour before an end in the night', '10T22:00:00', '11T08:00:00', '11T07:00:00'],
    ['the morning, when it is that hour', '10T22:00:00', '11T10:00:00', '11T09:00:00'],
    ['at once when the end is nearer than an hour', '10T22:00:00', '10T22:30:00', '10T22:00:00'],
  ])('%s', (_what, now, end, expected) => {
    expect(reminderTime(at(now), at(end), hours(9, 21))).toBe(at(expected))
  })
})
