import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file in one step, readable by its owner only: after a crash it is the old or the new one. */
export const writeFileAtomically = async (path: string, content: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.${process.pid}.tmp`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(temporary, path)
  await syncDirectory(dirname(path))
}

const syncDirectory = async (path: string): Promise<void> => {
  // Windows cannot open a directory; there the rename itself has to do.
  if (process.platform === 'win32') return
  const directory = await open(path, 'r')
  await directory.sync().finally(() => directory.close())
}

/** The file's JSON, or null when the file is missing. Throws when it is there and is not JSON. */
export const readJson = async (path: string): Promise<unknown> => {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

export const removeFile = (path: string): Promise<void> => rm(path, { force: true })

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'
