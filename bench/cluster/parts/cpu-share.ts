import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Programs that get a share of a processor and no more, as if each had a small machine of its own. On one machine the
 * processors are full with one instance already, and what a second adds would not be seen.
 */

const periodUs = 10_000

/** Where the kernel counts processors: each of its two ways has names of its own. */
const ways = [
  {
    root: '/sys/fs/cgroup/cpu',
    settings: (quotaUs: number) => ({ 'cpu.cfs_period_us': `${periodUs}`, 'cpu.cfs_quota_us': `${quotaUs}` }),
  },
  {
    root: '/sys/fs/cgroup',
    settings: (quotaUs: number) => ({ 'cpu.max': `${quotaUs} ${periodUs}` }),
  },
]

export class CpuShare {
  readonly #folder: string

  constructor(name: string, share: number) {
    const way = ways.find(({ root }) => existsSync(root))
    if (!way) throw new Error('This system has no cgroups')
    this.#folder = join(way.root, `sallyport-${process.pid}-${name}`)
    mkdirSync(this.#folder)
    const settings = Object.entries(way.settings(Math.round(periodUs * share)))
    for (const [name, value] of settings) writeFileSync(join(this.#folder, name), value)
  }

  hold(pid: number): void {
    writeFileSync(join(this.#folder, 'cgroup.procs'), String(pid))
  }

  /** Once nobody is held any more. */
  remove(): void {
    rmdirSync(this.#folder)
  }
}
