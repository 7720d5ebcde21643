import type { Json, JsonObject } from '../../../text/strict-json.ts'
import { listIn, objectIn, placeholder, textIn } from '../insertion.ts'
import { firstOf, isObject, listProblem, noFiles, type TemplateProblem, twiceProblem } from './problem.ts'

/** Targets that every app of the family has by itself. */
const builtIn = ['DIRECT', 'REJECT', 'REJECT-DROP', 'PASS', 'GLOBAL', 'COMPATIBLE']

const namesOf = (list: readonly Json[]): string[] => list.flatMap((item) => textIn(objectIn(item).name))

const groupsProblem = (template: JsonObject, known: ReadonlySet<string>): TemplateProblem => {
  const groups = listIn(template['proxy-groups']).map(objectIn)
  const isFilled = groups.some(({ proxies }) => listIn(proxies).includes(placeholder))
  if (!isFilled) return `proxy-groups: one of them must have ${placeholder} among its proxies`
  return firstOf(groups.entries(), ([at, group]) => {
    const path = `proxy-groups[${at}]`
    if (typeof group.name !== 'string' || typeof group.type !== 'string')
      return `${path}: needs a name and a type`
    const stray = listIn(group.proxies).find((name) => name !== placeholder && !known.has(String(name)))
    return stray === undefined ? null : `${path}.proxies: there is no proxy or group ${JSON.stringify(stray)}`
  })
}

/** Rules of rules have commas of their own; the rest ends with its target, and maybe a word or two about how to match. */
const targetOf = (rule: string): string | undefined => {
  if (/^(AND|OR|NOT|SUB-RULE),/.test(rule)) return undefined
  return rule
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !['no-resolve', 'src', 'no-track'].includes(part))
    .at(-1)
}

const rulesProblem = (rules: Json | undefined, known: ReadonlySet<string>): TemplateProblem => {
  if (rules !== undefined && !Array.isArray(rules)) return 'rules: must be a list'
  return firstOf(listIn(rules).entries(), ([at, rule]) => {
    if (typeof rule !== 'string') return `rules[${at}]: must be a text`
    const target = targetOf(rule)
    if (target === undefined || known.has(target)) return null
    return `rules[${at}]: there is no proxy or group ${JSON.stringify(target)}`
  })
}

/** A place outside the app's own folder. */
const outside = /^([/\\~]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/

/** What the app shows itself by, and what it is steered through. */
const ownFilesProblem = (template: JsonObject): TemplateProblem =>
  firstOf(['external-ui', 'external-controller-unix', 'external-controller-pipe'], (name) =>
    textIn(template[name]).some((path) => outside.test(path)) ? `${name}: ${noFiles}` : null,
  )

/** Providers keep what they fetched in the app's own folder. */
const providersProblem = (template: JsonObject): TemplateProblem =>
  firstOf(['proxy-providers', 'rule-providers'], (list) =>
    firstOf(Object.entries(objectIn(template[list])), ([name, provider]) => {
      const [path = ''] = textIn(objectIn(provider).path)
      return outside.test(path) ? `${list}.${name}.path: ${noFiles}` : null
    }),
  )

/** Of mihomo, Stash and the old Clash alike. */
export const clashProblem = (template: JsonObject): TemplateProblem => {
  const proxies = listProblem('proxies', template.proxies)
  const groups = listProblem('proxy-groups', template['proxy-groups'])
  if (proxies !== null || groups !== null) return proxies ?? groups
  if (template.dns !== undefined && !isObject(template.dns)) return 'dns: must be an object'
  const own = [...namesOf(listIn(template.proxies)), ...namesOf(listIn(template['proxy-groups']))]
  const known = new Set([...builtIn, ...own])
  return (
    twiceProblem('proxy-groups', own) ??
    groupsProblem(template, known) ??
    rulesProblem(template.rules, known) ??
    providersProblem(template) ??
    ownFilesProblem(template)
  )
}
