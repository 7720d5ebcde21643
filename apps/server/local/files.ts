import {
  closeSync,
  fchownSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Whole or not at all, for its owner only: whoever writes it, unless another is named. */
export const writeFileAtomically = (
  path: string,
  text: string,
  owner?: { readonly uid?: number; readonly gid?: number },
): void => {
  const aside = `${path}.new-${process.pid}`
  // Whoever owns the folder may have left a link there, to have a file of somebody else's written.
  rmSync(aside, { force: true })
  const file = openSync(aside, 'wx', 0o600)
  try {
    writeSync(file, text)
    if (owner?.uid !== undefined && owner.gid !== undefined) fchownSync(file, owner.uid, owner.gid)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(aside, path)
}

/** What a killed start left beside the file. */
export const removeLeftovers = (path: string): void => {
  for (const name of readdirSync(dirname(path))) {
    if (name.startsWith(`${basename(path)}.new-`)) rmSync(join(dirname(path), name), { force: true })
  }
}
