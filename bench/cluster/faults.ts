import { existsSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { until } from './parts/program.ts'
import type { Run } from './run.ts'

/** What goes wrong while customers go on. Each ends with everything as it was. */

export interface Fault {
  readonly name: string
  readonly title: string
  readonly run: (run: Run) => Promise<string>
}

const libraries = ['/usr/lib/x86_64-linux-gnu/faketime', '/usr/lib/aarch64-linux-gnu/faketime']

const seconds = (from: number): string => `${((performance.now() - from) / 1000).toFixed(1)} s`

/** One after another, each back before the next dies. */
const instancesKilled = async ({ cluster }: Run): Promise<string> => {
  const starts: number[] = []
  for (let round = 0; round < 6; round++) {
    const instance = cluster.instances[round % cluster.instances.length]
    if (!instance) throw new Error('There are no instances')
    await instance.kill()
    await sleep(3000)
    starts.push(await instance.start())
    await sleep(Math.max(0, 20_000 - 3000 - (starts.at(-1) ?? 0) * 1000))
  }
  return `6 kills, 20 s apart; ready again after ${Math.max(...starts).toFixed(1)} s at most`
}

const primaryKilled = async ({ cluster: { patroni } }: Run): Promise<string> => {
  const old = await patroni.primary()
  if (!old) throw new Error('There is no primary')
  const beganMs = performance.now()
  await old.kill()
  await until('another primary', async () => {
    const primary = await patroni.primary()
    return primary !== undefined && primary !== old
  })
  const told = `another primary after ${seconds(beganMs)}`
  await sleep(20_000)
  const backMs = performance.now()
  old.start()
  await until('the old primary as a synchronous standby', () => old.is('sync'), 180)
  return `${told}; the old one came back as its standby in ${seconds(backMs)}`
}

const redisGone = async ({ cluster: { sentinels } }: Run): Promise<string> => {
  for (const { program } of sentinels.servers) await program.kill()
  await sleep(15_000)
  for (const { program } of sentinels.servers) program.start()
  await sleep(15_000)
  return 'both away for 15 s'
}

const redisFailover = async ({ cluster: { sentinels } }: Run): Promise<string> => {
  const master = await sentinels.master()
  if (!master) throw new Error('The sentinels name no master')
  const beganMs = performance.now()
  await master.program.kill()
  await until('another master', async () => {
    const now = await sentinels.master()
    return now !== undefined && now !== master
  })
  const told = `another master after ${seconds(beganMs)}`
  await sleep(10_000)
  master.program.start()
  await sleep(10_000)
  return told
}

/** A file that takes what is left. */
const diskFull = async ({ cluster }: Run): Promise<string> => {
  const file = join(cluster.disk.path, 'filler')
  const { bavail, bsize } = statfsSync(cluster.disk.path)
  if (bavail * bsize > 16 * 2 ** 30)
    return 'left out: the database is not on a small disk of its own (--disk)'
  const piece = Buffer.alloc(2 ** 20)
  try {
    for (;;) writeFileSync(file, piece, { flag: 'a' })
  } catch {
    // Full.
  }
  await sleep(15_000)
  rmSync(file)
  const beganMs = performance.now()
  await until('a primary', async () => (await cluster.patroni.primary()) !== undefined, 120)
  await sleep(15_000)
  return `no room for 15 s; a primary ${seconds(beganMs)} after there was room again`
}

/** Two of three instances are an hour off, one on either side. */
const clocksWrong = async ({ cluster }: Run): Promise<string> => {
  const library = libraries.map((folder) => join(folder, 'libfaketime.so.1')).find((path) => existsSync(path))
  if (!library) return 'left out: install faketime'
  const shifts = ['+1h', '-1h']
  for (const [at, shift] of shifts.entries()) {
    const instance = cluster.instances[at]
    await instance?.stop()
    await instance?.start({
      LD_PRELOAD: library,
      FAKETIME: shift,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      FAKETIME_DONT_RESET: '1',
    })
  }
  await sleep(30_000)
  for (const at of shifts.keys()) {
    await cluster.instances[at]?.stop()
    await cluster.instances[at]?.start()
  }
  return 'one instance an hour ahead and one an hour behind for 30 s'
}

const agentsCutOff =
  (cutSeconds: number) =>
  async ({ agents, traffic: { deals } }: Run): Promise<string> => {
    deals.mayFindNoServer = true
    agents.isCut = true
    await sleep(cutSeconds * 1000)
    agents.isCut = false
    const beganMs = performance.now()
    await until('all agents to be heard', () => agents.all.every(({ isHeard }) => isHeard), 180)
    deals.mayFindNoServer = false
    return `all were heard ${seconds(beganMs)} after the cut of ${cutSeconds} s`
  }

const balancerRestarted = async ({ cluster }: { readonly cluster: Cluster }): Promise<string> => {
  await cluster.balancer.program.kill()
  await sleep(1000)
  await cluster.balancer.start()
  await cluster.untilPrimary()
  return 'killed, and started a second later'
}

export const faultsOf = (cutSeconds: number): readonly Fault[] => [
  { name: 'instances', title: 'an instance killed every 20 s', run: instancesKilled },
  { name: 'primary', title: 'PostgreSQL’s primary killed with its machine', run: primaryKilled },
  { name: 'redis', title: 'Redis gone and back', run: redisGone },
  { name: 'sentinel', title: 'Redis failed over by Sentinel', run: redisFailover },
  { name: 'disk', title: 'the disk of the database full', run: diskFull },
  { name: 'clock', title: 'clocks ± 1 h', run: clocksWrong },
  { name: 'agents', title: 'agents cut off', run: agentsCutOff(cutSeconds) },
  { name: 'balancer', title: 'the balancer killed and started', run: balancerRestarted },
]
