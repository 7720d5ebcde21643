import { expect, test } from 'vitest'
import { headerText } from './header-text.ts'

const encoded = (text: string): string => `base64:${Buffer.from(text).toString('base64')}`

test.each(['News', 'New servers: FI, SE!', 'a'])('%j goes as it is', (text) => {
  expect(headerText(text)).toBe(text)
})

test.each([
  'Новости',
  'News 🎉',
  ' News',
  'News ',
  'two\nlines',
  'base64:News',
  '\u007f',
])('%j goes in Base64', (text) => {
  expect(headerText(text)).toBe(encoded(text))
})
