import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Letter, Mailer } from '../../ports/mail.ts'

const sender = 'Sallyport <no-reply@localhost>'

const keepMs = 24 * 3600 * 1000

const nameOf = (date: Date): string => date.toISOString().replaceAll(':', '')

/** A line break in a header would begin another header. */
const headerValue = (text: string): string => text.replace(/\p{Cc}+/gu, ' ').trim()

const dateHeader = (date: Date): string => date.toUTCString().replace('GMT', '+0000')

/** RFC 5322 with the UTF-8 headers of RFC 6532, so that it can be read as it is. */
const messageOf = ({ to, subject, text }: Letter, date: Date, id: string): string => {
  const headers = {
    From: sender,
    To: headerValue(to),
    Subject: headerValue(subject),
    Date: dateHeader(date),
    'Message-ID': `<${id}@localhost>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [...lines, '', ...text.split(/\r\n|\r|\n/)].join('\r\n')
}

/** Writes each letter to a file, for a machine without a mail server. */
export class FolderMailer implements Mailer {
  readonly isImmediate = true
  readonly #folder: string
  readonly #onWritten: (path: string) => void
  #lastMs = 0

  constructor(folder: string, onWritten: (path: string) => void) {
    this.#folder = folder
    this.#onWritten = onWritten
  }

  /** Never the same twice, so that sorted names are letters in their order. */
  #nextDate(): Date {
    this.#lastMs = Math.max(Date.now(), this.#lastMs + 1)
    return new Date(this.#lastMs)
  }

  async send(letter: Letter): Promise<void> {
    const date = this.#nextDate()
    const id = randomBytes(16).toString('hex')
    const path = join(this.#folder, `${nameOf(date)}-${id.slice(0, 8)}.eml`)
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await this.#writeWhole(path, messageOf(letter, date, id))
    this.#onWritten(path)
    await this.#forgetOld(date)
  }

  /** Addresses are personal, and a code of yesterday helps nobody. */
  async #forgetOld(now: Date): Promise<void> {
    const oldest = nameOf(new Date(now.getTime() - keepMs))
    const old = (await readdir(this.#folder)).filter((name) => name.endsWith('.eml') && name < oldest)
    await Promise.all(old.map((name) => rm(join(this.#folder, name), { force: true })))
  }

  /** Under another name first: whoever looks into the folder sees whole letters only. */
  async #writeWhole(path: string, message: string): Promise<void> {
    const aside = `${path}.new`
    try {
      const file = await open(aside, 'wx', 0o600)
      try {
        await file.writeFile(message)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(aside, path)
    } catch (error) {
      await rm(aside, { force: true })
      throw error
    }
  }

  async close(): Promise<void> {}
}
