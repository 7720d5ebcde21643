import { folded, type Json, type JsonObject, memberPath } from '../../../text/strict-json.ts'
import { listIn, objectIn, textIn } from '../insertion.ts'
import { expressionsProblem } from './expressions.ts'
import {
  firstOf,
  firstWithin,
  isObject,
  listProblem,
  noFiles,
  type TemplateProblem,
  twiceProblem,
  unknownNameProblem,
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

/** Lists that are kept in a file; several may stand in one text, and in DNS they are names of members. */
const fileList = /(^|,)\s*!?ext(-ip|-domain|-site)?:/i

/** A socket among the files, or one without a file. */
const socket = /^[/@]/

/** Xray reads these from the device's own files. It takes names for the same that differ in case only. */
const namesFile = (name: string, value: Json, path: () => string): boolean => {
  const field = folded(name)
  if (/file$/.test(field) || field === 'masterkeylog') return value !== ''
  if (field === 'dir' && /\.masquerade\.dir$/.test(folded(path()))) return value !== ''
  if (fileList.test(name)) return true
  if (typeof value !== 'string') return false
  return fileList.test(value) || (/^(listen|dest|target)$/.test(field) && socket.test(value))
}

const isLog = (name: string): boolean => ['access', 'error'].includes(folded(name))

const logProblem = (log: JsonObject): TemplateProblem =>
  firstOf(Object.entries(log), ([name, value]) =>
    !isLog(name) || value === '' || value === 'none' ? null : `${memberPath('log', name)}: ${noFiles}`,
  )

const shapeProblem = (template: JsonObject): TemplateProblem => {
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

const partsProblem = (template: JsonObject): TemplateProblem => {
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
const routesProblem = (template: JsonObject): TemplateProblem => {
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

export const xrayProblem = (template: JsonObject): TemplateProblem =>
  unknownNameProblem(template, sections) ??
  shapeProblem(template) ??
  partsProblem(template) ??
  logProblem(objectIn(template.log)) ??
  routesProblem(template) ??
  firstWithin(template, (name, value, path) =>
    namesFile(name, value, path) ? `${path()}: ${noFiles}` : null,
  ) ??
  expressionsProblem(template)
