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

/** As they stand in the .conf, where they have other letters and the port is the server's. */
export const parametersIn = (conf: string): Readonly<Partial<Record<Parameter, number>>> => {
  const found: Partial<Record<Parameter, number>> = {}
  for (const line of conf.split('\n')) {
    const [, name, value] = /^(\w+) = (.*)$/.exec(line) ?? []
    const known = parameters.find((one) => one !== 'port' && one === name?.toLowerCase())
    if (known) found[known] = Number(value)
    if (name === 'Endpoint') found.port = Number(/:(\d+)$/.exec(value ?? '')?.[1])
  }
  return found
}

/** Those that were filled in otherwise than they are. */
export const changedIn = (
  filled: Readonly<Record<string, string>>,
  before: Readonly<Partial<Record<Parameter, number>>>,
): Readonly<Partial<Record<Parameter, number>>> =>
  Object.fromEntries(
    parameters.flatMap((name) => {
      const text = filled[name]?.trim()
      return text && Number(text) !== before[name] ? [[name, Number(text)]] : []
    }),
  )
