import { expect, test } from 'vitest'
import { zoneText } from './zone.ts'

test.each([
  [0, 'UTC'],
  [180, 'UTC+3'],
  [345, 'UTC+5:45'],
  [-210, 'UTC−3:30'],
  [-5, 'UTC−0:05'],
])('%i minutes are %s', (minutes, text) => {
  expect(zoneText(minutes)).toBe(text)
})
