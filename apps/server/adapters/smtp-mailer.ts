import type { Letter, Mailer } from '../ports/mail.ts'

/** Sends letters through a mail server. */
export class SmtpMailer implements Mailer {
  readonly isImmediate = false

  constructor(_settings: { readonly url: string; readonly from: string }) {}

  async send(_letter: Letter): Promise<void> {}

  async close(): Promise<void> {}
}
