import type { AwgParameters } from '@sallyport/contract/agent/agent'
import { awgProblems } from '@sallyport/domain/vpn/awg-rules'

/** What can be tuned of an AmneziaWG interface, with what each may be. */

export const ranges = {
  port: [10_000, 65_535],
  jc: [1, 128],
  jmin: [1, 1280],
  jmax: [1, 1280],
  s1: [0, 1132],
  s2: [0, 1188],
  s3: [0, 1216],
  s4: [0, 864],
  h1: [1, 4_294_967_295],
  h2: [1, 4_294_967_295],
  h3: [1, 4_294_967_295],
  h4: [1, 4_294_967_295],
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>

export type Parameter = keyof typeof ranges
export const parameters = Object.keys(ranges) as Parameter[]

type Filled = Readonly<Record<string, string>>

/** As they stand in the .conf, where they have other letters and the port is the server's. */
export const parametersIn = (conf: string): Filled => {
  const found: Record<string, string> = {}
  for (const line of conf.split('\n')) {
    const [, name = '', value = ''] = /^(\w+) = (.*)$/.exec(line) ?? []
    const known = parameters.find((one) => one !== 'port' && one === name.toLowerCase())
    if (known) found[known] = value
    if (name === 'Endpoint') found.port = /:(\d+)$/.exec(value)?.[1] ?? ''
  }
  return found
}

/** Those that are filled in otherwise than they were. */
export const changedIn = (filled: Filled, before: Filled): Readonly<Partial<Record<Parameter, number>>> =>
  Object.fromEntries(
    parameters.flatMap((name) => {
      const text = filled[name]
      return text && Number(text) !== Number(before[name]) ? [[name, Number(text)]] : []
    }),
  )

export interface Trouble {
  readonly path: Parameter
  readonly reason: 'aboveMost' | 'sameHeader' | 'sameLength' | 'outside'
  /** The one it does not go with. */
  readonly other: string
}

const reasons = [
  ['aboveMost', /greater than (jmax)/],
  ['sameHeader', /differ from (h\d)/],
  ['sameLength', /with this (s\d) makes/],
] as const

/** What the domain's rules have against them; fields that are empty are the browser's to ask for. */
export const troublesIn = (filled: Filled): Trouble[] => {
  const numbers = Object.fromEntries(
    parameters.filter((name) => name !== 'port').map((name) => [name, Number(filled[name])]),
  )
  return awgProblems(numbers as unknown as AwgParameters).map(({ path, problem }) => {
    for (const [reason, pattern] of reasons) {
      const other = pattern.exec(problem)?.[1]
      if (other !== undefined) return { path, reason, other: other.toUpperCase() }
    }
    return { path, reason: 'outside', other: '' }
  })
}
