import { afterEach, describe, expect, test } from 'vitest'
import {
  MailServer,
  type MailServerOptions,
  startSilentServer,
} from '../../../../test/support/people/mail-server.ts'
import { type Letter, LetterRefused } from '../../ports/mail.ts'
import { SmtpMailer, type SmtpSettings } from './smtp-mailer.ts'

const letter: Letter = { to: 'ann@example.com', subject: 'Код для входа 🔑', text: 'Ваш код: 012345\n' }

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const startServer = async (options?: MailServerOptions): Promise<MailServer> => {
  const server = await new MailServer(options).start()
  closing.push(() => server.stop())
  return server
}

const mailerTo = (url: string, more: Partial<SmtpSettings> = {}): SmtpMailer => {
  const mailer = new SmtpMailer({ url, from: 'Sallyport <no-reply@vpn.example>', ...more })
  closing.push(() => mailer.close())
  return mailer
}

const trusting = (url: string) => `${url}/?tls.rejectUnauthorized=false`

const failureOf = (mailer: SmtpMailer, given = letter): Promise<Error> =>
  mailer.send(given).then(
    () => expect.unreachable('it was sent'),
    (error: Error) => error,
  )

const decoded = (message: string) => {
  const [head = '', body = ''] = message.split('\r\n\r\n')
  const subject = /^Subject: ((?:.|\r\n[ \t])*)/m.exec(head)?.[1] ?? ''
  const words = [...subject.matchAll(/=\?UTF-8\?([BQ])\?([^?]*)\?=/gi)].map(([, kind, word = '']) =>
    kind?.toUpperCase() === 'B' ? Buffer.from(word, 'base64') : fromQuoted(word.replaceAll('_', ' ')),
  )
  const isBase64 = /^Content-Transfer-Encoding: base64/im.test(head)
  const text = isBase64 ? Buffer.from(body, 'base64') : fromQuoted(body.replaceAll('=\r\n', ''))
  return { head, subject: Buffer.concat(words).toString(), text: text.toString() }
}

const fromQuoted = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  )

test('logs in and delivers subject and text in every alphabet', async () => {
  const server = await startServer({ user: 'post', password: 'p@ss/word' })
  await mailerTo(server.url).send(letter)
  const [taken] = server.letters
  expect(taken).toMatchObject({ from: 'no-reply@vpn.example', to: ['ann@example.com'], user: 'post' })
  const { head, subject, text } = decoded(taken?.message ?? '')
  expect(subject).toBe(letter.subject)
  expect(text.trim()).toBe('Ваш код: 012345')
  expect(head).toMatch(/^From: Sallyport <no-reply@vpn\.example>\r$/m)
  expect(head).toMatch(/^Auto-Submitted: auto-generated\r$/m)
})

test('a recipient is one address, and no header can be added', async () => {
  const server = await startServer()
  await mailerTo(server.url).send({ ...letter, subject: 'a\r\nBcc: eve@example.com\r\n\r\nb' })
  expect(server.letters[0]?.to).toEqual(['ann@example.com'])
  expect(server.letters[0]?.message).not.toMatch(/^Bcc:/m)
  await failureOf(mailerTo(server.url), { ...letter, to: 'ann@example.com, eve@example.com' })
  expect(server.letters.flatMap(({ to }) => to)).not.toContain('eve@example.com')
})

describe('TLS', () => {
  test.each([
    ['offered', true],
    ['from the start', true],
    ['none', false],
  ] as const)('%s', async (tls, isSecure) => {
    const server = await startServer({ tls, user: 'post', password: 'secret' })
    await mailerTo(trusting(server.url)).send(letter)
    expect(server.letters).toMatchObject([{ isSecure, user: 'post' }])
  })

  test.each([
    'offered',
    'from the start',
  ] as const)('%s, a certificate that nobody vouches for is refused', async (tls) => {
    const server = await startServer({ tls })
    expect(await failureOf(mailerTo(server.url))).not.toBeInstanceOf(LetterRefused)
    expect(server.letters).toEqual([])
  })
})

describe('a refusal', () => {
  test.each([
    [{ to: 550 }, true],
    [{ to: 450 }, false],
    [{ data: 554 }, true],
    [{ data: 451 }, false],
    // The sender is our setting, not the letter's fault.
    [{ from: 550 }, false],
  ])('%j is for good: %s; the address is not repeated', async (refusals, isForGood) => {
    const server = await startServer()
    server.refusals = refusals
    const mailer = mailerTo(server.url)
    const error = await failureOf(mailer)
    expect(error instanceof LetterRefused).toBe(isForGood)
    expect(error.message).toContain(String(Object.values(refusals)[0]))
    expect(`${error.stack}${JSON.stringify(error)}${error.cause}`).not.toContain('ann@')
    server.refusals = {}
    await mailer.send(letter)
    expect(server.letters).toHaveLength(1)
  })

  test('an address no server would take is refused for good', async () => {
    const server = await startServer()
    expect(await failureOf(mailerTo(server.url), { ...letter, to: 'a\r\nb@example.com' })).toBeInstanceOf(
      LetterRefused,
    )
  })
})

describe('tried again', () => {
  test('when the password is wrong', async () => {
    const server = await startServer({ user: 'post', password: 'right' })
    const error = await failureOf(mailerTo(server.url.replace('right', 'wrong')))
    expect(error).not.toBeInstanceOf(LetterRefused)
    expect(`${error.stack}`).not.toContain('wrong')
  })

  test('when nobody is there', async () => {
    const server = await startServer()
    const { url } = server
    await server.stop()
    const error = await failureOf(mailerTo(url))
    expect(error).not.toBeInstanceOf(LetterRefused)
    expect(error.message).toContain('ECONNREFUSED')
  })

  test('when the server says nothing', async () => {
    const silent = await startSilentServer()
    closing.push(silent.stop)
    const mailer = mailerTo(silent.url, { patienceMs: 300 })
    const error = await failureOf(mailer)
    expect(error).not.toBeInstanceOf(LetterRefused)
    expect(error.message).toContain('ETIMEDOUT')
  })
})
