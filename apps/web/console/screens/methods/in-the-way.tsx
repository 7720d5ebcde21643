import { sayIn } from '../../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What the service says in English alone, in the language of the page. */

const sayings: readonly (readonly [RegExp, (named: string) => string])[] = [
  [
    /it has no provider; choose (.+)$/,
    (named) => say('why_choose', { providers: named.replaceAll(' or ', ', ') }),
  ],
  [/it has no provider/, () => say('why_nobody')],
  [/its provider (.+) is not configured$/, (provider) => say('why_unknown', { provider })],
  [/because (\w+) has no rate/, (currency) => say('why_rate', { currency })],
]

const told = (problem: string): string | undefined => {
  for (const [pattern, sentence] of sayings) {
    const found = pattern.exec(problem)
    if (found) return sentence(found[1] ?? '')
  }
  return undefined
}

/** In the service's own words where it says something new. */
export const InTheWay = ({ problem }: { readonly problem: string }) => {
  const text = told(problem)
  return text === undefined ? (
    <span class="small" lang="en">
      {problem}
    </span>
  ) : (
    <span class="small">{text}</span>
  )
}
