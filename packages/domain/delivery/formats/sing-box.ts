import type { Language } from '../../text/language.ts'
import type { Json, JsonObject } from '../../text/strict-json.ts'
import type { SingBoxVariant } from '../format.ts'
import { type SingBoxPart, singBoxOutbound } from '../render/sing-box.ts'
import { filledIn, listIn, objectIn, textIn } from '../templates/insertion.ts'
import { carriedOf, type Entry, nowhere } from './entry.ts'
import { uniqueTitles } from './titles.ts'

const partOf = (entry: Entry, variant: SingBoxVariant): SingBoxPart | null =>
  entry.protocol === 'notice'
    ? { outbound: { type: 'socks', server: nowhere.host, server_port: nowhere.port, version: '5' } }
    : singBoxOutbound(entry, variant)

/** The word in a selector's list of outbounds becomes the tags of all entries. */
const filledOutbound = (outbound: Json, tags: readonly string[]): Json => {
  const { outbounds } = objectIn(outbound)
  return Array.isArray(outbounds) ? { ...objectIn(outbound), outbounds: filledIn(outbounds, tags) } : outbound
}

/** A whole client config: entries stand behind the template's own outbounds, WireGuard among the endpoints. */
export const singBoxConfig = (
  entries: readonly Entry[],
  template: JsonObject,
  language: Language,
  variant: SingBoxVariant,
): string => {
  const carried = carriedOf(entries, language, (entry) => partOf(entry, variant))
  const own = [...listIn(template.outbounds), ...listIn(template.endpoints)]
  const taken = own.flatMap((outbound) => textIn(objectIn(outbound).tag))
  const tags = uniqueTitles(
    carried.map(({ title }) => title),
    taken,
  )
  const parts = carried.map(({ part }, at) => ({ part, tag: tags[at] }))
  const outbounds = parts.flatMap(({ part, tag }) => ('outbound' in part ? [{ tag, ...part.outbound }] : []))
  const endpoints = parts.flatMap(({ part, tag }) => ('endpoint' in part ? [{ tag, ...part.endpoint }] : []))
  const allEndpoints = [...listIn(template.endpoints), ...endpoints]
  return JSON.stringify({
    ...template,
    outbounds: [
      ...listIn(template.outbounds).map((outbound) => filledOutbound(outbound, tags)),
      ...outbounds,
    ],
    ...(allEndpoints.length > 0 && { endpoints: allEndpoints }),
  })
}
