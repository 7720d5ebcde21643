import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { madeOnce } from './made-once.ts'

let cache: string
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), 'sallyport-once-'))
})
afterEach(() => rmSync(cache, { recursive: true, force: true }))

const program = (folder: string, log: string): string => `
  import { appendFile, mkdir, writeFile } from 'node:fs/promises'
  import { setTimeout as sleep } from 'node:timers/promises'
  import { madeOnce } from ${JSON.stringify(fileURLToPath(new URL('./made-once.ts', import.meta.url)))}
  const made = await madeOnce(${JSON.stringify(folder)}, async (aside) => {
    await appendFile(${JSON.stringify(log)}, 'made\\n')
    await mkdir(aside)
    await sleep(700)
    await writeFile(aside + '/whole', '')
  })
  console.log(made)`

test('of processes that want it at once one makes it, and all have it whole', async () => {
  const [folder, log] = [join(cache, 'tree'), join(cache, 'log')]
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program(folder, log)]
  const one = async () => (await promisify(execFile)(process.execPath, args)).stdout.trim().split('\n').at(-1)
  expect(await Promise.all([one(), one(), one()])).toEqual([folder, folder, folder])
  expect(readFileSync(log, 'utf8')).toBe('made\n')
  expect(existsSync(join(folder, 'whole'))).toBe(true)
})

test('what a failure and a killed process left is taken away, and the next makes it', async () => {
  const folder = join(cache, 'tree')
  mkdirSync(join(cache, '.making-tree-killed', 'tree'), { recursive: true })
  mkdirSync(join(cache, '.making-another'))
  const fails = madeOnce(folder, async (aside) => {
    mkdirSync(aside)
    throw new Error('no space')
  })
  await expect(fails).rejects.toThrow('no space')
  expect(await madeOnce(folder, async (aside) => void mkdirSync(aside))).toBe(folder)
  expect(readdirSync(cache).sort()).toEqual(['.making-another', 'tree', 'tree.lock'])
})
