import { fileURLToPath } from 'node:url'
import { CabinetBuild } from '../features/cabinet/build.ts'
import type { Log } from '../ports/log.ts'

/** Where `npm run build` leaves the web app. */
export const builtCabinet = fileURLToPath(new URL('../../web/dist/cabinet', import.meta.url))

/** Undefined without a whole build: everything else is served all the same. */
export const readCabinet = (folder: string, log: Log): CabinetBuild | undefined => {
  try {
    return new CabinetBuild(folder)
  } catch (error) {
    log.warn({ folder, reason: String(error) }, 'the cabinet is not served: npm run build makes it')
    return undefined
  }
}
