import type { Language } from '../../text/language.ts'
import type { Json, JsonObject } from '../../text/strict-json.ts'
import type { XrayVariant } from '../format.ts'
import { xrayOutbound } from '../render/xray-outbound.ts'
import { listIn, objectIn, textIn } from '../templates/insertion.ts'
import { type Carried, carriedOf, type Entry, nowhere } from './entry.ts'

/** The tag that an entry's outbound goes by; in a single config, how all their tags begin unless others do. */
const proxyTag = 'proxy'

const nowhereOutbound = {
  protocol: 'vless',
  settings: {
    vnext: [
      {
        address: nowhere.host,
        port: nowhere.port,
        users: [{ id: '00000000-0000-4000-8000-000000000000', encryption: 'none' }],
      },
    ],
  },
}

const outboundOf = (entry: Entry): object | null =>
  entry.protocol === 'notice' ? nowhereOutbound : xrayOutbound(entry)

const isProxy = (outbound: Json): boolean => objectIn(outbound).tag === proxyTag

/** In place of the template's outbound "proxy", or before all others where there is none. */
const withOutbounds = (template: JsonObject, ours: readonly object[]): object => {
  const outbounds = listIn(template.outbounds)
  const at = Math.max(outbounds.findIndex(isProxy), 0)
  const others = outbounds.filter((outbound) => !isProxy(outbound))
  return { ...template, outbounds: [...others.slice(0, at), ...ours, ...others.slice(at)] }
}

/** Xray itself takes no note of the remarks; apps show them as the name. */
const configOf = ({ remarks: _own, ...template }: JsonObject, { title, part }: Carried<object>): object => ({
  remarks: title,
  ...withOutbounds(template, [{ tag: proxyTag, ...part }]),
})

const balanced = (rule: Json): Json => {
  const { outboundTag, ...rest } = objectIn(rule)
  return outboundTag === proxyTag ? { ...rest, balancerTag: proxyTag } : rule
}

/** Xray selects by how tags begin, so that nothing of the template may begin as entries do: it may lead past the tunnel. */
const ownPrefix = (template: JsonObject): string => {
  const tags = listIn(template.outbounds).flatMap((outbound) => textIn(objectIn(outbound).tag))
  const others = tags.filter((tag) => tag !== proxyTag)
  let prefix = proxyTag
  while (others.some((tag) => tag.startsWith(prefix))) prefix = `_${prefix}`
  return prefix
}

/** One is always called as the template calls it. */
const taggedOutbounds = (parts: readonly object[], prefix: string): object[] => {
  const numbered = parts.map((part, at) => ({ tag: `${prefix}-${at + 1}`, ...part }))
  const named = { tag: proxyTag, ...parts[0] }
  return prefix === proxyTag ? [named, ...numbered.slice(1)] : [named, ...numbered]
}

const singleConfig = (template: JsonObject, carried: readonly Carried<object>[]): object => {
  const prefix = ownPrefix(template)
  const outbounds = taggedOutbounds(
    carried.map(({ part }) => part),
    prefix,
  )
  const routing = objectIn(template.routing)
  const { subjectSelector, ...observing } = objectIn(template.observatory)
  const others = listIn(routing.balancers).filter((own) => objectIn(own).tag !== proxyTag)
  const balancer = { tag: proxyTag, selector: [prefix], strategy: { type: 'leastPing' } }
  const rest = { type: 'field', network: 'tcp,udp', balancerTag: proxyTag }
  return {
    ...withOutbounds(template, outbounds),
    observatory: {
      subjectSelector: [...new Set([prefix, ...listIn(subjectSelector)])],
      probeUrl: 'https://www.gstatic.com/generate_204',
      probeInterval: '1m',
      enableConcurrency: true,
      ...observing,
    },
    routing: {
      ...routing,
      rules: [...listIn(routing.rules).map(balanced), rest],
      balancers: [...others, balancer],
    },
  }
}

/** A list repeats the whole template with each entry; no phone reads more, and one customer's must not keep others waiting. */
export const mostListBytes = 2 * 1024 * 1024

const fitsList = (template: JsonObject, entries: number): boolean =>
  entries < 2 || Buffer.byteLength(JSON.stringify(template)) * entries <= mostListBytes

/** Xray's own JSON: whole client configs made of the template, or a single one where a list would be too long. */
export const xrayConfigs = (
  entries: readonly Entry[],
  template: JsonObject,
  variant: XrayVariant,
  language: Language,
): string => {
  const carried = carriedOf(entries, language, outboundOf)
  const isList = variant === 'list' && fitsList(template, carried.length)
  return JSON.stringify(
    isList ? carried.map((one) => configOf(template, one)) : singleConfig(template, carried),
  )
}
