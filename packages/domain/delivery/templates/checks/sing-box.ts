import { folded, type Json, type JsonObject } from '../../../text/strict-json.ts'
import { listIn, objectIn, placeholder, textIn } from '../insertion.ts'
import {
  firstOf,
  firstWithin,
  listProblem,
  noFiles,
  type TemplateProblem,
  twiceProblem,
  unknownNameProblem,
} from './problem.ts'

const sections = [
  '$schema',
  'log',
  'dns',
  'ntp',
  'certificate',
  'inbounds',
  'outbounds',
  'endpoints',
  'route',
  'services',
  'experimental',
]

const files =
  /^(log\.output|experimental\.cache_file\.path|experimental\.clash_api\.external_ui|route\.rule_set\[\d+\]\.path)$/

/** Names that differ in case only are the same ones to sing-box too. */
const isFile = (path: () => string, name: string): boolean => {
  const field = folded(name)
  if (/_path$/.test(field) || ['data_directory', 'state_directory'].includes(field)) return true
  return ['output', 'path', 'external_ui'].includes(field) && files.test(folded(path()))
}

/** Lists of hosts in files; of other servers of DNS it is a path in an address. */
const hostsProblem = (template: JsonObject): TemplateProblem =>
  firstOf(listIn(objectIn(template.dns).servers).entries(), ([at, server]) => {
    const names = new Map(Object.entries(objectIn(server)).map(([name, value]) => [folded(name), value]))
    return names.get('type') === 'hosts' && names.has('path') ? `dns.servers[${at}].path: ${noFiles}` : null
  })

const outboundsProblem = (template: JsonObject): TemplateProblem => {
  const outbounds = listIn(template.outbounds).map(objectIn)
  const untagged = outbounds.findIndex(({ type, tag }) => typeof type !== 'string' || typeof tag !== 'string')
  if (untagged !== -1) return `outbounds[${untagged}]: needs a type and a tag`
  const isFilled = outbounds.some((outbound) => listIn(outbound.outbounds).includes(placeholder))
  return isFilled ? null : `outbounds: one of them must have ${placeholder} among its outbounds`
}

/** Everything that points at an outbound, by its path. */
const pointers = (template: JsonObject): [path: string, tag: string][] => {
  const route = objectIn(template.route)
  const pointing = (path: string, list: readonly Json[], name: string) =>
    list.flatMap((item, at) =>
      textIn(objectIn(item)[name]).map((tag): [string, string] => [`${path}[${at}].${name}`, tag]),
    )
  return [
    ...textIn(route.final).map((tag): [string, string] => ['route.final', tag]),
    ...pointing('route.rules', listIn(route.rules), 'outbound'),
    ...pointing('dns.servers', listIn(objectIn(template.dns).servers), 'detour'),
    ...listIn(template.outbounds).flatMap((outbound, at) =>
      listIn(objectIn(outbound).outbounds)
        .filter((tag) => tag !== placeholder)
        .map((tag): [string, string] => [`outbounds[${at}].outbounds`, String(tag)]),
    ),
  ]
}

export const singBoxProblem = (template: JsonObject): TemplateProblem => {
  const lists = firstOf(['inbounds', 'outbounds', 'endpoints'], (name) => listProblem(name, template[name]))
  const first = unknownNameProblem(template, sections) ?? lists ?? outboundsProblem(template)
  if (first !== null) return first
  const tags = [...listIn(template.outbounds), ...listIn(template.endpoints)].flatMap((part) =>
    textIn(objectIn(part).tag),
  )
  const known = new Set(tags)
  return (
    twiceProblem('outbounds', tags) ??
    firstOf(pointers(template), ([path, tag]) =>
      known.has(tag) ? null : `${path}: there is no outbound ${JSON.stringify(tag)}`,
    ) ??
    hostsProblem(template) ??
    firstWithin(template, (name, _value, path) => (isFile(path, name) ? `${path()}: ${noFiles}` : null)) ??
    firstOf(listIn(objectIn(template.route).rule_set).entries(), ([at, set]) =>
      objectIn(set).type === 'local' ? `route.rule_set[${at}]: ${noFiles}` : null,
    )
  )
}
