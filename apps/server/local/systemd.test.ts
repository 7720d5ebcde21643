import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { supervisorOf } from './systemd.ts'

afterEach(() => vi.useRealTimers())

test('systemd hears that it is ready, then three times as often as it asks for, and that it stops', () => {
  vi.useFakeTimers()
  const said: string[] = []
  const supervisor = supervisorOf(
    { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '30000000' },
    (...words) => said.push(words[0] ?? ''),
  )
  supervisor.ready()
  vi.advanceTimersByTime(30_000)
  expect(said).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1'])
  supervisor.stopping()
  expect(said.at(-1)).toBe('STOPPING=1')
})

test('without systemd nobody is told, and without a watchdog nothing is repeated', () => {
  vi.useFakeTimers()
  const said: string[] = []
  supervisorOf({}, (...words) => said.push(...words)).ready()
  expect([said, vi.getTimerCount()]).toEqual([[], 0])
  supervisorOf({ NOTIFY_SOCKET: '@x' }, (...words) => said.push(words[0] ?? '')).ready()
  expect([said, vi.getTimerCount()]).toEqual([['READY=1'], 0])
})

test('the scripts of the installer are shell that every sh reads', () => {
  const deploy = fileURLToPath(new URL('../../../deploy/', import.meta.url))
  const files = execFileSync('find', [deploy, '-name', '*.sh', '-o', '-path', '*/release/*', '-type', 'f'], {
    encoding: 'utf8',
  })
  for (const file of files.trim().split('\n')) expect(spawnSync('sh', ['-n', file]).status, file).toBe(0)
  expect(files).toContain('install.sh')
})
