import { folded, type JsonObject } from '../../../text/strict-json.ts'
import { firstWithin, type TemplateProblem } from './problem.ts'

/**
 * Regular expressions cost an app, and the engine that tries a template, far more than their length: counted repetitions are
 * written out, and a class of Unicode is hundreds of ranges. A thousand of the usual kind are a quarter of this; all of it
 * takes Xray some 0.3 s.
 */
export const mostExpressionSteps = 256 * 1024
const unicodeClassSteps = 50
/** Go itself refuses repetitions of repetitions beyond this. */
const mostRepeated = 1000

/** About how much one becomes when it is compiled; never less. */
export const stepsOf = (expression: string): number => {
  const classes = expression.match(/\\p/gi)?.length ?? 0
  let repeated = 1
  for (const [, least = '', most = ''] of expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    repeated = Math.min(mostRepeated, repeated * Math.max(1, Number(least), Number(most)))
  }
  return (expression.length + classes * unicodeClassSteps) * repeated
}

/** Several may stand in one text, and in DNS they are names of members. */
const written = /(?:^|,)\s*regexp:/i

const stepsIn = (text: string): number => (written.test(text) ? stepsOf(text) : 0)

/** What a rule asks of headers is an expression without a word that says so. */
const attributesOf = 'attrs'

export const expressionsProblem = (template: JsonObject): TemplateProblem => {
  let left = mostExpressionSteps
  const spend = (steps: number, path: () => string): TemplateProblem => {
    left -= steps
    return left < 0 ? `${path()}: ${tooMuch}` : null
  }
  return firstWithin(template, (name, value, path) => {
    const inName = stepsIn(name)
    if (inName > 0) return spend(inName, path)
    if (typeof value === 'string') return spend(stepsIn(value), path)
    if (folded(name) !== attributesOf || typeof value !== 'object' || value === null) return null
    const texts = Object.values(value).filter((one) => typeof one === 'string')
    return spend(
      texts.map(stepsOf).reduce((sum, steps) => sum + steps, 0),
      path,
    )
  })
}

const tooMuch = `regular expressions are too much here: all of a template may have ${mostExpressionSteps} characters, repetitions like {2,63} written out`
