import { beforeEach, describe, expect, test } from 'vitest'
import { AdmissionLimit, boundsOfAll, boundsOfChanges, isPlainRead } from './admission-limit.ts'

const most = 500
let nowMs: number
let lagMs: number
const clock = { nowMs: () => nowMs, lagMs: () => lagMs }
let limit: AdmissionLimit
beforeEach(() => {
  nowMs = 0
  lagMs = 0
  limit = new AdmissionLimit(boundsOfAll(most), clock)
})

interface Load {
  readonly seconds: number
  /** Callers that come, and how many of them get through, in a second. */
  readonly arriving: number
  readonly answered: number
  readonly isRead?: boolean
}

const answer = (isRead: boolean, cameMs: number): void => {
  limit.answered()
  if (isRead) limit.waited(nowMs - cameMs)
}

/** One after another through a narrow place, as through a database that is busy. */
const run = ({ seconds, arriving, answered, isRead = true }: Load) => {
  const inside: number[] = []
  const waited: number[] = []
  let [came, went] = [0, 0]
  const until = nowMs + seconds * 1000
  for (const beganMs = nowMs; nowMs < until; nowMs += 5) {
    for (; came < ((nowMs - beganMs) * arriving) / 1000; came++) {
      if (!limit.hasRoom(1)) continue
      limit.enter()
      inside.push(nowMs)
    }
    for (; went < ((nowMs - beganMs) * answered) / 1000; went++) {
      const cameMs = inside.shift()
      if (cameMs === undefined) continue
      answer(isRead, cameMs)
      limit.leave()
      waited.push(nowMs - cameMs)
    }
  }
  const lastWaitMs = waited.at(-1) ?? 0
  for (const cameMs of inside) {
    answer(isRead, cameMs)
    limit.leave()
  }
  return { answers: waited.length, lastWaitMs }
}

describe('three times what gets through', () => {
  test.each([
    ['slow', 250],
    ['quicker', 600],
  ])('waits about half a second on a %s machine, and as many are answered', (_name, answered) => {
    const { answers, lastWaitMs } = run({ seconds: 30, arriving: 3 * answered, answered })
    expect(lastWaitMs).toBeGreaterThan(250)
    expect(lastWaitMs).toBeLessThan(1000)
    expect(answers).toBeGreaterThan(0.95 * 30 * answered)
  })

  test('afterwards there is room for all again: at once where nobody is left, else within some seconds', () => {
    run({ seconds: 30, arriving: 750, answered: 250 })
    expect(limit.most).toBe(most)
    limit.enter()
    run({ seconds: 30, arriving: 750, answered: 250 })
    expect(limit.most).toBeLessThan(200)
    run({ seconds: 9, arriving: 50, answered: 100 })
    expect(limit.most).toBe(most)
  })

  test('a hundred are let in however slow it is', () => {
    limit.enter()
    run({ seconds: 60, arriving: 30, answered: 10 })
    expect(limit.most).toBe(100)
  })

  test('who was let in goes on, though the line has become shorter', () => {
    limit.enter()
    run({ seconds: 60, arriving: 30, answered: 10 })
    for (let n = 0; n < 200; n++) limit.enter()
    expect([limit.hasRoom(1), limit.hasRoomInside(1)]).toEqual([false, true])
  })
})

describe('a thread that is behind with its work', () => {
  test('makes wait what it has not read yet, and that counts', () => {
    lagMs = 2000
    limit.enter()
    run({ seconds: 10, arriving: 500, answered: 500 })
    expect(limit.most).toBe(250)
  })

  test('is not done because its line is empty for a moment', () => {
    lagMs = 2000
    run({ seconds: 10, arriving: 300, answered: 100 })
    expect(limit.length).toBe(0)
    expect(limit.most).toBe(100)
    lagMs = 0
    expect(limit.hasRoom(1)).toBe(true)
    expect(limit.most).toBe(most)
  })
})

test('of those who change something sixteen are let in however slow it is, and all when nobody is left', () => {
  limit = new AdmissionLimit(boundsOfChanges(most), clock)
  limit.enter()
  run({ seconds: 1.5, arriving: 90, answered: 30 })
  expect(limit.most).toBe(most)
  run({ seconds: 10, arriving: 90, answered: 30 })
  expect(limit.most).toBe(16)
  limit.leave()
  expect(limit.most).toBe(most)
})

test('what is quick is bounded by number alone', () => {
  run({ seconds: 10, arriving: 3000, answered: 1200 })
  expect(limit.most).toBe(most)
})

test('slow payment providers take no room from others', () => {
  run({ seconds: 30, arriving: 20, answered: 5, isRead: false })
  expect(limit.most).toBe(most)
})

test('a bound that is small already stays', () => {
  limit = new AdmissionLimit(boundsOfAll(8), clock)
  run({ seconds: 60, arriving: 30, answered: 4 })
  expect(limit.most).toBe(8)
})

test.each([
  ['GET', '/v1/configs', true],
  ['GET', '/sub/key', true],
  ['POST', '/v1/configs', false],
  ['GET', '/operator/v1/users', false],
  ['GET', '/agent/v1/state?since=1', false],
])('%s %s tells how slow it is: %s', (method, url, isRead) => {
  expect(isPlainRead(method, url)).toBe(isRead)
})
