import { expect, test } from 'vitest'
import { coloursFor, isDark } from './theme.ts'

const light: Readonly<Record<string, string>> = {
  soft: '#f1f3f5',
  dim: ' #566070',
  good: '#0b6e5f',
  warn: '#8a5300',
  bad: '#b72626',
  'warn-soft': '#fdf3e1',
  accent: '#0b6e5f',
  'accent-soft': '#e3f4f0',
}
const dark: Readonly<Record<string, string>> = {
  soft: '#232b35',
  dim: '#9aa5b4',
  good: '#4fd1b8',
  warn: '#f0b65a',
  bad: '#ff8f8f',
  'warn-soft': '#33280f',
  accent: '#4fd1b8',
  'accent-soft': '#15302c',
}

/** As Telegram's own apps send them. */
const day = { bg_color: '#ffffff', secondary_bg_color: '#f4f4f5', text_color: '#000000' }
const night = { bg_color: '#17212b', secondary_bg_color: '#0e1621', text_color: '#f5f5f5' }

test('usual themes are taken', () => {
  expect(coloursFor(day, (name) => light[name])).toEqual({ bg: '#f4f4f5', card: '#ffffff', text: '#000000' })
  expect(coloursFor(night, (name) => dark[name])).toEqual({ bg: '#0e1621', card: '#17212b', text: '#f5f5f5' })
})

test('a ground on which one of our words is not read is not taken, nor is anything else of that theme', () => {
  expect(coloursFor({ ...day, bg_color: '#b8c4d0' }, (name) => light[name])).toBe(undefined)
  expect(coloursFor({ ...night, secondary_bg_color: '#5c6b7a' }, (name) => dark[name])).toBe(undefined)
})

test('text that is not read is not taken', () => {
  expect(coloursFor({ ...day, text_color: '#9a9a9a' }, (name) => light[name])).toBe(undefined)
})

test('what is no colour is none', () => {
  expect(coloursFor({ ...day, bg_color: 'url(x)' }, (name) => light[name])).toBe(undefined)
  expect(coloursFor({}, (name) => light[name])).toBe(undefined)
  expect(isDark({ bg_color: 'red' })).toBe(undefined)
  expect(isDark({})).toBe(undefined)
})

test('short colours are written out', () => {
  expect(coloursFor({ ...day, bg_color: '#fff' }, (name) => light[name])?.card).toBe('#ffffff')
})

test('a theme is dark by its ground', () => {
  expect(isDark(night)).toBe(true)
  expect(isDark(day)).toBe(false)
})
