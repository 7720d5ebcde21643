import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeLeftovers } from './leftovers.ts'

test('what a killed backup left goes, and what another is at work on stays', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-leftovers-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { pid: dead } = spawnSync(process.execPath, ['--version'])
  for (const pid of [dead, process.pid, process.ppid]) {
    mkdirSync(join(folder, `backup-${pid}`))
    writeFileSync(join(folder, `backup-${pid}`, 'file'), '')
  }
  mkdirSync(join(folder, 'database'))
  removeLeftovers(folder, /^backup-(\d+)$/)
  expect(readdirSync(folder).toSorted()).toEqual([`backup-${process.ppid}`, 'database'])
})
