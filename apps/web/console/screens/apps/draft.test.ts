import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { describe, expect, test } from 'vitest'
import { type Apps, appsOf, bodyOf, draftOf, isChanged, leastOrder, withOrder } from './draft.ts'

describe('what has to be named', () => {
  test.each([
    ['abcd', ''],
    ['bacd', 'b'],
    ['bdac', 'bd'],
    ['dcba', 'dcb'],
    ['acbd', 'ac'],
    ['bcda', 'bcd'],
  ])('for %s is %s', (wanted, least) => {
    expect(leastOrder([...'abcd'], [...wanted]).join('')).toBe(least)
  })
})

test('some are moved among themselves, and the others stay', () => {
  expect(withOrder([...'abcdef'], [...'eca']).join('')).toBe('ebcdaf')
})

const was: Apps = {
  order: ['karing'],
  hidden: [],
  added: [],
  apps: ['karing', ...catalogue.map(({ id }) => id).filter((id) => id !== 'karing')].map((id) => ({
    id,
    name: id,
    platforms: [],
    is_added: false,
    is_hidden: false,
  })),
  version: 1,
}

test('an order that nobody touched is sent as it was', () => {
  const draft = { ...draftOf(was), hidden: ['happ'] }
  expect(isChanged(draftOf(was), was)).toBe(false)
  expect(isChanged(draft, was)).toBe(true)
  expect(bodyOf(draft, was)).toEqual({ order: ['karing'], hidden: ['happ'], added: [] })
})

test('what is shown is what customers would find', () => {
  const shown = appsOf({ ...draftOf(was), hidden: ['happ'] }).map(({ id }) => id)
  expect(shown[0]).toBe('karing')
  expect(shown).not.toContain('happ')
})
