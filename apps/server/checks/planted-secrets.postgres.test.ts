import { execFile } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeTo, longCodeTo } from '../../../test/support/people/mailbox.ts'
import { postgresFolder } from '../../../test/support/pieces.ts'
import { startTestService, type TestService, usualOrder } from '../../../test/support/service.ts'

/** Secrets of every kind are made and used, rightly and wrongly; then the log and a dump of the database are searched. */

const lines: string[] = []
let service: TestService
beforeAll(async () => {
  const onLog = (line: string) => lines.push(line)
  service = await startTestService({ withoutLimits: true, env: { LOG_LEVEL: 'trace' }, onLog })
})
afterAll(() => service.stop())

const dump = async (): Promise<string> => {
  const url = new URL(service.env.DATABASE_URL as string)
  url.search = ''
  const programs = dirname(realpathSync(join(postgresFolder() as string, 'postgres')))
  const { stdout } = await promisify(execFile)(join(programs, 'pg_dump'), ['--dbname', url.href], {
    maxBuffer: 2 ** 30,
  })
  return stdout
}

/** As it is, and as bytes are written in a dump. */
const formsOf = (secret: string): string[] => {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ]
}

const card = '2200150000001237'
const phone = '+79161234567'

/** What each kind of secret is, once it has been used. */
const plant = async (): Promise<Record<string, string>> => {
  const user = await service.createUser({ balance: 5000, referral_balance: 10_000 })
  const own = (method: string, path: string, body?: object) =>
    service.call(method, `/v1${path}`, { token: user.session_token, ...(body && { body }) })
  const withdraw = (way: string, body: object) => own('POST', `/profile/referral/withdraw/${way}`, body)
  expect((await withdraw('card', { amount: 1000, card_number: card })).status).toBe(201)
  const sbp = { amount: 1000, phone_number: phone, bank_id: '100000000111' }
  expect((await withdraw('sbp', sbp)).status).toBe(201)
  await withdraw('card', { amount: 'x', card_number: card })

  const made = await own('POST', '/profile/api-keys', { title: 'planted' })
  const apiKey = made.body.data.api_key
  await service.call('GET', '/v1/profile', { token: apiKey })
  await service.call('GET', '/v1/profile', { token: `${apiKey}x` })

  const otp = (await own('POST', '/profile/otp')).body.data
  const password = otp.password
  await service.call('POST', '/v1/auth/otp', { body: { login: 'nobody@example.com', password } })
  const transfer = (await own('POST', '/profile/transfer/createKey')).body.data.key

  const email = 'planted@example.com'
  await service.call('POST', '/v1/auth/email/start', { body: { email } })
  const [digits, long] = [codeTo(service, email), longCodeTo(service, email)]
  await service.call('POST', '/v1/auth/email/verify', { body: { email: 'other@example.com', code: long } })
  const signedIn = (await service.call('POST', '/v1/auth/email/verify', { body: { email, code: digits } }))
    .body.data

  const sold = await service.call('POST', '/v1/configs', { token: apiKey, body: usualOrder })
  expect(sold.status).toBe(201)
  await service.call('GET', `/sub/${user.subscription_key}`)
  await service.call('GET', `/sub/${user.subscription_key}/x`)
  const order = { product_type: 'configs', days: 30, count: 1 }
  const issued = await service.operator('POST', '/promocodes', order)
  const [promocode] = issued.body.data.codes
  return {
    'a card': card,
    'a phone': phone.slice(2),
    'an API key': apiKey,
    'the secret of an API key': apiKey.slice(-24),
    'a one-time password': password,
    'a transfer key': transfer,
    'a long code': long,
    'a session': user.session_token,
    'a session by e-mail': signedIn.session_token,
    'a refresh token': signedIn.refresh_token,
    'a subscription key': user.subscription_key,
    'a connection': sold.body.data.connection_url,
    'the id in a connection': new URL(sold.body.data.connection_url).username,
    'a promocode': promocode,
    'a token of an operator': service.operatorToken,
    digits,
  }
}

test('check 43: no planted secret is in the log or in a dump of the database', async () => {
  const { digits = '', ...secrets } = await plant()
  await service.running.runJobs()
  const [log, rows] = [lines.join(''), await dump()]
  expect(lines.length, 'the log is heard').toBeGreaterThan(0)
  expect(rows, 'the dump has the rows').toContain('220015******1237')
  for (const [what, secret] of Object.entries(secrets)) {
    expect(typeof secret, what).toBe('string')
    expect(secret.length, what).toBeGreaterThan(7)
    for (const form of formsOf(secret)) {
      expect(log.includes(form), `${what} in the log`).toBe(false)
      expect(rows.includes(form), `${what} in the dump`).toBe(false)
    }
  }
  // Six digits come up by chance; as a word of their own they do not.
  expect(log).not.toMatch(new RegExp(`\\b${digits}\\b`))
  expect(rows.split('\n').filter((line) => new RegExp(`(^|[\\s":])${digits}($|[\\s",])`).test(line))).toEqual(
    [],
  )
})
