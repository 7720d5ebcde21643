import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Letter } from '../../ports/mail.ts'
import { FolderMailer } from './folder-mailer.ts'

let dataDir: string
let folder: string
let written: string[]
let mailer: FolderMailer
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'sallyport-mail-'))
  folder = join(dataDir, 'mail')
  written = []
  mailer = new FolderMailer(folder, (path) => written.push(path))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const letter: Letter = {
  to: 'иван@пример.рф',
  subject: 'Код для входа',
  text: 'Ваш код: 012345\n\nСпасибо.\n',
}

const read = (path: string | undefined) => {
  const [head = '', ...body] = readFileSync(path ?? '', 'utf8').split('\r\n\r\n')
  const headers = head.split('\r\n').map((line) => line.split(/: (.*)/s, 2) as [string, string])
  return { names: headers.map(([name]) => name), headers: new Map(headers), body: body.join('\r\n\r\n') }
}

const headerNames = [
  ...['From', 'To', 'Subject', 'Date', 'Message-ID'],
  ...['MIME-Version', 'Content-Type', 'Content-Transfer-Encoding'],
]

test('a letter is a readable message in a file of its own, for its owner only', async () => {
  await mailer.send(letter)
  expect(readdirSync(folder).map((name) => join(folder, name))).toEqual(written)
  expect(written[0]).toMatch(/\/\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z-[0-9a-f]{8}\.eml$/)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  expect(statSync(written[0] as string).mode & 0o777).toBe(0o600)
  const { names, headers, body } = read(written[0])
  expect(names).toEqual(headerNames)
  expect(Object.fromEntries(headers)).toMatchObject({
    To: 'иван@пример.рф',
    Subject: 'Код для входа',
    Date: expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/),
    'Message-ID': expect.stringMatching(/^<[0-9a-f]{32}@localhost>$/),
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  })
  expect(body).toBe('Ваш код: 012345\r\n\r\nСпасибо.\r\n')
})

test('nothing but the code looks like one, and names sort as the letters came', async () => {
  const codes = Array.from({ length: 300 }, (_, at) => String(at * 3331).padStart(6, '0'))
  for (const code of codes) await mailer.send({ ...letter, text: `Ваш код: ${code}\n` })
  const files = readdirSync(folder).sort()
  const found = files.map((name) => readFileSync(join(folder, name), 'utf8').match(/\b\d{6}\b/g))
  expect(found).toEqual(codes.map((code) => [code]))
})

test('a recipient or a subject cannot add headers or end them', async () => {
  const evil = 'a@b.example\r\nBcc: all@example.com\n\rX: y\r\n\r\nbody\u0000\u0085z'
  await mailer.send({ to: evil, subject: evil, text: 'text' })
  const { names, body } = read(written[0])
  expect(names).toEqual(headerNames)
  expect(body).toBe('text')
})

test('whoever looks into the folder meanwhile sees whole letters only', async () => {
  const text = `${'длинное письмо '.repeat(20_000)}конец`
  let isDone = false
  const sending = Promise.all(Array.from({ length: 20 }, () => mailer.send({ ...letter, text }))).then(() => {
    isDone = true
  })
  let seen = 0
  while (!isDone) {
    await nextTurn()
    const names = readdirSync(dataDir).includes('mail') ? readdirSync(folder) : []
    for (const name of names.filter((name) => name.endsWith('.eml')).slice(-1)) {
      expect(readFileSync(join(folder, name), 'utf8').endsWith('конец')).toBe(true)
      seen++
    }
  }
  await sending
  expect(seen).toBeGreaterThan(0)
  expect(readdirSync(folder)).toHaveLength(20)
})

test('a folder that cannot be written to is an error, so that the letter is tried again', async () => {
  writeFileSync(folder, 'a file in its place')
  await expect(mailer.send(letter)).rejects.toThrow()
  expect(written).toEqual([])
})
