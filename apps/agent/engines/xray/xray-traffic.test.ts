import { expect, test } from 'vitest'
import { trafficByAccess } from './xray-traffic.ts'

test('all names that an access had in one run are counted together', () => {
  const accessOf = new Map([
    ['old', 's1'],
    ['new', 's1'],
    ['other', 's2'],
  ])
  const counted = [
    { id: 'old', up: 10, down: 1000 },
    { id: 'c1', up: 1, down: 2 },
    { id: 'new', up: 5, down: 400 },
    { id: 'other', up: 3, down: 4 },
  ]
  expect(trafficByAccess(counted, accessOf)).toEqual([
    { id: 's1', up: 15, down: 1400 },
    { id: 'c1', up: 1, down: 2 },
    { id: 's2', up: 3, down: 4 },
  ])
})
