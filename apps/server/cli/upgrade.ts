import { join } from 'node:path'
import { UsageError } from '@sallyport/cli/usage-error'
import { inheritedEnvironment, readPlace } from '../config.ts'
import { changeRelease } from '../local/upgrade/change.ts'
import { handOver } from '../local/upgrade/hand-over.ts'
import { takeLock } from '../local/upgrade/lock.ts'
import { standingOf, thisMachine } from '../local/upgrade/machine.ts'
import { UpgradeProblem } from '../local/upgrade/problem.ts'
import { type Manifest, readManifest } from '../local/upgrade/releases.ts'
import { stageRelease } from '../local/upgrade/staging.ts'
import { listOf, listText, stepsOf } from '../local/upgrade/texts.ts'
import { refusalOf } from '../local/upgrade/turn.ts'
import { compareVersions, releaseBefore } from '../local/upgrade/versions.ts'
import { systemClock } from '../ports/clock.ts'
import { flagsIn, json, writeJson } from './command.ts'

export const help = `sallyport upgrade --release FILE_OR_URL [--sha256 SUM] [--trial SECONDS] [--no-backup] [--dry-run]
sallyport upgrade --back [--trial SECONDS] [--dry-run]
sallyport upgrade --list [--json]

Brings another release to a machine that deploy/install.sh has made, as root, while customers are served. The new release is unpacked
beside the old one, looks at the settings and the database, brings the database up to date, and starts at the port that is
free. When it was well for a while, alone and beside the old one, it becomes the current one, and the old one finishes what it
was asked. No request is lost. When it does not come up it is stopped, the old one serves on, and this ends with 1. Cut off
anywhere, the same command takes it up.

--release FILE_OR_URL  the release, with FILE_OR_URL.sha256 beside it; or the version of one that --list names
--sha256 SUM           its checksum, instead of that file
--back                 to the release before; with --release, to that older one. The database stays as it is: it fits both
--trial SECONDS        how long the new one has to be well by itself, and as long again beside the old one; 15 when not said
--no-backup            no backup before the database is changed
--dry-run              say what would be done, and do nothing
--list                 the releases on this machine; * is the current one

Examples:
  sallyport upgrade --release https://…/sallyport-0.2.0-linux-x64.tar.gz
  sallyport upgrade --back`

const flags = {
  release: { type: 'string' },
  sha256: { type: 'string' },
  trial: { type: 'string', default: '15' },
  back: { type: 'boolean', default: false },
  'no-backup': { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  /** Said by the release before, which has unpacked this one. */
  staged: { type: 'string' },
  ...json,
} as const

interface Given {
  readonly release: string | undefined
  readonly sha256: string | undefined
  readonly isBack: boolean
  readonly takesBackup: boolean
  readonly trialSeconds: number
}

const machine = thisMachine()
const { releases } = machine
const say = (line: string): void => console.log(line)

const readTrial = (text: string): number => {
  const seconds = Number(text)
  if (!/^\d+$/.test(text) || seconds < 1 || seconds > 3600)
    throw new UsageError(`--trial takes seconds from 1 to 3600, not “${text}”.`)
  return seconds
}

const versionBefore = (current: string): string => {
  const before = releaseBefore(releases.list(), current)
  if (before === undefined)
    throw new UpgradeProblem(
      `There is no release before ${current} on this machine: give one with --release.`,
    )
  return before
}

/** One that cannot be taken is refused; one that is current or runs stays as it is. */
const isWanted =
  (current: string, isBack: boolean, inUse: readonly (string | undefined)[]) =>
  ({ version, arch }: Manifest): boolean => {
    const refusal = refusalOf({ version, arch, current, isBack }, process.arch)
    if (refusal) throw new UpgradeProblem(refusal)
    return version !== current && !inUse.includes(version)
  }

/** The version of a release that is on the disk then. */
const stage = async ({ release, sha256, isBack }: Given): Promise<string> => {
  const { current, places } = await standingOf(machine)
  const wanted = isWanted(
    current,
    isBack,
    places.filter(({ isRunning }) => isRunning).map((one) => one.release),
  )
  if (release === undefined || releases.has(release)) {
    const version = release ?? versionBefore(current)
    wanted(readManifest(releases.folderOf(version)) as Manifest)
    return version
  }
  const version = await stageRelease(releases, { from: release, sha256 }, wanted)
  say(`Release ${version} is unpacked in ${releases.folderOf(version)}.`)
  return version
}

/** Something newer runs beside the current release: going back, or an upgrade, was cut off, and back is where this is. */
const isBackAlready = async ({ release, isBack }: Given): Promise<string | undefined> => {
  if (!isBack || release !== undefined) return undefined
  const { current, places, free, hasLeftover } = await standingOf(machine)
  const beside = places.find(({ port }) => port === free)?.release
  return hasLeftover && beside && compareVersions(beside, current) > 0 ? current : undefined
}

const change = async (version: string, { isBack, takesBackup, trialSeconds }: Given): Promise<void> => {
  const interruption = new AbortController()
  const stop = () => interruption.abort(new UpgradeProblem('The upgrade was told to stop.'))
  process.on('SIGINT', stop).on('SIGTERM', stop)
  await changeRelease(machine, {
    ...{ version, isBack, takesBackup, trialSeconds, say },
    place: readPlace(),
    env: inheritedEnvironment(),
    now: systemClock.now(),
    interrupted: interruption.signal,
  })
}

const underLock = async <T>(work: () => Promise<T>): Promise<T> => {
  const release = await takeLock(machine.lockFile)
  try {
    return await work()
  } finally {
    await release()
  }
}

const tellSteps = async ({ release, isBack, takesBackup, trialSeconds }: Given): Promise<void> => {
  const { current, serving, free } = await standingOf(machine)
  const isHere = release === undefined || releases.has(release)
  const version = isHere
    ? (release ?? versionBefore(current))
    : /sallyport-(.+)-linux-\w+\.tar\.gz$/.exec(release)?.[1]
  const from = isHere ? undefined : release
  const steps = stepsOf({ from, version, current, serving, free, isBack, takesBackup, trialSeconds })
  say([...steps.map((step, index) => `${index + 1}. ${step}`), 'Nothing was done.'].join('\n'))
}

const tellList = async (isJson: boolean): Promise<void> => {
  const { current, places } = await standingOf(machine)
  const listed = listOf(releases.list(), current, places)
  if (isJson) return writeJson(listed)
  say(listText(listed))
}

const demandMachine = (): void => {
  if (process.getuid?.() !== 0) throw new UpgradeProblem('This needs root: run it with sudo.')
  if (readPlace().databaseUrl === undefined)
    throw new UpgradeProblem('Two releases run side by side with PostgreSQL only: DATABASE_URL is not set.')
}

export const run = async (args: string[]): Promise<void> => {
  const values = flagsIn(args, flags)
  const { release, sha256, back: isBack, staged } = values
  const given: Given = {
    ...{ release, sha256, isBack },
    takesBackup: !values['no-backup'],
    trialSeconds: readTrial(values.trial),
  }
  if (values.list) return tellList(values.json === true)
  if (release === undefined && !isBack && staged === undefined)
    throw new UsageError(
      'Say which release: sallyport upgrade --release FILE_OR_URL, or --back for the one before.',
    )
  if (values['dry-run']) return tellSteps(given)
  demandMachine()
  if (staged !== undefined) return underLock(() => change(staged, given))
  if (isBack)
    return underLock(async () => change((await isBackAlready(given)) ?? (await stage(given)), given))
  const version = await underLock(() => stage(given))
  const rest = ['--staged', version, '--trial', values.trial, ...(given.takesBackup ? [] : ['--no-backup'])]
  process.exitCode = await handOver(
    join(releases.folderOf(version), 'bin/sallyport'),
    ['upgrade', ...rest],
    inheritedEnvironment(),
  )
}
