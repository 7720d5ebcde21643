import { expect, test } from 'vitest'
import { endOf, secondsInDay } from './period.ts'

const on = (day: number, days: number) => ({ at: day * secondsInDay, days })
const endDay = (...grants: ReturnType<typeof on>[]) => endOf(grants) / secondsInDay

test.each([
  ['nothing', [], 0],
  ['one order', [on(0, 30)], 30],
  ['a renewal before the end', [on(0, 30), on(29, 30)], 60],
  ['a renewal after the end', [on(0, 30), on(40, 30)], 70],
  ['a renewal whose first order was refunded', [on(29, 30)], 59],
  ['two renewals at once', [on(0, 30), on(1, 90), on(1, 30)], 150],
  ['days that are taken', [on(0, 30), on(10, -5)], 25],
  ['more than are left end it then', [on(0, 30), on(10, -3650)], 10],
  ['and a renewal goes on from there', [on(0, 30), on(10, -3650), on(12, 30)], 42],
  ['taken from what was not there yet by then', [on(0, 30), on(10, -25), on(20, 30)], 50],
  ['nothing is taken from what has ended', [on(0, 30), on(40, -5), on(41, 30)], 71],
  ['taken days alone', [on(10, -5)], 0],
])('%s', (_what, grants, end) => expect(endDay(...grants)).toBe(end))

test.each([
  [
    'one that went into another leaves what it had',
    [
      [0, 30, null],
      [0, 30, 29],
    ],
    31,
  ],
  [
    'nothing when it had ended',
    [
      [0, 30, null],
      [0, 10, 20],
    ],
    30,
  ],
  [
    'after the end of the other from then on',
    [
      [0, 10, null],
      [0, 30, 20],
    ],
    30,
  ],
  [
    'later grants follow',
    [
      [0, 30, null],
      [0, 30, 29],
      [29, 90, null],
    ],
    121,
  ],
  [
    'two of the other line',
    [
      [0, 30, null],
      [0, 10, 5],
      [2, 10, 5],
    ],
    45,
  ],
  [
    'both went, at different times',
    [
      [0, 30, null],
      [0, 30, 10],
      [0, 30, 20],
    ],
    60,
  ],
] as const)('%s', (_name, grants, days) => {
  const made = grants.map(([at, length, merged]) => ({
    at: at * secondsInDay,
    days: length,
    mergedAt: merged === null ? null : merged * secondsInDay,
  }))
  expect(endOf(made) / secondsInDay).toBe(days)
})
