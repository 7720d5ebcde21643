/** Which release comes after which, and which may go. */

const shape = /^(\d+)\.(\d+)\.(\d+)(?:[-.]?([\w.-]+))?$/

export const isVersion = (text: string): boolean => shape.test(text)

const compareParts = (a: string, b: string): number => {
  const [x, y] = [Number(a), Number(b)]
  if (Number.isNaN(x) || Number.isNaN(y)) return a < b ? -1 : a > b ? 1 : 0
  return x - y
}

/** What leads to a release, like 1.2.0-rc.1, comes before it. */
const compareEndings = (a: string, b: string): number => {
  if (a === '' || b === '') return (a === '' ? 1 : 0) - (b === '' ? 1 : 0)
  const [left, right] = [a.split(/[.-]/), b.split(/[.-]/)]
  for (let place = 0; place < Math.max(left.length, right.length); place++) {
    const order = compareParts(left[place] ?? '-1', right[place] ?? '-1')
    if (order !== 0) return order
  }
  return 0
}

/** Below 0 when the first is the older one. */
export const compareVersions = (a: string, b: string): number => {
  const [left, right] = [shape.exec(a), shape.exec(b)]
  if (!left || !right) throw new Error(`${left ? b : a} is no version`)
  for (const place of [1, 2, 3]) {
    const order = Number(left[place]) - Number(right[place])
    if (order !== 0) return order
  }
  return compareEndings(left[4] ?? '', right[4] ?? '')
}

export interface KeptRelease {
  readonly version: string
  /** When it began to serve last; undefined when it never did. */
  readonly servedAtMs: number | undefined
}

/** The newest of those that have served and are older than this one. */
export const releaseBefore = (releases: readonly KeptRelease[], current: string): string | undefined =>
  releases
    .filter(({ version, servedAtMs }) => servedAtMs !== undefined && compareVersions(version, current) < 0)
    .map(({ version }) => version)
    .toSorted(compareVersions)
    .at(-1)

const mostKept = 3

/** All but those in use and those that served last. What never served is of no use to anybody. */
export const removable = (releases: readonly KeptRelease[], inUse: readonly string[]): string[] => {
  const idle = releases.filter(({ version }) => !inUse.includes(version))
  const kept = idle
    .filter(({ servedAtMs }) => servedAtMs !== undefined)
    .toSorted((a, b) => (b.servedAtMs ?? 0) - (a.servedAtMs ?? 0))
    .slice(0, Math.max(0, mostKept - inUse.length))
  return idle.filter((release) => !kept.includes(release)).map(({ version }) => version)
}
