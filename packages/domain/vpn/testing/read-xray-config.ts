import type { JsonProblem } from '../../text/strict-json.ts'
import type { XrayInstance } from '../engine/xray-json.ts'
import { type Allowed, readXrayConfig } from '../xray-policy.ts'

const usual: Allowed = { listen: '0.0.0.0', port: 20000 }

/** The instance, where nothing else would do. */
export const accepted = (text: string, allowed: Allowed = usual): XrayInstance => {
  const read = readXrayConfig(text, allowed)
  if ('problems' in read) throw new Error(JSON.stringify(read.problems))
  return read.instance
}

export const isRefused = (text: string, allowed: Allowed = usual): boolean =>
  'problems' in readXrayConfig(text, allowed)

/** The problems, where nothing else would do. */
export const refused = (text: string, allowed: Allowed = usual): JsonProblem[] => {
  const read = readXrayConfig(text, allowed)
  if (!('problems' in read)) throw new Error('it was accepted')
  return read.problems
}
