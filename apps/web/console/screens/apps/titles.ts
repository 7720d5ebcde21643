import { type App, appProtocols, platforms } from '@sallyport/domain/delivery/apps/app'
import { texts } from '@sallyport/domain/delivery/page/words/texts'
import { language } from '../../../lib/language.ts'

/** Names as customers read them on the page of their subscription. */

export const pageTexts = texts[language]

export const platformOptions = platforms.map((one) => [one, pageTexts.platforms[one]] as const)

export const platformTitles = (of: App['platforms']): string =>
  platforms
    .filter((one) => of.includes(one))
    .map((one) => pageTexts.platforms[one])
    .join(', ')

export const protocolOptions = appProtocols.map((one) => [one, pageTexts.protocols[one]] as const)
