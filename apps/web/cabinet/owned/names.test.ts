import { expect, test } from 'vitest'
import { cloudName } from './names.ts'

test('a server is called as its customer named it, else by its place, else by what it is', () => {
  expect(cloudName({ hostname: 'vpn.example.com', id: 3 }, '🇳🇱 Netherlands')).toBe('vpn.example.com')
  expect(cloudName({ hostname: null, id: 3 }, '🇳🇱 Netherlands')).toBe('🇳🇱 Netherlands · 3')
  expect(cloudName({ hostname: null, id: 3 }, undefined)).toBe('Your own server · 3')
})
