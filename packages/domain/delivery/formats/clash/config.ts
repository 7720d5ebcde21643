import { stringify } from 'yaml'
import type { Language } from '../../../text/language.ts'
import type { Json, JsonObject } from '../../../text/strict-json.ts'
import { filledIn, listIn, objectIn, textIn } from '../../templates/insertion.ts'
import { carriedOf, type Entry } from '../entry.ts'
import { uniqueTitles } from '../titles.ts'
import type { ClashProxy } from './mihomo.ts'

/** Names that mean something of their own in rules and groups. */
const builtIn = ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'COMPATIBLE', 'GLOBAL']

/** The word in a group's list of proxies becomes the names of all entries. */
const filledGroup = (group: Json, names: readonly string[]): Json => {
  const { proxies } = objectIn(group)
  return Array.isArray(proxies) ? { ...objectIn(group), proxies: filledIn(proxies, names) } : group
}

/** Every text in quotes: apps read YAML of several ages, in which "no", "0123" or "1e5" may be anything. */
const toYaml = (config: object): string =>
  stringify(config, {
    aliasDuplicateObjects: false,
    defaultKeyType: 'PLAIN',
    defaultStringType: 'QUOTE_DOUBLE',
    lineWidth: 0,
  })

/** A whole config of the Clash family: entries stand before the template's own proxies. */
export const clashConfig = (
  entries: readonly Entry[],
  template: JsonObject,
  language: Language,
  proxyOf: (entry: Entry) => ClashProxy | null,
): string => {
  const carried = carriedOf(entries, language, proxyOf)
  const [own, groups] = [listIn(template.proxies), listIn(template['proxy-groups'])]
  const taken = [...own, ...groups].flatMap((named) => textIn(objectIn(named).name))
  const names = uniqueTitles(
    carried.map(({ title }) => title),
    [...builtIn, ...taken],
  )
  return toYaml({
    ...template,
    proxies: [...carried.map(({ part }, at) => ({ name: names[at], ...part })), ...own],
    'proxy-groups': groups.map((group) => filledGroup(group, names)),
  })
}
