import type { Problem } from '@sallyport/contract/errors'
import { counted } from '@sallyport/domain/text/counted'
import { languageOf } from '@sallyport/domain/text/language'
import { russianFields } from './russian-fields.ts'
import { russianRules } from './russian-rules.ts'

/**
 * Problems are said in English where they are found, and in Russian to whoever asks for it: by their sentence, so that
 * every rule is written once. What has no Russian stays English.
 */

export const russianProblems: Readonly<Record<string, string>> = { ...russianFields, ...russianRules }

const hole = /\{(\w+)(?:\|([^|}]*)\|([^|}]*)\|([^|}]*))?\}/g

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Holes that take more than a word. */
const long = new Set(['allowed', 'hint', 'list', 'names', 'pattern', 'reason'])

/** What an English sentence looks like with its holes filled. */
const patternOf = (sentence: string): RegExp => {
  const parts = sentence.split(/\{(\w+)\}/)
  return new RegExp(
    `^${parts.map((part, at) => (at % 2 ? `(?<${part}>${long.has(part) ? '.+?' : '\\S+?'})` : escaped(part))).join('')}$`,
    's',
  )
}

const isWhole = (sentence: string): boolean => !/\{\w+\}/.test(sentence)

/** Those with holes; the ones with most words of their own first. */
const patterns = Object.keys(russianProblems)
  .filter((sentence) => !isWhole(sentence))
  .sort((one, other) => other.replace(hole, '').length - one.replace(hole, '').length)
  .map((sentence) => [patternOf(sentence), russianProblems[sentence] as string] as const)

const filled = (russian: string, values: Readonly<Record<string, string>>): string =>
  russian.replace(hole, (_, name: string, one?: string, few?: string, many?: string) => {
    const value = values[name] ?? ''
    if (one === undefined || few === undefined || many === undefined) return value
    return counted(Number(value), 'ru', { one, few, other: many })
  })

const sentenceOf = (said: string): string | undefined => {
  if (Object.hasOwn(russianProblems, said)) return russianProblems[said]
  for (const [pattern, russian] of patterns) {
    const found = pattern.exec(said)
    if (found) return filled(russian, found.groups ?? {})
  }
  return undefined
}

/** That null would do as well is nothing to tell people; a place in a text is read by the page that shows it. */
const around = /^(.*?)(?:,? or null)?( \(line \d+, column \d+\))?$/s

/** Undefined where there is none. */
export const russianOf = (problem: string): string | undefined => {
  const [, said = problem, place = ''] = around.exec(problem) ?? []
  const russian = sentenceOf(said)
  return russian && russian + place
}

/** Programs that say nothing of languages get what they got. */
export const isRussianAsked = (acceptLanguage: string | undefined): boolean =>
  acceptLanguage !== undefined && /\bru\b/i.test(acceptLanguage) && languageOf(acceptLanguage) === 'ru'

export const inRussian = (problem: Problem): Problem => ({
  ...problem,
  problem: russianOf(problem.problem) ?? problem.problem,
})
