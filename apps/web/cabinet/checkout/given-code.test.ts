import { expect, test } from 'vitest'
import { codeInHash, hashOf } from './given-code.ts'

const code = 'K7QM-2XPA-9D4T-HW3C'

test('a link carries a key, and may tell what it is for', () => {
  expect(codeInHash(`#${code}`)).toEqual({ code })
  expect(codeInHash('#k7qm2xpa9d4thw3c/configs/30')).toEqual({ code, product: 'configs', days: 30 })
  expect(codeInHash('#k7qm%202xpa%209d4t%20hw3c')).toEqual({ code })
  for (const given of [{ code }, { code, product: 'configs', days: 30 }])
    expect(codeInHash(hashOf(given))).toEqual(given)
})

test('what cannot be a key is none', () => {
  for (const hash of ['', '#', '#main', `#${code}X`, '#%E0%A4%A']) expect(codeInHash(hash)).toBeUndefined()
  expect(codeInHash(`#${code}/configs/many`)).toEqual({ code, product: 'configs' })
})
