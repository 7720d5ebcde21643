import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'

/** Whole or not at all, for its owner only. */
export const writeFileAtomically = (path: string, text: string): void => {
  const aside = `${path}.new-${process.pid}`
  const file = openSync(aside, 'w', 0o600)
  try {
    writeSync(file, text)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, path)
}
