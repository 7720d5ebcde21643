export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** Takes letters to people. */
export interface Mailer {
  /** Quick and local, so that whoever asked for a letter may wait until it is there. */
  readonly isImmediate: boolean
  /** Resolves when the letter is accepted; rejects when it should be tried again. */
  send(letter: Letter): Promise<void>
  close(): Promise<void>
}
