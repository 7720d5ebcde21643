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

/**
 * The first so many, in their order, and of everything the subscription holds some app that carries it: what only the last one
 * takes would otherwise be in none.
 */
export const fewOf = (apps: readonly App[], protocols: readonly AppProtocol[], most: number): App[] => {
  const carriers = protocols.flatMap((protocol) => apps.find((app) => app.protocols.includes(protocol)) ?? [])
  const chosen = new Set(carriers)
  for (const app of apps) if (chosen.size < most) chosen.add(app)
  return apps.filter((app) => chosen.has(app))
}

/** What of the subscription the app leaves out, each once. */
export const leftOutBy = (app: App, protocols: readonly AppProtocol[]): AppProtocol[] => [
  ...new Set(protocols.filter((protocol) => !app.protocols.includes(protocol))),
]

export const storesFor = ({ stores }: App, platform: Platform): Store[] =>
  stores.filter((store) => store.platforms.includes(platform))
