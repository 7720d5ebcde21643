import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { lockFolder } from '../db/embedded.ts'
import { startService } from '../main.ts'

test('a start that finds the folder taken touches nothing in it and starts no agent', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sallyport-taken-'))
  const started = join(dataDir, 'an agent was started')
  const preload = join(dataDir, 'preload.cjs')
  writeFileSync(preload, `require('node:fs').writeFileSync(${JSON.stringify(started)}, '')`)
  mkdirSync(join(dataDir, 'agent'))
  writeFileSync(join(dataDir, 'agent', 'identity.json'), '{}')
  const hold = lockFolder(dataDir)
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  const start = startService(config, { agentEnv: { NODE_OPTIONS: `--require "${preload}"` } })
  await expect(start).rejects.toThrow('is in use by another Sallyport process')
  await sleep(1000)
  expect(existsSync(started)).toBe(false)
  expect(existsSync(join(dataDir, 'secret.key'))).toBe(false)
  hold.close()
  rmSync(dataDir, { recursive: true })
})
