import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeLock } from './lock.ts'
import { parseUnit } from './units.ts'

test('of two one has to wait until the other has let go', async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'lock')
  const letGo = await takeLock(file)
  await expect(takeLock(file)).rejects.toThrow('is under way')
  await letGo()
  const again = await takeLock(file)
  await again()
})

test.each([
  ['active', 'enabled', true, true],
  ['activating', 'disabled', true, false],
  ['deactivating', 'enabled', true, true],
  ['failed', 'enabled', false, true],
  ['inactive', '', false, false],
])('a unit that is %s and %s', (state, file, isRunning, isEnabled) => {
  const text = `NRestarts=2\nMainPID=41\nActiveState=${state}\nUnitFileState=${file}\n`
  expect(parseUnit(text)).toEqual({ isRunning, isEnabled, pid: 41, restarts: 2 })
})
