import { expect, test } from 'vitest'
import { KeepLatest } from './keep-latest.ts'

test('is made once, until others have been asked for since', () => {
  const made: string[] = []
  const kept = new KeepLatest<string | null>(2)
  const ask = (name: string) =>
    kept.of(name, () => {
      made.push(name)
      return name === 'nothing' ? null : name
    })
  expect([ask('a'), ask('nothing'), ask('a'), ask('nothing')]).toEqual(['a', null, 'a', null])
  expect(made).toEqual(['a', 'nothing'])
  ask('a')
  ask('c')
  ask('a')
  expect(made).toEqual(['a', 'nothing', 'c'])
  ask('nothing')
  expect(made).toEqual(['a', 'nothing', 'c', 'nothing'])
})
