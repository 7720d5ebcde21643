import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { inLanes } from './tasks.ts'

test('two at a time, in their order, and one that fails holds up no other', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const begun: string[] = []
  let busy = 0
  let most = 0
  const task = (name: string, problem?: string) => ({
    name,
    work: async () => {
      begun.push(name)
      busy += 1
      most = Math.max(most, busy)
      await sleep(10)
      busy -= 1
      if (problem) throw new Error(problem)
    },
  })
  const took = await inLanes([task('a'), task('b', 'no Go'), task('c'), task('d')], 2)
  expect(begun).toEqual(['a', 'b', 'c', 'd'])
  expect(most).toBe(2)
  expect(took.flatMap(({ name, problem }) => (problem === null ? [name] : []))).toEqual(['a', 'c', 'd'])
  expect(said.mock.calls).toEqual([['no Go']])
  said.mockRestore()
})
