import { createTransport } from 'nodemailer'
import { type Letter, LetterRefused, type Mailer } from '../../ports/mail.ts'

/** A server that answers a little at a time would outlast every other time-out. */
const patienceMs = 20_000

const timeouts = {
  dnsTimeout: 5000,
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 10_000,
}

export interface SmtpSettings {
  /** smtps:// speaks TLS from the start, smtp:// as soon as the server offers it. */
  readonly url: string
  readonly from: string
  readonly patienceMs?: number
}

interface SmtpFailure {
  readonly message: string
  readonly code?: string
  readonly originalCode?: string
  readonly command?: string
  readonly responseCode?: number
}

/** Answers to these are about the recipient or the letter; a 5xx to anything else is about our settings. */
const letterCommands = new Set(['RCPT TO', 'DATA'])

const isForGood = ({ message, command, responseCode }: SmtpFailure): boolean =>
  responseCode === undefined
    ? message.startsWith('Invalid recipient')
    : responseCode >= 500 && letterCommands.has(command ?? '')

/** In our own words: servers like to repeat the address in theirs. */
const inOurWords = (failure: SmtpFailure): Error => {
  const { code, originalCode, command, responseCode } = failure
  const what = [originalCode ?? code ?? 'unknown failure', command, responseCode].filter(Boolean).join(', ')
  const message = `The mail server did not take the letter (${what})`
  return isForGood(failure) ? new LetterRefused(message) : new Error(message)
}

const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  const { promise: isLate, reject } = Promise.withResolvers<never>()
  const late = Object.assign(new Error('Too late'), { code: 'ETIMEDOUT' })
  const timer = setTimeout(() => reject(late), milliseconds)
  return Promise.race([work, isLate]).finally(() => clearTimeout(timer))
}

/** Sends letters through a mail server. */
export class SmtpMailer implements Mailer {
  readonly isImmediate = false
  readonly #from: string
  readonly #patienceMs: number
  readonly #transport

  constructor(settings: SmtpSettings) {
    this.#from = settings.from
    this.#patienceMs = settings.patienceMs ?? patienceMs
    this.#transport = createTransport({ ...timeouts, url: settings.url, pool: true })
  }

  async send({ to, subject, text }: Letter): Promise<void> {
    const message = {
      from: this.#from,
      // As an object it is one address, whatever is in it.
      to: { name: '', address: to },
      subject,
      text,
      // Asks mailing lists and holiday answers to keep silent.
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    }
    try {
      await within(this.#patienceMs, this.#transport.sendMail(message))
    } catch (error) {
      throw inOurWords(error as SmtpFailure)
    }
  }

  async close(): Promise<void> {
    this.#transport.close()
  }
}
