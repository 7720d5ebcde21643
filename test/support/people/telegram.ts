import { createHash, createHmac } from 'node:crypto'

/** Telegram's part of a sign-in: it signs with the token of the bot. */

export const botToken = '123456789:AAExampleBotTokenOfTheseTests'

type Fields = Readonly<Record<string, string | number>>

const sign = (key: Buffer, fields: Fields): string => {
  const lines = Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
  return createHmac('sha256', key).update(lines.join('\n')).digest('hex')
}

/** What the login widget hands to the page. */
export const signWidget = <T extends Fields>(fields: T, token = botToken): T & { hash: string } => ({
  ...fields,
  hash: sign(createHash('sha256').update(token).digest(), fields),
})

/** What a Mini App finds as its init data. */
export const signInitData = (fields: Fields, token = botToken): string => {
  const key = createHmac('sha256', 'WebAppData').update(token).digest()
  const pairs = { ...fields, hash: sign(key, fields) }
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
}

/** Init data of one person. */
export const initDataOf = (id: number, signedAt: number, more: Fields = {}): string =>
  signInitData({ user: JSON.stringify({ id, first_name: 'Anna' }), auth_date: signedAt, ...more })
