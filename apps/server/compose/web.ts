import { fileURLToPath } from 'node:url'
import type { WebBuild } from '../core/web/web-build.ts'
import { CabinetBuild } from '../features/cabinet/build.ts'
import { consoleBuild } from '../features/console/build.ts'
import type { Log } from '../ports/log.ts'

/** Where `npm run build` leaves the web apps. */
const builtAt = (app: string): string => fileURLToPath(new URL(`../../web/dist/${app}`, import.meta.url))
export const builtCabinet = builtAt('cabinet')
export const builtConsole = builtAt('console')

/** Undefined without a whole build: everything else is served all the same. */
const readIfBuilt = <B>(app: string, folder: string, log: Log, read: () => B): B | undefined => {
  try {
    return read()
  } catch (error) {
    log.warn({ folder, reason: String(error) }, `the ${app} is not served: npm run build makes it`)
    return undefined
  }
}

export const readCabinet = (folder: string, log: Log): CabinetBuild | undefined =>
  readIfBuilt('cabinet', folder, log, () => new CabinetBuild(folder))

export const readConsole = (folder: string, log: Log): WebBuild | undefined =>
  readIfBuilt('console', folder, log, () => consoleBuild(folder))
