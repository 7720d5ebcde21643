import { parseDocument, stringify } from 'yaml'
import { type Json, type JsonObject, maxDepth, readStrictJson } from '../../text/strict-json.ts'
import type { Format, Variant } from '../format.ts'
import { clashProblem } from './checks/clash.ts'
import { isObject, type TemplateProblem } from './checks/problem.ts'
import { singBoxProblem } from './checks/sing-box.ts'
import { xrayProblem } from './checks/xray.ts'
import * as defaults from './defaults.ts'

/**
 * What an operator, or for Xray a customer, may put in place of our own routing, DNS and selectors. Where entries go:
 *
 * - xray: the outbound with the tag "proxy" is replaced by an entry's; where there is none, the entry's comes first.
 * - mihomo, stash, clash: entries become the first of `proxies`; "$proxies" in a group's list becomes their names.
 * - sing-box: entries follow the template's outbounds (WireGuard its endpoints); "$proxies" in a list of outbounds
 *   becomes their tags.
 */
export const templateKinds = ['xray', 'mihomo', 'stash', 'clash', 'sing-box', 'sing-box-1.11'] as const
export type TemplateKind = (typeof templateKinds)[number]

/** The template that a format is made of; links and files are made of none. */
export const templateKindOf = (format: Format, variant?: Variant): TemplateKind | null => {
  switch (format) {
    case 'xray':
    case 'mihomo':
    case 'stash':
    case 'clash':
      return format
    case 'sing-box':
      return variant === '1.11' ? 'sing-box-1.11' : 'sing-box'
    default:
      return null
  }
}

interface Kind {
  readonly ours: JsonObject
  readonly isYaml: boolean
  readonly problemOf: (template: JsonObject) => TemplateProblem
}

const kinds: Readonly<Record<TemplateKind, Kind>> = {
  xray: { ours: defaults.xrayTemplate, isYaml: false, problemOf: xrayProblem },
  mihomo: { ours: defaults.mihomoTemplate, isYaml: true, problemOf: clashProblem },
  stash: { ours: defaults.stashTemplate, isYaml: true, problemOf: clashProblem },
  clash: { ours: defaults.clashTemplate, isYaml: true, problemOf: clashProblem },
  'sing-box': { ours: defaults.singBoxTemplate, isYaml: false, problemOf: singBoxProblem },
  'sing-box-1.11': { ours: defaults.singBox111Template, isYaml: false, problemOf: singBoxProblem },
}

export const defaultTemplate = (kind: TemplateKind): JsonObject => kinds[kind].ours

/** As whoever wants to change it begins with. */
export const defaultTemplateText = (kind: TemplateKind): string => {
  const { ours, isYaml } = kinds[kind]
  return isYaml
    ? stringify(ours, { aliasDuplicateObjects: false, lineWidth: 0 })
    : JSON.stringify(ours, null, 2)
}

/** All that bounds one that is written in JSON: how much it lists is the matter of whoever writes it. */
export const maxTemplateBytes = 512 * 1024
/** Of YAML, where aliases make more of a text than it has bytes. */
const maxValues = 100_000

type Read = { readonly value: Json } | { readonly problem: string }

const readJson = (text: string): Read => {
  const read = readStrictJson(text, { bytes: maxTemplateBytes })
  if ('value' in read) return read
  const { path, problem } = read.problem
  return { problem: path === '' ? problem : `${path}: ${problem}` }
}

/** Aliases may repeat a part, but not so often that a small text becomes a large one. */
const mostAliases = 100

/** What refers to itself has no end, so that it is counted and not walked through. */
const sizeProblem = (value: Json): string | null => {
  const found: [value: Json, depth: number][] = [[value, 0]]
  for (const [one, depth] of found) {
    if (typeof one !== 'object' || one === null) continue
    if (depth === maxDepth) return `nest at most ${maxDepth} levels`
    for (const member of Object.values(one)) found.push([member as Json, depth + 1])
    if (found.length > maxValues) return `must have at most ${maxValues} values`
  }
  return null
}

const readYaml = (text: string): Read => {
  if (text.length > maxTemplateBytes || Buffer.byteLength(text) > maxTemplateBytes) {
    return { problem: `must be at most ${maxTemplateBytes} bytes` }
  }
  try {
    // Without tags that make dates, bytes or sets: what is checked, and what apps get, is what JSON can say.
    const document = parseDocument(text, { merge: true, prettyErrors: true, resolveKnownTags: false })
    const [error] = document.errors
    if (error !== undefined) return { problem: error.message.split('\n')[0]?.replace(/:$/, '') ?? error.code }
    const value = document.toJS({ maxAliasCount: mostAliases }) as Json
    const problem = sizeProblem(value)
    return problem === null ? { value } : { problem }
  } catch (error) {
    // Deeper than the stack, or more aliases than is good.
    return { problem: error instanceof RangeError ? 'nests too deep' : (error as Error).message }
  }
}

/** The template as renderFormat takes it, or what is wrong with it. */
export const readTemplate = (
  kind: TemplateKind,
  text: string,
): { readonly template: JsonObject } | { readonly problem: string } => {
  const { isYaml, problemOf: checked } = kinds[kind]
  const read = isYaml ? readYaml(text) : readJson(text)
  if ('problem' in read) return read
  if (!isObject(read.value)) return { problem: isYaml ? 'must be a mapping' : 'must be a JSON object' }
  const problem = checked(read.value)
  return problem === null ? { template: read.value } : { problem }
}

export const problemOf = (kind: TemplateKind, text: string): string | null => {
  const read = readTemplate(kind, text)
  return 'problem' in read ? read.problem : null
}
