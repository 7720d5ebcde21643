import type { AwgParameters } from '@sallyport/contract/agent/agent'

/** What AmneziaWG's parameters must obey: the specification's ranges, and what the engine can carry. */

type Field = keyof AwgParameters

export interface AwgProblem {
  readonly path: Field
  readonly problem: string
}

const anyNumber = [0, 4_294_967_295] as const
const anyHeader = [1, 4_294_967_295] as const

const ranges: Readonly<Record<Field, readonly [minimum: number, maximum: number]>> = {
  jc: [1, 128],
  jmin: [1, 1280],
  jmax: [1, 1280],
  s1: anyNumber,
  s2: anyNumber,
  s3: anyNumber,
  s4: anyNumber,
  h1: anyHeader,
  h2: anyHeader,
  h3: anyHeader,
  h4: anyHeader,
}

/** The engine sends junk and the handshake as one batch of at most 128, and crashes on a longer one. */
const mostJunkPackets = 127
/** Larger datagrams are cut on the way, which networks that look for tunnels do not forgive. */
const datagramBytes = 1280
/** An Ethernet frame without the headers of IPv4, UDP and the tunnel. */
const roomForTunnelBytes = 1440
/** Every IPv4 host must take a packet of this size, so no tunnel is narrower. */
const narrowestMtu = 576
const usualMtu = 1280

const packets = [
  { path: 's1', packet: 'initiation', bytes: 148 },
  { path: 's2', packet: 'response', bytes: 92 },
  { path: 's3', packet: 'cookie', bytes: 64 },
  { path: 's4', packet: 'keepalive', bytes: 32 },
] as const

/** Any four different numbers work, those of plain WireGuard (1 to 4) in any order included. */
const headers = ['h1', 'h2', 'h3', 'h4'] as const

/** As engines are told on both sides. Junk is the sender's own affair, so one packet less changes nothing. */
export const carriedAwg = (parameters: AwgParameters): AwgParameters => ({
  ...parameters,
  jc: Math.min(parameters.jc, mostJunkPackets),
})

const carried = [
  ...packets.map(({ path, packet, bytes }) =>
    path === 's4'
      ? { path, maximum: roomForTunnelBytes - narrowestMtu, reason: 'larger leaves no room for data' }
      : { path, maximum: datagramBytes - bytes, reason: `larger makes the ${packet} packet too long` },
  ),
] as const

const rangeProblems = (parameters: AwgParameters): AwgProblem[] =>
  (Object.keys(ranges) as Field[]).flatMap((path) => {
    const value = parameters[path]
    const [minimum, maximum] = ranges[path]
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return []
    return [{ path, problem: `must be an integer from ${minimum} to ${maximum}` }]
  })

/** Names in the order given; each is compared with those before it. */
const sameAsEarlier = <T extends { readonly path: Field; readonly value: number }>(
  entries: readonly T[],
  wording: (later: T, earlier: T) => string,
): AwgProblem[] =>
  entries.flatMap((later, index) => {
    const earlier = entries.slice(0, index).find(({ value }) => value === later.value)
    return earlier === undefined ? [] : [{ path: later.path, problem: wording(later, earlier) }]
  })

/** Everything that is wrong with these parameters. */
export const awgProblems = (parameters: AwgParameters): AwgProblem[] => {
  const outside = rangeProblems(parameters)
  if (outside.length > 0) return outside
  const padded = packets.map((entry) => ({ ...entry, value: entry.bytes + parameters[entry.path] }))
  const named = headers.map((path) => ({ path, value: parameters[path] }))
  return [
    ...carried.flatMap(({ path, maximum, reason }) =>
      parameters[path] > maximum ? [{ path, problem: `must be at most ${maximum}: ${reason}` }] : [],
    ),
    ...(parameters.jmin > parameters.jmax
      ? [{ path: 'jmin' as const, problem: 'must not be greater than jmax' }]
      : []),
    ...sameAsEarlier(padded, (later, earlier) => {
      const lengths = `${later.packet} and ${earlier.packet} packets equally long (${later.value} bytes)`
      return `with this ${earlier.path} makes ${lengths}`
    }),
    ...sameAsEarlier(named, (_later, earlier) => `must differ from ${earlier.path}`),
  ]
}

/** MTU of a tunnel with these parameters, so that what it sends fits into an Ethernet frame. */
export const awgMtu = ({ s4 }: Pick<AwgParameters, 's4'>): number =>
  Math.min(usualMtu, roomForTunnelBytes - s4)

/** The number that the random one points at, or the next one that is free, around from maximum to minimum. */
const pick = (
  random: number,
  [minimum, maximum]: readonly [number, number],
  isTaken: (candidate: number) => boolean = () => false,
): number => {
  const count = maximum - minimum + 1
  let offset = random % count
  while (isTaken(minimum + offset)) offset = (offset + 1) % count
  return minimum + offset
}

/** Data is filled up to a multiple of this. */
const blockBytes = 16

/** Whether a packet of data can be as long as this one of the handshake: through mihomo such data is lost, and connections hang. */
const isLikeData = (handshakeBytes: number, s4: number): boolean =>
  (handshakeBytes - 32 - s4) % blockBytes === 0

/** Parameters for a new configuration, from 32 random bytes in hex; never with problems. */
export const defaultAwgParameters = (randomHex: string): AwgParameters => {
  const bytes = Buffer.from(randomHex, 'hex')
  const short = (index: number): number => bytes.readUInt16BE(index * 2)
  const long = (index: number): number => bytes.readUInt32BE(14 + index * 4)
  const jmin = pick(short(0), [40, 80])
  const s4 = pick(short(6), [0, 30])
  const s1 = pick(short(1), [15, 150], (candidate) => isLikeData(148 + candidate, s4))
  const isTaken = (bytes: number, other: number) => bytes === other || isLikeData(bytes, s4)
  const s2 = pick(short(2), [15, 150], (candidate) => isTaken(92 + candidate, 148 + s1))
  const s3 = pick(short(3), [5, 60], (candidate) => isTaken(64 + candidate, 92 + s2))
  const chosen: number[] = []
  for (const index of headers.keys()) {
    chosen.push(pick(long(index), [5, 2_147_483_647], (candidate) => chosen.includes(candidate)))
  }
  const [h1, h2, h3, h4] = chosen as [number, number, number, number]
  return {
    jc: pick(short(4), [3, 10]),
    jmin,
    jmax: jmin + pick(short(5), [20, 80]),
    s1,
    s2,
    s3,
    s4,
    h1,
    h2,
    h3,
    h4,
  }
}
