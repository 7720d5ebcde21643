import type { Letter, Mailer } from '../ports/mail.ts'

/** Writes each letter to a file, for a machine without a mail server. */
export class FolderMailer implements Mailer {
  readonly isImmediate = true
  readonly #folder: string
  readonly #onWritten: (path: string) => void

  constructor(folder: string, onWritten: (path: string) => void) {
    this.#folder = folder
    this.#onWritten = onWritten
  }

  async send(_letter: Letter): Promise<void> {
    this.#onWritten(this.#folder)
  }

  async close(): Promise<void> {}
}
