import { runProgram } from '../backup/run-program.ts'
import { UpgradeProblem } from './problem.ts'

const mostLines = 8

/** The last that a program said, set in. */
export const lastWords = (text: string): string => {
  const lines = text.trimEnd().split('\n').slice(-mostLines)
  return lines.map((line) => `  ${line}`).join('\n')
}

/** The first of them, for one of ours: it begins with what is wrong. */
export const firstWords = (text: string): string =>
  lastWords(text.trim().split('\n').slice(0, mostLines).join('\n'))

/** What a program says that has to succeed; otherwise `problem`, with its words. */
export const mustRun = async (program: string, args: readonly string[], problem: string): Promise<string> => {
  const { code, output, errors } = await runProgram(program, args, {})
  if (code === 0) return output
  throw new UpgradeProblem(`${problem}\n${lastWords(errors || output)}`)
}
