import { Badge } from '../../../kit/look.tsx'
import { langOf } from '../../../kit/problem.tsx'
import { sayIn } from '../../../lib/language.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

/** What keeps something from being sold, which the service says in English alone, in the language of the page. */

const sayings: readonly (readonly [RegExp, (named: string) => string])[] = [
  [/because it has no servers, and cloud/, () => say('why_noServers')],
  [/because none of its servers takes/, () => say('why_noneSells')],
  [/because it has no servers$/, () => say('why_optionServers')],
  [/because its servers? (.+) takes? no new customers$/, (servers) => say('why_shut', { servers })],
  [/because it has no tariffs$/, () => say('why_noTariffs')],
  [/because none of its tariffs/, () => say('why_noMethod')],
  [/because nobody can pay with (.+) now/, (methods) => say('why_methods', { methods })],
]

/** In its own words where it says something new. */
const told = (problem: string): string => {
  for (const [pattern, sentence] of sayings) {
    const found = pattern.exec(problem)
    if (found) return sentence(found[1] ?? '')
  }
  return problem
}

export const SaleProblem = ({ of }: { readonly of: string }) => {
  const text = told(of)
  return (
    <span class="small" lang={text === of ? langOf(of) : undefined}>
      {text}
    </span>
  )
}

interface SaleProps {
  readonly isActive: boolean
  readonly problem: string | null
}

/** Whether something is sold, and what keeps it from it. */
export const Sale = ({ isActive, problem }: SaleProps) => {
  if (isActive && problem === null) return <Badge tone="good">{say('isSold')}</Badge>
  return (
    <>
      <Badge tone={isActive ? 'warn' : 'dim'}>{say(isActive ? 'offSale' : 'isHidden')}</Badge>
      {problem !== null && <SaleProblem of={problem} />}
    </>
  )
}
