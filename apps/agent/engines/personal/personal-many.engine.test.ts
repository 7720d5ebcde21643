import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { describeWith, xrayPath } from '../../../../test/support/engines/engines.ts'
import { xray } from '../../../../test/support/pieces.ts'
import { freePort } from '../../../../test/support/ports.ts'
import { instanceOn } from '../../testing/personal-fixtures.ts'
import { PersonalEngine } from './personal.ts'

vi.setConfig({ testTimeout: 180_000 })
const count = 200

const kilobytes = (status: string, key: string): number =>
  Number(new RegExp(`^${key}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)

const memoryOf = async (pids: readonly number[]) => {
  const statuses = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  )
  const own = statuses.map((status) => kilobytes(status, 'RssAnon'))
  return {
    totalMb: Math.round(own.reduce((sum, size) => sum + size, 0) / 1024),
    mostMb: Math.round(Math.max(...own) / 1024),
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describeWith(xray, 'many personal Xrays', () => {
  test(`${count} start, are counted, are left alone, and stop`, async () => {
    const directory = await mkdtemp(join(tmpdir(), 'sallyport-many-'))
    const engine = await PersonalEngine.create({
      binary: xrayPath() ?? '',
      version: '1.2.3',
      directory,
      allowPrivateTargets: false,
      siteTarget: async () => 'unused',
      log: () => {},
    })
    const ids = Array.from({ length: count }, (_, index) => `c${index}`)
    const ports = await Promise.all(ids.map(freePort))
    const accesses = ids.map((id, index) => instanceOn(id, ports[index] ?? 0, 443).access)
    const state = { inbounds: [], accesses, ownTargets: ['127.0.0.1:443'] }
    const seconds = async (work: () => Promise<unknown>): Promise<number> => {
      const startedAtMs = performance.now()
      await work()
      return Math.round(performance.now() - startedAtMs) / 1000
    }
    const pidsOf = () => ids.flatMap((id) => engine.pidOf(id) ?? [])
    try {
      const startSeconds = await seconds(async () => {
        expect(await engine.apply(state)).toEqual([])
      })
      const pids = pidsOf()
      expect(new Set(pids).size).toBe(count)
      const readSeconds = await seconds(async () => expect(await engine.traffic()).toHaveLength(count))
      const againSeconds = await seconds(() => engine.apply(state))
      expect(pidsOf()).toEqual(pids)
      const memory = await memoryOf(pids)
      const agentMb = Math.round(process.memoryUsage().rss / 1024 / 1024)
      const stopSeconds = await seconds(() => engine.stop())
      expect(pids.filter(isAlive)).toEqual([])
      console.log({ startSeconds, readSeconds, againSeconds, stopSeconds, ...memory, agentMb })
      expect(memory.totalMb).toBeLessThan(count * 30)
    } finally {
      await engine.stop()
      await rm(directory, { recursive: true })
    }
  })
})
