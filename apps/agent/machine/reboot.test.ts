import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { rebootFile, requestReboot } from './reboot.ts'

test('a reboot is asked for where somebody waits for it, and nowhere else', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sallyport-reboot-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const unit = join(directory, 'reboot.path')
  expect(await requestReboot(directory, unit)).toBe(false)
  await writeFile(unit, '[Path]\nPathExists=/var/lib/elsewhere/reboot\n')
  expect(await requestReboot(directory, unit)).toBe(false)
  expect(existsSync(rebootFile(directory))).toBe(false)
  await writeFile(unit, `[Path]\nPathExists=${rebootFile(directory)}\n`)
  expect(await requestReboot(directory, unit)).toBe(true)
  expect(existsSync(rebootFile(directory))).toBe(true)
})
