import { removeFile, writeFileAtomically } from '../common/files.ts'
import { removeEnrolmentToken } from './enrolment-token.ts'

/** Tells whoever installed this that the service hears of it. */
export class Readiness {
  readonly #stateDir: string
  readonly #file: string | undefined
  #isHeard = false

  constructor({ stateDir, readyFile }: { readonly stateDir: string; readonly readyFile?: string }) {
    this.#stateDir = stateDir
    this.#file = readyFile
  }

  /** The installer waits for it, and the token has nothing left to do. */
  async heard(): Promise<void> {
    if (this.#isHeard) return
    await removeEnrolmentToken(this.#stateDir)
    if (this.#file) await writeFileAtomically(this.#file, `${process.pid}\n`)
    this.#isHeard = true
  }

  /** An installer that comes with another token must not find everything in order. */
  async unheard(): Promise<void> {
    this.#isHeard = false
    if (this.#file) await removeFile(this.#file).catch(() => {})
  }
}
