import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readSealed } from './embedded-backup.ts'

test('a file that is no backup is refused, and nobody waits for the rest of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-sealed-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'other')
  writeFileSync(path, randomBytes(200_000))
  await expect(readSealed(path, 'a passphrase that is long enough', folder)).rejects.toThrow()
})
