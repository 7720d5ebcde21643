import { expect, test } from 'vitest'
import { memoizeText } from './memoize.ts'

test('what is made of a text is made once, also of none', () => {
  const read: (string | undefined)[] = []
  const length = memoizeText((text) => {
    read.push(text)
    return text?.length ?? -1
  })
  expect([length('four'), length('four'), length(undefined), length(undefined)]).toEqual([4, 4, -1, -1])
  expect(read).toEqual(['four', undefined])
})

test('neither many texts nor long ones are kept', () => {
  let made = 0
  const count = memoizeText(() => ++made)
  for (let at = 0; at < 1001; at++) count(`text ${at}`)
  count('text 0')
  expect(made).toBe(1002)
  const long = 'x'.repeat(1000)
  count(long)
  count(long)
  expect(made).toBe(1004)
})

test('a usual text stays, however many others strangers send', () => {
  const read: (string | undefined)[] = []
  const length = memoizeText((text) => {
    read.push(text)
    return text?.length ?? -1
  })
  for (let at = 0; at < 3000; at++) {
    length('usual')
    length(undefined)
    length(`text ${at}`)
  }
  expect(read.filter((text) => text === 'usual' || text === undefined)).toHaveLength(2)
})
