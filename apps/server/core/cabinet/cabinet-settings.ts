import type { LogoType } from '@sallyport/contract/operator/cabinet'
import { type Palette, paletteOf, usualAccent } from '@sallyport/domain/brand/palette'
import { etagOf } from '@sallyport/domain/delivery/etag'
import { usualBrand } from '@sallyport/domain/delivery/page/frame'
import type { Language } from '@sallyport/domain/text/language'
import { type Db, prepared } from '../../db/client.ts'

/** What the operator decided about the cabinet, as whoever serves it uses it. */

export interface Logo {
  readonly type: LogoType
  readonly bytes: Uint8Array
  readonly etag: string
}

/** Null where there is none in either language. */
type Said = Readonly<Record<Language, string | null>>

export interface CabinetSettings {
  readonly name: string
  readonly supportUrl: string | null
  /** The operator's own or the usual one; readable either way. */
  readonly accent: string
  /** What pages make of it; reckoned once a version. */
  readonly palette: Palette
  readonly welcome: Said
  /** Paragraphs with empty lines between them. */
  readonly rules: Said
  /** Origins of the same service. */
  readonly mirrors: readonly string[]
  readonly closesConnections: boolean
  readonly logo: Logo | null
  /** Rises with every change of any of these. */
  readonly version: number
}

/** For answers with a logo: a drawing that is opened by itself runs nothing and asks nobody. */
export const logoPolicy = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

interface Row {
  readonly version: number
  readonly title: string | null
  readonly support_url: string | null
  readonly accent: string | null
  readonly welcome_ru: string | null
  readonly welcome_en: string | null
  readonly rules_ru: string | null
  readonly rules_en: string | null
  readonly mirrors: readonly string[]
  readonly closes_connections: boolean
  readonly logo: Uint8Array | null
  readonly logo_type: LogoType | null
}

const settingsNow = prepared<[], Row>(
  `select c.version, d.title, d.support_url, c.accent, c.welcome_ru, c.welcome_en, c.rules_ru, c.rules_en, c.mirrors,
     c.closes_connections, c.logo, c.logo_type
   from cabinet_settings c cross join delivery_settings d`,
)

/** The other language is better than silence. */
const said = (ru: string | null, en: string | null): Said => ({ ru: ru ?? en, en: en ?? ru })

export const readCabinetSettings = async (db: Db): Promise<CabinetSettings> => {
  const row = (await settingsNow(db))[0] as Row
  const { logo, logo_type: type } = row
  const accent = row.accent ?? usualAccent
  return {
    name: row.title ?? usualBrand,
    supportUrl: row.support_url,
    accent,
    palette: paletteOf(accent),
    welcome: said(row.welcome_ru, row.welcome_en),
    rules: said(row.rules_ru, row.rules_en),
    mirrors: row.mirrors,
    closesConnections: row.closes_connections,
    logo: logo && type ? { type, bytes: logo, etag: etagOf(logo) } : null,
    version: row.version,
  }
}

const versionNow = prepared<[], { readonly version: number }>('select version from cabinet_settings')

const readVersion = async (db: Db): Promise<number> =>
  ((await versionNow(db))[0] as { readonly version: number }).version

/** In memory, and read anew only for a version that is not known yet: a change is in the next page on every instance. */
export class CabinetSettingsCache {
  readonly #db: Db
  #settings: CabinetSettings | undefined
  #asking: Promise<CabinetSettings> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Strangers ask this, so that those at once ask together. */
  latest(): Promise<CabinetSettings> {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }

  /** As a page last had them, for files that belong to it: nobody is asked unless there was no page yet. */
  async lastSeen(): Promise<CabinetSettings> {
    return this.#settings ?? this.latest()
  }

  async #ask(): Promise<CabinetSettings> {
    const version = await readVersion(this.#db)
    if (this.#settings && this.#settings.version >= version) return this.#settings
    const read = await readCabinetSettings(this.#db)
    this.#settings = read
    return read
  }
}
