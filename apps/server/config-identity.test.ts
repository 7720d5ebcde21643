import { describe, expect, test } from 'vitest'
import { readIdentity } from './config-identity.ts'

test('nothing is on unless it is set up, and empty values count as none', () => {
  const none = { smtp: undefined, telegram: undefined, oidc: [], vk: undefined }
  expect(readIdentity({})).toEqual(none)
  const names = ['SMTP_URL', 'MAIL_FROM', 'TELEGRAM_BOT_TOKEN', 'GOOGLE_CLIENT_ID', 'VK_CLIENT_ID']
  const empty = [...names, 'OIDC_PROVIDERS', 'TELEGRAM_BOT_NAME'].map((name) => [name, ''])
  expect(readIdentity(Object.fromEntries(empty))).toEqual(none)
})

describe('mail', () => {
  const url = 'smtps://post:hunter2@mail.example.com'

  test.each([
    'no-reply@example.com',
    'Sallyport <no-reply@example.com>',
    'Сервис <почта@пример.рф>',
    '<a@b.example>',
  ])('from %s', (from) => {
    expect(readIdentity({ SMTP_URL: url, MAIL_FROM: from }).smtp).toEqual({ url, from })
  })

  test.each([
    [{ SMTP_URL: url }, 'MAIL_FROM'],
    [{ SMTP_URL: url, MAIL_FROM: 'Sallyport' }, 'MAIL_FROM'],
    [{ SMTP_URL: url, MAIL_FROM: 'a@b.example, c@d.example' }, 'MAIL_FROM'],
    [{ SMTP_URL: url, MAIL_FROM: 'A\r\nBcc: x <a@b.example>' }, 'MAIL_FROM'],
    [{ SMTP_URL: 'https://mail.example.com', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
    [{ SMTP_URL: 'mail.example.com:587', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
    [{ SMTP_URL: 'smtp:mail', MAIL_FROM: 'a@b.example' }, 'SMTP_URL'],
  ])('%j is refused, naming %s', (env, name) => {
    expect(() => readIdentity(env)).toThrow(name)
  })

  test('a password is not repeated', () => {
    for (const bad of [url.replace('smtps', 'imaps'), 'smtp:post:hunter2']) {
      expect(() => readIdentity({ SMTP_URL: bad, MAIL_FROM: 'a@b.example' })).not.toThrow('hunter2')
      expect(() => readIdentity({ SMTP_URL: bad, MAIL_FROM: 'a@b.example' })).toThrow()
    }
  })
})

test('Telegram needs a token; the name of the bot is for the button', () => {
  expect(readIdentity({ TELEGRAM_BOT_NAME: 'bot' }).telegram).toBeUndefined()
  expect(readIdentity({ TELEGRAM_BOT_TOKEN: '1:a' }).telegram).toEqual({
    botToken: '1:a',
    botName: undefined,
  })
  expect(readIdentity({ TELEGRAM_BOT_TOKEN: '1:a', TELEGRAM_BOT_NAME: 'bot' }).telegram?.botName).toBe('bot')
})

describe('Google', () => {
  const env = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  const usual = {
    name: 'google',
    title: 'Google',
    issuer: 'https://accounts.google.com',
    clientId: 'id',
    clientSecret: 'secret',
    scope: 'openid email',
    trustsEmail: 'google',
  }

  test('is on with its two values', () => {
    expect(readIdentity(env).oidc).toEqual([usual])
    expect(() => readIdentity({ GOOGLE_CLIENT_ID: 'id' })).toThrow('GOOGLE_CLIENT_SECRET')
  })

  test('may be asked elsewhere, but not over a line that others can read', () => {
    const [google] = readIdentity({ ...env, GOOGLE_ISSUER: 'http://127.0.0.1:9000/' }).oidc
    expect(google?.issuer).toBe('http://127.0.0.1:9000')
    for (const issuer of [
      'http://accounts.google.com',
      'http://127.0.0.1.evil.example',
      'accounts.google.com',
    ]) {
      expect(() => readIdentity({ ...env, GOOGLE_ISSUER: issuer })).toThrow('GOOGLE_ISSUER')
    }
  })
})

describe('other providers', () => {
  const env = {
    OIDC_PROVIDERS: ' my-id , second,',
    OIDC_MY_ID_ISSUER: 'https://id.example.com/',
    OIDC_MY_ID_CLIENT_ID: 'a',
    OIDC_MY_ID_CLIENT_SECRET: 'b',
    OIDC_SECOND_ISSUER: 'http://[::1]:8000',
    OIDC_SECOND_CLIENT_ID: 'c',
    OIDC_SECOND_CLIENT_SECRET: 'd',
    OIDC_SECOND_TITLE: 'Второй',
    OIDC_SECOND_SCOPE: 'openid',
    OIDC_SECOND_TRUST_EMAIL: 'on',
  }

  test('are read by name, and their addresses are believed only when that is said', () => {
    expect(readIdentity(env).oidc).toEqual([
      {
        name: 'my-id',
        title: 'my-id',
        issuer: 'https://id.example.com',
        clientId: 'a',
        clientSecret: 'b',
        scope: 'openid email',
        trustsEmail: 'never',
      },
      {
        name: 'second',
        title: 'Второй',
        issuer: 'http://[::1]:8000',
        clientId: 'c',
        clientSecret: 'd',
        scope: 'openid',
        trustsEmail: 'always',
      },
    ])
  })

  test.each(['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET'])('need their %s', (part) => {
    expect(() => readIdentity({ ...env, [`OIDC_MY_ID_${part}`]: undefined })).toThrow(`OIDC_MY_ID_${part}`)
  })

  test.each([
    'google',
    'vk',
    'telegram',
    'authcode',
    'signin',
    'Upper',
    '1st',
    'a b',
    'a'.repeat(33),
  ])('are not called %s', (name) => {
    expect(() => readIdentity({ OIDC_PROVIDERS: name })).toThrow('OIDC_PROVIDERS')
  })

  test.each([
    ['OIDC_MY_ID_ISSUER', 'http://id.example.com'],
    ['OIDC_SECOND_TRUST_EMAIL', 'yes'],
  ])('a bad %s is refused', (name, value) => {
    expect(() => readIdentity({ ...env, [name]: value })).toThrow(name)
  })
})

test('VK needs its application; the secret and the address are optional', () => {
  expect(readIdentity({ VK_CLIENT_ID: '51' }).vk).toEqual({
    clientId: '51',
    clientSecret: undefined,
    url: 'https://id.vk.com',
  })
  const all = { VK_CLIENT_ID: '51', VK_CLIENT_SECRET: 's', VK_URL: 'http://localhost:9/' }
  expect(readIdentity(all).vk).toEqual({ clientId: '51', clientSecret: 's', url: 'http://localhost:9' })
  expect(() => readIdentity({ VK_CLIENT_ID: '51', VK_URL: 'http://id.vk.com' })).toThrow('VK_URL')
})
