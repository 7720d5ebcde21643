import type { Language } from '../text/language.ts'

/** What the page tells the web app of whose service it is, as JSON in the element with this id. */
export const brandElement = 'brand'

type Said = Readonly<Record<Language, string | null>>

export interface CabinetBrand {
  readonly name: string
  /** Where it is, with what it is now in the address; null without one. */
  readonly logo: string | null
  readonly supportUrl: string | null
  readonly welcome: Said
  /** Long, and read by few: they are text at `/brand/rules/<language>`. */
  readonly hasRules: boolean
  /** Other origins of the same service. */
  readonly mirrors: readonly string[]
}
