import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { LogPipe } from './log-pipe.ts'

const followed = async (script: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-log-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'log')
  const pipe = await LogPipe.open(path)
  if (!pipe) throw new Error('There is no mkfifo')
  expect(existsSync(path)).toBe(false)
  const lines: string[] = []
  const child = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', pipe.writer, 'inherit'] })
  pipe.follow((line) => lines.push(line))
  return { pipe, child, lines, ended: once(child, 'close') }
}

test('every line comes, in its order, however many there are and wherever they are cut', async () => {
  const { pipe, lines, ended } = await followed('seq 1 60000')
  await ended
  pipe.end()
  expect(lines).toEqual(Array.from({ length: 60_000 }, (_, at) => String(at + 1)))
})

test('lines come while the program runs, and what it says last comes with its end', async () => {
  const { pipe, child, lines, ended } = await followed('echo first; read x; printf "Failed to start"')
  await expect.poll(() => lines).toEqual(['first'])
  child.stdin?.end('\n')
  await ended
  pipe.end()
  expect(lines).toEqual(['first', 'Failed to start'])
  pipe.end()
  expect(() => pipe.writer).toThrow('already')
})

test('where nothing can be made there is none', async () => {
  expect(await LogPipe.open('/nowhere/at/all')).toBeNull()
})
