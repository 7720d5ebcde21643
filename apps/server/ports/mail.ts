export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The letter can never be delivered, however often it is tried. */
export class LetterRefused extends Error {}

/** Takes letters to people. What it throws names no address. */
export interface Mailer {
  /** Quick and local, so that whoever asked for a letter may wait until it is there. */
  readonly isImmediate: boolean
  /** Resolves when the letter is accepted; throws LetterRefused, or anything else when it should be tried again. */
  send(letter: Letter): Promise<void>
  close(): Promise<void>
}

/** What a mail server lets us do. */
export interface MailServerFacts {
  /** Whether letters and the password go over an encrypted line. */
  readonly isEncrypted: boolean
}

/** The mail server does not let us in, or is not there; in words that name no address. */
export class MailServerRefusal extends Error {}
