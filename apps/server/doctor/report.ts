import type { Found } from './examine.ts'
import { counted, type State } from './finding.ts'

/** What was found, as a person reads it or as a program does. */

const colours: Readonly<Record<State, number>> = { ok: 32, warning: 33, problem: 31, skipped: 90 }

const inColour = (text: string, colour: number): string => `\u001b[${colour}m${text}\u001b[0m`

const count = (found: readonly Found[], state: State): number =>
  found.filter((one) => one.state === state).length

export const summaryOf = (found: readonly Found[]): string => {
  const parts = [
    counted(count(found, 'problem'), 'problem'),
    counted(count(found, 'warning'), 'warning'),
    `${count(found, 'ok')} ok`,
    `${count(found, 'skipped')} skipped`,
  ]
  return `${parts.join(', ')}.`
}

export const exitCodeOf = (found: readonly Found[]): 0 | 1 => (count(found, 'problem') > 0 ? 1 : 0)

export const reportText = (found: readonly Found[], hasColour: boolean): string => {
  const width = Math.max(...found.map(({ check }) => check.length))
  const lines = found.flatMap((one) => {
    const state = one.state.padEnd(7)
    const shown = hasColour ? inColour(state, colours[one.state]) : state
    const line = `${shown}  ${one.check.padEnd(width)}  ${one.text}`
    return 'advice' in one ? [line, `${' '.repeat(9 + width + 2)}→ ${one.advice}`] : [line]
  })
  return [...lines, '', summaryOf(found)].join('\n')
}

export const reportJson = (found: readonly Found[]): string =>
  JSON.stringify(
    found.map((one) => ({
      check: one.check,
      state: one.state,
      text: one.text,
      advice: 'advice' in one ? one.advice : null,
    })),
    null,
    2,
  )
