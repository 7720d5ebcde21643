import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { backupStatusPath, readBackupStatus, writeBackupStatus } from './backup-status.ts'

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'sallyport-status-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

const made = { kind: 'full', ok: true, bytes: 5, repository: '/var/backups/sallyport' } as const

test('a failure keeps when the last backup succeeded', () => {
  const dataDir = folder()
  expect(readBackupStatus(dataDir)).toBeUndefined()
  writeBackupStatus(dataDir, { ...made, finished_at: 100 })
  expect(readBackupStatus(dataDir)).toEqual({ ...made, finished_at: 100, succeeded_at: 100 })
  writeBackupStatus(dataDir, { ...made, finished_at: 200, ok: false, bytes: 0, problem: 'no space' })
  expect(readBackupStatus(dataDir)).toMatchObject({ ok: false, finished_at: 200, succeeded_at: 100 })
})

test.each(['', '{', '[]', '{"finished_at":1}'])('what cannot be read is none: %j', (text) => {
  const dataDir = folder()
  writeFileSync(backupStatusPath(dataDir), text)
  expect(readBackupStatus(dataDir)).toBeUndefined()
})

test.runIf(process.getuid?.() === 0)('what root writes the service can read', () => {
  const dataDir = folder()
  chownSync(dataDir, 12_345, 12_345)
  writeBackupStatus(dataDir, { ...made, finished_at: 100 })
  const { uid, gid } = statSync(backupStatusPath(dataDir))
  expect([uid, gid]).toEqual([12_345, 12_345])
})
