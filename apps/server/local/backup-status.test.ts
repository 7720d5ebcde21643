import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('is the folder’s owner’s to read, also when root makes backups, and no link leads it elsewhere', () => {
  const dataDir = folder()
  if (process.getuid?.() === 0) chownSync(dataDir, 12_345, 12_345)
  const other = join(folder(), 'other')
  writeFileSync(other, 'kept')
  symlinkSync(other, `${backupStatusPath(dataDir)}.new-${process.pid}`)
  writeBackupStatus(dataDir, { ...made, finished_at: 100 })
  expect(statSync(backupStatusPath(dataDir)).uid).toBe(statSync(dataDir).uid)
  expect(readBackupStatus(dataDir)).toMatchObject({ finished_at: 100 })
  expect([readFileSync(other, 'utf8'), statSync(other).uid]).toEqual(['kept', process.getuid?.()])
})

test.each(['', '{', '[]', '{"finished_at":1}'])('what cannot be read is none: %j', (text) => {
  const dataDir = folder()
  writeFileSync(backupStatusPath(dataDir), text)
  expect(readBackupStatus(dataDir)).toBeUndefined()
})
