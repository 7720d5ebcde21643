import { closeSync, fsyncSync, linkSync, openSync, readdirSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const writeAside = (path: string, text: string): string => {
  const aside = `${path}.new-${process.pid}`
  const file = openSync(aside, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  return aside
}

/** Whole or not at all, for its owner only. */
export const writeFileAtomically = (path: string, text: string): void => {
  renameSync(writeAside(path, text), path)
}

/** As above, but of two processes that try at once the first one's text stays. */
export const writeFileOnce = (path: string, text: string): void => {
  const aside = writeAside(path, text)
  try {
    linkSync(aside, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

/** What a killed start left beside the file; only for whoever holds the folder. */
export const removeLeftovers = (path: string): void => {
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.new-`)) rmSync(join(dirname(path), name), { force: true })
  }
}
