import type { App } from '@sallyport/domain/delivery/apps/app'
import { catalogue } from '@sallyport/domain/delivery/apps/app-catalogue'
import { arrangeApps } from '@sallyport/domain/delivery/apps/arrange'
import type { Format, Variant } from '@sallyport/domain/delivery/format'
import { routingLink } from '@sallyport/domain/delivery/happ-routing'
import { headerText } from '@sallyport/domain/delivery/header-text'
import { usualBrand } from '@sallyport/domain/delivery/page/frame'
import {
  readTemplate,
  type TemplateKind,
  templateKindOf,
} from '@sallyport/domain/delivery/templates/template'
import type { Language } from '@sallyport/domain/text/language'
import type { JsonObject } from '@sallyport/domain/text/strict-json'
import {
  asItComes,
  type Decided,
  readDecided,
  readDecidedVersion,
} from '../../../core/delivery/delivery-settings.ts'
import type { Db } from '../../../db/client.ts'
import { titleHeader } from '../owner-texts.ts'

/** What the operator decided, as delivery uses it. */

export class Settings {
  readonly version: number
  readonly brand: string
  readonly titleHeader: string
  readonly supportUrl: string | undefined
  /** The operator's own site or bot. */
  readonly accountUrl: string | undefined
  /** Apps that name no device are turned away where devices are limited. */
  readonly refusesUnnamed: boolean
  readonly apps: readonly App[]
  /** What apps are told in headers, whoever's subscription it is. */
  readonly headers: Readonly<Record<Language, Readonly<Record<string, string>>>>
  readonly #texts: Decided['templates']
  readonly #templates = new Map<TemplateKind, JsonObject | undefined>()

  constructor(decided: Decided) {
    this.version = decided.version
    this.brand = decided.title ?? usualBrand
    this.titleHeader = titleHeader(this.brand)
    this.supportUrl = decided.support_url ?? undefined
    this.accountUrl = decided.account_url ?? undefined
    this.refusesUnnamed = decided.unnamed_devices === 'refuse'
    this.apps = arrangeApps(catalogue, decided.apps ?? asItComes).apps
    this.headers = { ru: headersOf(decided, 'ru'), en: headersOf(decided, 'en') }
    this.#texts = decided.templates
  }

  /** The operator's own; undefined where the usual one is in use, and of formats that are made of none. */
  templateFor(format: Format, variant: Variant | undefined): JsonObject | undefined {
    const kind = templateKindOf(format, variant)
    if (kind === null) return undefined
    if (!this.#templates.has(kind)) this.#templates.set(kind, this.#read(kind))
    return this.#templates.get(kind)
  }

  /** What was stored has been checked; one that a later release refuses gives way to the usual one. */
  #read(kind: TemplateKind): JsonObject | undefined {
    const text = this.#texts[kind]
    const read = text === undefined ? undefined : readTemplate(kind, text)
    return read && 'template' in read ? read.template : undefined
  }
}

const headersOf = (decided: Decided, language: Language): Record<string, string> => {
  const { announce_ru: ru, announce_en: en, happ_routing: routing, happ_routing_enabled: isOn } = decided
  const announce = language === 'ru' ? (ru ?? en) : (en ?? ru)
  return {
    'profile-update-interval': String(decided.update_interval_hours),
    ...(decided.support_url !== null && { 'support-url': decided.support_url }),
    ...(announce !== null && { announce: headerText(announce) }),
    ...(routing !== null && { routing: routingLink(routing) }),
    ...(isOn !== null && { 'routing-enable': isOn ? '1' : '0' }),
  }
}

/** In memory, and read anew only for a version that is not known yet: a change is in the next fetch on every instance. */
export class SettingsCache {
  readonly #db: Db
  #settings: Settings | undefined
  #reading: Promise<void> | undefined
  #asking: Promise<number> | undefined

  constructor(db: Db) {
    this.#db = db
  }

  /** Of the version that a fetch was told, or of a later one. */
  async of(version: number): Promise<Settings> {
    let settings = this.#settings
    while (!settings || settings.version < version) {
      // One that was under way before the version rose may bring the old ones.
      this.#reading ??= this.#read().finally(() => {
        this.#reading = undefined
      })
      await this.#reading
      settings = this.#settings
    }
    return settings
  }

  /** Where no key tells the version. Strangers ask this too, so that those at once ask together. */
  async latest(): Promise<Settings> {
    this.#asking ??= readDecidedVersion(this.#db).finally(() => {
      this.#asking = undefined
    })
    return this.of(await this.#asking)
  }

  async #read(): Promise<void> {
    const decided = await readDecided(this.#db)
    if (decided.version > (this.#settings?.version ?? 0)) this.#settings = new Settings(decided)
  }
}
