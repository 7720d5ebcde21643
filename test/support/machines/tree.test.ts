import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { describeWith } from '../engines/engines.ts'
import { machines } from '../pieces.ts'

const program = `
  const { machineTree } = await import(${JSON.stringify(fileURLToPath(new URL('./tree.ts', import.meta.url)))})
  await machineTree().catch(({ message }) => console.log(message))`

describeWith(machines, 'a Debian for machines', () => {
  test('that cannot be made says why, and what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-tree-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const standIn = join(folder, 'debootstrap')
    writeFileSync(
      standIn,
      '#!/bin/sh\necho "I: Retrieving"\necho "E: Couldn\'t download packages: bash"\nexit 1\n',
    )
    chmodSync(standIn, 0o755)
    const PATH = [folder, process.env.PATH].join(delimiter)
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const env = { ...process.env, PATH, XDG_CACHE_HOME: folder }
    const { stdout } = await promisify(execFile)(process.execPath, args, { env })
    expect(stdout).toMatch(/^debootstrap could not make .+: E: Couldn't download packages: bash$/m)
    expect(stdout).toContain('run "npm run tests:prepare" again')
  })
})
