import { fileURLToPath } from 'node:url'
import { usualBrand } from '@sallyport/domain/delivery/page/frame'
import { CabinetBuild } from '../features/cabinet/build.ts'
import type { CabinetSettings, CabinetSettingsSource } from '../features/cabinet/settings.ts'
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

const usual: CabinetSettings = {
  name: usualBrand,
  supportUrl: null,
  accent: '#0b6e5f',
  welcome: { ru: null, en: null },
  rules: { ru: null, en: null },
  mirrors: [],
  closesConnections: false,
  logo: null,
  version: 1,
}

export const usualSettings: CabinetSettingsSource = {
  latest: async () => usual,
  lastSeen: async () => usual,
}
