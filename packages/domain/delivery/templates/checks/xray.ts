import type { Json, JsonObject } from '../../../text/strict-json.ts'
import { listIn, objectIn, textIn } from '../insertion.ts'
import {
  firstOf,
  isObject,
  listProblem,
  noFiles,
  type Problem,
  twiceProblem,
  unknownNameProblem,
  valuesIn,
} from './problem.ts'

const sections = [
  'log',
  'dns',
  'fakedns',
  'inbounds',
  'outbounds',
  'routing',
  'policy',
  'stats',
  'observatory',
  'burstObservatory',
  'remarks',
  'version',
]

/** Xray reads these from the device's own files. */
const namesFile = (name: string, value: unknown): boolean => {
  if (/file$/i.test(name) || /^masterKeyLog$/i.test(name)) return value !== ''
  if (typeof value !== 'string') return false
  return /^ext(-ip|-domain|-site)?:/i.test(value) || (/^listen$/i.test(name) && /^[/@]/.test(value))
}

const logProblem = (log: JsonObject): Problem =>
  firstOf(['access', 'error'], (name) =>
    ['', 'none', undefined].includes(log[name] as string | undefined) ? null : `log.${name}: ${noFiles}`,
  )

const shapeProblem = (template: JsonObject): Problem => {
  const objects = ['log', 'dns', 'routing', 'policy', 'stats', 'observatory', 'burstObservatory']
  return (
    firstOf(objects, (name) =>
      template[name] === undefined || isObject(template[name]) ? null : `${name}: must be an object`,
    ) ??
    listProblem('inbounds', template.inbounds) ??
    listProblem('outbounds', template.outbounds) ??
    listProblem('routing.rules', objectIn(template.routing).rules) ??
    listProblem('routing.balancers', objectIn(template.routing).balancers)
  )
}

const partsProblem = (template: JsonObject): Problem => {
  const parts = (['inbounds', 'outbounds'] as const).flatMap((list) =>
    listIn(template[list]).map((part, at) => ({ path: `${list}[${at}]`, part: objectIn(part), list })),
  )
  return firstOf(parts, ({ path, part, list }) =>
    typeof part.protocol === 'string' || (list === 'outbounds' && part.tag === 'proxy')
      ? null
      : `${path}: needs a protocol`,
  )
}

/** A rule that leads nowhere is an error to Xray only when something meets it. */
const routesProblem = (template: JsonObject): Problem => {
  const tagsOf = (list: readonly Json[]) => list.flatMap((part) => textIn(objectIn(part).tag))
  const { rules, balancers } = objectIn(template.routing)
  const outbounds = tagsOf(listIn(template.outbounds))
  const outboundTags = new Set(['proxy', ...outbounds])
  const balancerTags = new Set(tagsOf(listIn(balancers)))
  return (
    twiceProblem('outbounds', outbounds) ??
    firstOf(listIn(rules).entries(), ([at, rule]) => {
      const { outboundTag, balancerTag } = objectIn(rule)
      const path = `routing.rules[${at}]`
      if (balancerTag !== undefined && !balancerTags.has(String(balancerTag))) {
        return `${path}.balancerTag: there is no such balancer`
      }
      if (outboundTag === undefined || outboundTags.has(String(outboundTag))) return null
      return `${path}.outboundTag: there is no such outbound`
    })
  )
}

export const xrayProblem = (template: JsonObject): Problem =>
  unknownNameProblem(template, sections) ??
  shapeProblem(template) ??
  partsProblem(template) ??
  logProblem(objectIn(template.log)) ??
  routesProblem(template) ??
  firstOf(valuesIn(template), ([path, name, value]) =>
    namesFile(name, value) ? `${path}: ${noFiles}` : null,
  )
