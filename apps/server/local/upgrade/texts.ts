import { type Place, type Port, unitOf } from './turn.ts'
import type { KeptRelease } from './versions.ts'

export interface Listed {
  readonly version: string
  readonly is_current: boolean
  readonly served_at: string | null
  readonly running_at: readonly Port[]
}

export const listOf = (
  releases: readonly KeptRelease[],
  current: string | undefined,
  places: readonly Place[],
): Listed[] =>
  releases.map(({ version, servedAtMs }) => ({
    version,
    is_current: version === current,
    served_at: servedAtMs === undefined ? null : new Date(servedAtMs).toISOString(),
    running_at: places.filter((one) => one.isRunning && one.release === version).map(({ port }) => port),
  }))

export const listText = (listed: readonly Listed[]): string =>
  listed
    .map(({ version, is_current, served_at, running_at }) => {
      const since = served_at?.slice(0, 19).replace('T', ' ')
      const runs = running_at.map((port) => `runs as ${unitOf(port)}`)
      const served = since ? `began to serve ${since} UTC` : 'never served'
      return `${is_current ? '*' : ' '} ${version.padEnd(12)} ${[served, ...runs].join(', ')}`
    })
    .join('\n')

export interface Intention {
  /** What is fetched and unpacked; undefined for a release that is on the disk. */
  readonly from: string | undefined
  readonly version: string | undefined
  readonly current: string
  readonly serving: Port | undefined
  readonly free: Port
  readonly isBack: boolean
  readonly takesBackup: boolean
  readonly trialSeconds: number
}

/** What would be done, in its order. */
export const stepsOf = (intention: Intention): string[] => {
  const { from, version, current, serving, free, isBack, takesBackup, trialSeconds } = intention
  const release = version ? `release ${version}` : 'the release'
  const watch = `${trialSeconds} s`
  return [
    from && `Take ${from}, compare its checksum, and unpack it beside release ${current}.`,
    `Have ${release} look at the settings, the secret key and the database.`,
    !isBack &&
      takesBackup &&
      'Back up, if the database is to change and the last backup is older than an hour.',
    isBack
      ? 'Leave the database as it is.'
      : `Bring the database up to date${serving ? ` while release ${current} serves` : ''}.`,
    `Start ${release} as ${unitOf(free)}, and watch it for ${watch}${serving ? ' without customers' : ''}.`,
    serving && `Let both serve for ${watch}.`,
    `Make ${release} the current one, now and after a reboot.`,
    serving && `Let ${unitOf(serving)} finish what it was asked, and stop it.`,
    'Remove all but the last three releases.',
  ].filter((step): step is string => typeof step === 'string')
}
