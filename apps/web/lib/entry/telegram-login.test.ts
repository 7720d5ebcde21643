import { expect, test } from 'vitest'
import { telegramLoginAddress, telegramResultIn } from './telegram-login.ts'

const base64url = (text: string): string => Buffer.from(text).toString('base64url')

test('the address names the bot, this site and where to come back to', () => {
  const address = new URL(telegramLoginAddress(123, 'https://vpn.example.com', '/shop?ref=A'))
  expect(address.origin + address.pathname).toBe('https://oauth.telegram.org/auth')
  expect(Object.fromEntries(address.searchParams)).toEqual({
    bot_id: '123',
    origin: 'https://vpn.example.com',
    return_to: 'https://vpn.example.com/shop?ref=A',
  })
})

test('what Telegram signed is taken as it is, and nothing besides', () => {
  const told = { id: 7, first_name: 'Аня 🦊', auth_date: 1, hash: 'ab' }
  expect(telegramResultIn(`#tgAuthResult=${base64url(JSON.stringify({ ...told, more: 1 }))}`)).toEqual(told)
})

test.each(['false', 'null', '{', ''])('an answer of %s is a no', (text) =>
  expect(telegramResultIn(`#tgAuthResult=${base64url(text)}`)).toBe('denied'))

test('another fragment is no answer', () => {
  expect(telegramResultIn('')).toBe(undefined)
  expect(telegramResultIn('#sign_in_code=AB')).toBe(undefined)
})
