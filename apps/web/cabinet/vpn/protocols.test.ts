import { protocols as known } from '@sallyport/contract/shapes'
import { expect, test } from 'vitest'
import { flagOf, protocols, recommended } from './protocols.ts'

test('every protocol is offered once', () => {
  expect([...protocols].sort()).toEqual([...known].sort())
  expect(protocols[0]).toBe(recommended)
})

test('flags come from codes', () => {
  expect(flagOf('NL')).toBe('🇳🇱')
  expect(flagOf('se')).toBe('🇸🇪')
  expect(flagOf('EU1')).toBe('🌐')
})
