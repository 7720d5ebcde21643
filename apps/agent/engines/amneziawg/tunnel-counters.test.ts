import { expect, test } from 'vitest'
import { TunnelCounters } from './tunnel-counters.ts'

const peer = (id: string, publicKey: string) => ({ id, publicKey, presharedKey: '', address: '' })
const counted = (entries: Record<string, [received: number, sent: number]>) =>
  new Map(Object.entries(entries).map(([key, [received, sent]]) => [key, { received, sent }]))

test('what comes from the customer is up; a peer that counts anew goes on from where it was', () => {
  const counters = new TunnelCounters()
  const [first, second] = [peer('c1', 'aa'), peer('c2', 'bb')]
  const before = counted({ aa: [10, 100], bb: [1, 2] })
  expect(counters.present([first, second], before)).toEqual([
    { id: 'c1', up: 10, down: 100 },
    { id: 'c2', up: 1, down: 2 },
  ])
  counters.keep([first], before)
  const renewed = peer('c1', 'cc')
  expect(counters.present([renewed, second], counted({ bb: [1, 2] }))).toContainEqual({
    id: 'c1',
    up: 10,
    down: 100,
  })
  counters.keep([renewed], counted({ cc: [5, 5] }))
  expect(counters.present([second], counted({ bb: [3, 4] }))).toEqual([
    { id: 'c1', up: 15, down: 105 },
    { id: 'c2', up: 3, down: 4 },
  ])
})
