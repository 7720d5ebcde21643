import { expect, test } from 'vitest'
import { judge } from './contrast.ts'

test('a colour that is read everywhere is taken as it is', () => {
  const { wanted, nearest, palette, contrasts } = judge(' #0B57D0 ')
  expect([wanted, nearest, palette.light.accent]).toEqual(['#0b57d0', undefined, '#0b57d0'])
  expect(contrasts.light).toBeGreaterThanOrEqual(4.5)
  expect(contrasts.dark).toBeGreaterThanOrEqual(4.5)
})

test('one that is not has a nearest, and is never rounded up to enough', () => {
  expect(judge('#ffd400')).toMatchObject({ contrast: 1.28, nearest: '#846d00' })
  expect(judge('#767676')).toMatchObject({ contrast: 4.08, nearest: '#6f6f6f' })
})

test('nothing is the usual one, and half a colour is none', () => {
  expect(judge('').wanted).toBe('#0b6e5f')
  expect(judge('#0b6').wanted).toBeUndefined()
  expect(judge('green').nearest).toBeUndefined()
})
