import { expect, test } from 'vitest'
import { renumbered } from './renumbered.ts'

test('the same chapter after another past is the same record', () => {
  const first = renumbered('{ "id": "config#7", "other": "config#9", "again": "config#7", "user": "user#7" }')
  expect(first).toBe('{ "id": "config#1", "other": "config#2", "again": "config#1", "user": "user#1" }')
  expect(renumbered('{ "id": "config#3", "other": "config#4", "again": "config#3", "user": "user#1" }')).toBe(
    first,
  )
})

test('another thing in the same place is another record', () => {
  expect(renumbered('config#7 config#9 config#9')).not.toBe(renumbered('config#7 config#9 config#7'))
})

test('so are numbers that have no name', () => {
  const first = renumbered('{ "id": 38, "config_id": 40, "size": 38 } { "id": 39 } { "id": 38 }')
  expect(first).toBe('{ "id": 1, "config_id": 1, "size": 38 } { "id": 2 } { "id": 1 }')
})
