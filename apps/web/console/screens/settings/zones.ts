import { language } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'

/** Time zones that this browser knows, and the one that is set, which it may call otherwise. */
export const zonesWith = (set: string): readonly (readonly [value: string, title: string])[] =>
  [...new Set(['UTC', set, ...Intl.supportedValuesOf('timeZone')])]
    .toSorted()
    .map((zone) => [zone, zone.replaceAll('_', ' ')] as const)

/** Undefined where the browser does not know it. */
export const timeIn = (zone: string): string | undefined => {
  try {
    const format = { weekday: 'short', hour: '2-digit', minute: '2-digit', timeZone: zone } as const
    return new Intl.DateTimeFormat(language, format).format(now() * 1000)
  } catch {
    return undefined
  }
}
