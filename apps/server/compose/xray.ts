import { locateXray } from '../../agent/engines/common/locate.ts'
import { Confinement } from '../../agent/engines/isolation/confinement.ts'
import { limited } from '../../agent/engines/process/child.ts'
import { tryConfiguration } from '../../agent/engines/xray/trial.ts'
import type { Config } from '../config.ts'
import type { Log } from '../ports/log.ts'
import { XrayBusy, type XrayReader } from '../ports/xray.ts'

const atOnce = 2
/** Those that wait for the others included; one takes a fraction of a second, and at most ten seconds. */
const mostInLine = 10

/**
 * Customers write what it reads, so it is held as nodes hold customers' engines: a user of its own, little memory, not a
 * byte to any file. It opens no connection while it only reads, so that no wall is put up.
 */
export const openXrayReader = ({ dataDir, engineSearch }: Config, log: Log): XrayReader => {
  const inTurn = limited(atOnce)
  let inLine = 0
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
    const { isAccepted, reason } = await tryConfiguration(path, await confinement, config)
    return isAccepted ? null : (reason ?? 'no reason given')
  }

  const refusalOf = async (config: string): Promise<string | null> => {
    const path = await locate()
    if (path === undefined) return null
    if (inLine >= mostInLine) throw new XrayBusy()
    inLine += 1
    try {
      return await inTurn(() => tried(path, config))
    } catch (error) {
      // It was there a moment ago; what it is asked has passed every check of ours.
      log.warn({ err: error }, 'Xray could not be asked about a template')
      binary = undefined
      return null
    } finally {
      inLine -= 1
    }
  }
  return { refusalOf }
}
