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
])('%s', (_what, grants, end) => expect(endDay(...grants)).toBe(end))
