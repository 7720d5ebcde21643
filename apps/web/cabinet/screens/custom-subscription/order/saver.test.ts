import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { saverOf } from './saver.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const isSame = (a: readonly string[], b: readonly string[]) => a.join() === b.join()

/** A service whose answers are given by hand. */
const begin = (unsaved?: readonly string[]) => {
  const sent: string[] = []
  const answers: { give: () => void; refuse: (reason: unknown) => void }[] = []
  const remember = vi.fn()
  const saver = saverOf<string>({
    start: ['a', 'b', 'c'],
    unsaved,
    remember,
    isSame,
    restMs: 800,
    send: (list) => {
      sent.push(list.join(''))
      return new Promise((resolve, reject) => {
        answers.push({ give: () => resolve(list), refuse: reject })
      })
    },
  })
  const answer = async (at: number, reason?: unknown) => {
    if (reason === undefined) answers[at]?.give()
    else answers[at]?.refuse(reason)
    await vi.advanceTimersByTimeAsync(0)
  }
  return { saver, sent, answer, remember }
}

describe('what is moved', () => {
  test('is sent once, after the last move', async () => {
    const { saver, sent, answer, remember } = begin()
    saver.change(['b', 'a', 'c'])
    await vi.advanceTimersByTimeAsync(700)
    saver.change(['b', 'c', 'a'])
    await vi.advanceTimersByTimeAsync(700)
    expect(sent).toEqual([])
    expect(saver.state.value).toBe('waiting')
    await vi.advanceTimersByTimeAsync(100)
    expect(sent).toEqual(['bca'])
    expect(saver.state.value).toBe('saving')
    await answer(0)
    expect(saver.state.value).toBe('saved')
    expect(remember).toHaveBeenLastCalledWith(undefined)
  })

  test('while a request is on its way goes with the next', async () => {
    const { saver, sent, answer } = begin()
    saver.change(['b', 'a', 'c'])
    await vi.advanceTimersByTimeAsync(800)
    saver.change(['c', 'b', 'a'])
    await vi.advanceTimersByTimeAsync(5000)
    expect(sent).toEqual(['bac'])
    await answer(0)
    expect(sent).toEqual(['bac', 'cba'])
    expect(saver.wanted.value).toEqual(['c', 'b', 'a'])
    await answer(1)
    expect(saver.state.value).toBe('saved')
  })

  test('is sent at once when the screen is left', async () => {
    const { saver, sent } = begin()
    await saver.save()
    expect(sent).toEqual([])
    saver.change(['b', 'a', 'c'])
    void saver.save()
    await vi.advanceTimersByTimeAsync(5000)
    expect(sent).toEqual(['bac'])
  })
})

describe('a failure', () => {
  const fail = async () => {
    const begun = begin()
    begun.saver.change(['c', 'a', 'b'])
    await vi.advanceTimersByTimeAsync(800)
    await begun.answer(0, new Error('cut'))
    return begun
  }
  test('loses nothing, and can be tried again', async () => {
    const { saver, sent, answer, remember } = await fail()
    expect(saver.state.value).toBe('failed')
    expect(saver.wanted.value).toEqual(['c', 'a', 'b'])
    expect(remember).toHaveBeenLastCalledWith(['c', 'a', 'b'])
    void saver.save()
    await answer(1)
    expect(sent).toEqual(['cab', 'cab'])
    expect(saver.state.value).toBe('saved')
  })
  test('is taken back only when the customer says so', async () => {
    const { saver } = await fail()
    saver.adopt(['a', 'b', 'c'])
    expect(saver.wanted.value).toEqual(['c', 'a', 'b'])
    saver.drop()
    expect(saver.wanted.value).toEqual(['a', 'b', 'c'])
    expect(saver.state.value).toBe('saved')
  })
  test('whose answer was lost is none', async () => {
    const { saver } = await fail()
    saver.adopt(['c', 'a', 'b'])
    expect(saver.state.value).toBe('saved')
  })
})

describe('an earlier visit', () => {
  test('that saved all leaves nothing', () => {
    expect(begin(['a', 'b', 'c']).saver.state.value).toBe('saved')
  })
  test('that did not is shown, and asked about', () => {
    const { saver, sent } = begin(['c', 'b', 'a'])
    expect(saver.wanted.value).toEqual(['c', 'b', 'a'])
    expect(saver.state.value).toBe('failed')
    expect(saver.error.value).toBeUndefined()
    expect(sent).toEqual([])
  })
})

test('what the service has meanwhile is shown when nothing is unsaved', () => {
  const { saver } = begin()
  saver.adopt(['x'])
  expect(saver.wanted.value).toEqual(['x'])
})
