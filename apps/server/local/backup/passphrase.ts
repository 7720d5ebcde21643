import { readFileSync } from 'node:fs'
import { BackupProblem } from './problem.ts'

const fewest = 20

/** One line of the operator's; also pgBackRest's, whose settings hold no spaces. */
export const readPassphrase = (path: string): string => {
  const text = (() => {
    try {
      return readFileSync(path, 'utf8').trim()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      throw new BackupProblem(
        `BACKUP_KEY_FILE: ${path} cannot be read (${code}). It holds the passphrase of your backups; the first time make one with: openssl rand -base64 48 | tr -d '\\n' > ${path}`,
      )
    }
  })()
  if (text.length < fewest || text.length > 500 || !/^[\x21-\x7e]+$/.test(text)) {
    throw new BackupProblem(
      `BACKUP_KEY_FILE: ${path} must hold one line of ${fewest} to 500 letters, digits and signs, without spaces.`,
    )
  }
  return text
}
