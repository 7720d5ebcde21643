import { locateXray } from '@sallyport/agent/engines/common/locate'
import { Confinement } from '@sallyport/agent/engines/isolation/confinement'
import { limited } from '@sallyport/agent/engines/process/child'
import { tryConfiguration } from '@sallyport/agent/engines/xray/trial'
import type { Config } from '../config.ts'
import type { Log } from '../ports/log.ts'
import { XrayBusy, type XrayReader } from '../ports/xray.ts'

const atOnce = 2
/** Those that wait for the others included, each of another who asks; one takes a fraction of a second. */
const mostInLine = 40
/** Of one who asks, the one that is looked at included: as many as may come within a second. */
const mostOfOne = 3

interface OwnLine {
  readonly inTurn: ReturnType<typeof limited>
  count: number
}

/**
 * Customers write what it reads, so it is held as nodes hold customers' engines: a user of its own, little memory, not a
 * byte to any file. It opens no connection while it only reads, so that no wall is put up.
 */
export const openXrayReader = ({ dataDir, engineSearch }: Config, log: Log): XrayReader => {
  const inTurn = limited(atOnce)
  const lines = new Map<string, OwnLine>()
  let binary: string | undefined
  let confinement: Promise<Confinement> | undefined

  /** Looked for until it is there: whoever installs it need not start the service again. */
  const locate = async (): Promise<string | undefined> => {
    if (binary !== undefined) return binary
    const located = await locateXray(engineSearch)
    if (located.state === 'found') binary = located.path
    return binary
  }
  const tried = async (path: string, config: string): Promise<string | null> => {
    confinement ??= Confinement.create({ directory: dataDir, name: 'templates', allowPrivateTargets: true })
    const { isAccepted, reason, isLate } = await tryConfiguration(path, await confinement, config)
    if (isLate) throw new XrayBusy()
    return isAccepted ? null : (reason ?? 'no reason given')
  }

  const refusalAmong = async (path: string, configs: readonly string[]): Promise<string | null> => {
    try {
      for (const config of configs) {
        const refusal = await inTurn(() => tried(path, config))
        if (refusal !== null) return refusal
      }
      return null
    } catch (error) {
      if (error instanceof XrayBusy) throw error
      // It was there a moment ago; what it is asked has passed every check of ours.
      log.warn({ err: error }, 'Xray could not be asked about a template')
      binary = undefined
      return null
    }
  }

  /** Whoever asks for several stands in line once: others need not wait for all of them. */
  const refusalOf = async (configs: readonly string[], whoAsks: string): Promise<string | null> => {
    const path = await locate()
    if (path === undefined) return null
    const own = lines.get(whoAsks) ?? { inTurn: limited(1), count: 0 }
    if (own.count >= mostOfOne || (own.count === 0 && lines.size >= mostInLine)) throw new XrayBusy()
    own.count += 1
    lines.set(whoAsks, own)
    try {
      return await own.inTurn(() => refusalAmong(path, configs))
    } finally {
      own.count -= 1
      if (own.count === 0) lines.delete(whoAsks)
    }
  }
  return { refusalOf }
}
