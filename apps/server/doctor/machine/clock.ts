import { readDatabaseClock } from '../database/queries.ts'
import { type Finding, lasting, ok, problem, skipped, warning } from '../finding.ts'
import { type Check, DatabaseAway, type Subject } from '../subject.ts'

/** This machine's clock against others. What is signed or runs out is judged by it. */

/** Positive where this machine is ahead. */
export interface Offsets {
  /** Seconds against the database. */
  readonly database: number | undefined
  /** Seconds against what PUBLIC_URL says; it is told in whole seconds. */
  readonly publicUrl: number | undefined
  /** What the system says of being kept right over the net. */
  readonly isKept: boolean | undefined
}

const keepIt =
  'Keep every machine right over the net: apt install systemd-timesyncd (or chrony), then timedatectl set-ntp true.'

const judgeOffset = (
  offset: number | undefined,
  whose: string,
  [warnAt, badAt]: readonly [number, number],
): Finding[] => {
  if (offset === undefined || Math.abs(offset) <= warnAt) return []
  const text = `${lasting(Math.abs(offset))} ${offset > 0 ? 'ahead of' : 'behind'} ${whose}`
  return [Math.abs(offset) > badAt ? problem(text, keepIt) : warning(text, keepIt)]
}

export const judgeClock = ({ database, publicUrl, isKept }: Offsets): readonly Finding[] => {
  const findings = [
    ...judgeOffset(database, 'the clock of the database', [2, 30]),
    ...judgeOffset(publicUrl, 'the clock that PUBLIC_URL answers with', [5, 60]),
    ...(isKept === false ? [warning('is not kept right over the net', keepIt)] : []),
  ]
  if (findings.length > 0) return findings
  const against = [
    ...(database === undefined ? [] : [`the database's (${lasting(Math.abs(database))} apart)`]),
    ...(publicUrl === undefined ? [] : ["PUBLIC_URL's"]),
  ]
  if (against.length > 0) return [ok(`agrees with ${against.join(' and ')}`)]
  return [isKept ? ok('is kept right over the net') : skipped('there is nothing to compare it with')]
}

const againstDatabase = async (subject: Subject): Promise<number | undefined> => {
  // The embedded one has this machine's own clock.
  if (!subject.config.databaseUrl) return undefined
  try {
    return await subject.read(async (tx) => {
      const before = subject.nowMs()
      const theirs = await readDatabaseClock(tx)
      return ((before + subject.nowMs()) / 2 - theirs) / 1000
    })
  } catch (error) {
    if (error instanceof DatabaseAway) return undefined
    throw error
  }
}

const againstPublicUrl = async ({ config, ask, nowMs }: Subject): Promise<number | undefined> => {
  if (!config.publicUrl) return undefined
  const before = nowMs()
  const answer = await ask(`${config.publicUrl}/healthz`).catch(() => undefined)
  const theirs = Date.parse(answer?.headers.date ?? '')
  if (Number.isNaN(theirs)) return undefined
  // The half second that is cut off, on the average.
  return ((before + nowMs()) / 2 - (theirs + 500)) / 1000
}

const isKeptRight = async ({ machine }: Subject): Promise<boolean | undefined> => {
  const said = await machine.run('timedatectl', ['show', '--property=NTPSynchronized', '--value'])
  return said === undefined ? undefined : said.trim() === 'yes'
}

export const clockCheck: Check = {
  name: 'clock',
  about: "this machine's clock against the database's and against what PUBLIC_URL says",
  run: async (subject) => {
    const [database, publicUrl, isKept] = await Promise.all([
      againstDatabase(subject),
      againstPublicUrl(subject),
      isKeptRight(subject),
    ])
    return judgeClock({ database, publicUrl, isKept })
  },
}
