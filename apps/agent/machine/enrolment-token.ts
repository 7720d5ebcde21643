import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { removeFile } from '../common/files.ts'

/** Where the installer leaves the token, for as long as it is of use. */
const tokenFile = (stateDir: string): string => join(stateDir, 'enrolment-token')

export const readEnrolmentToken = async (stateDir: string): Promise<string | undefined> => {
  const text = await readFile(tokenFile(stateDir), 'utf8').catch(() => '')
  return text.trim() || undefined
}

export const removeEnrolmentToken = (stateDir: string): Promise<void> => removeFile(tokenFile(stateDir))
