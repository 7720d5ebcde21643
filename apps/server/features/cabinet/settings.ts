import type { Language } from '@sallyport/domain/text/language'

/** What the operator decided about the cabinet, as it is served. */

type Said = Readonly<Record<Language, string | null>>

export interface Logo {
  readonly type: string
  readonly bytes: Uint8Array
  readonly etag: string
}

export interface CabinetSettings {
  readonly name: string
  readonly supportUrl: string | null
  readonly accent: string
  readonly welcome: Said
  readonly rules: Said
  readonly mirrors: readonly string[]
  readonly closesConnections: boolean
  readonly logo: Logo | null
  /** Rises with every change of any of these. */
  readonly version: number
}

export interface CabinetSettingsSource {
  latest(): Promise<CabinetSettings>
  /** As a page last had them, for what belongs to it. */
  lastSeen(): Promise<CabinetSettings>
}
