import type { App, AppProtocol, Platform, Store } from './app.ts'

export interface Wanted {
  readonly platform: Platform
  /** What the subscription holds; an app is offered when it carries some of it. */
  readonly protocols: readonly AppProtocol[]
  /** Devices are limited, so that an app which never names its device gets nothing. */
  readonly needsHwid: boolean
}

export const appsFor = (apps: readonly App[], { platform, protocols, needsHwid }: Wanted): App[] =>
  apps.filter(
    (app) =>
      app.platforms.includes(platform) &&
      (protocols.length === 0 || protocols.some((protocol) => app.protocols.includes(protocol))) &&
      !(needsHwid && app.importTemplate !== null && app.hwid === 'never'),
  )

/** What of the subscription the app leaves out, each once. */
export const leftOutBy = (app: App, protocols: readonly AppProtocol[]): AppProtocol[] => [
  ...new Set(protocols.filter((protocol) => !app.protocols.includes(protocol))),
]

export const storesFor = ({ stores }: App, platform: Platform): Store[] =>
  stores.filter((store) => store.platforms.includes(platform))
