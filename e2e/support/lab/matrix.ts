import type { Client } from './clients/client.ts'
import { siteNames, sitePort, tlsPort } from './internet.ts'
import { addresses } from './namespaces.ts'
import { megabitsPerSecond } from './traffic.ts'

/** What came of one client with one thing bought. */
export interface MatrixRow {
  readonly protocol: string
  readonly variant: string
  readonly client: string
  readonly tcp: Outcome
  readonly udp: Outcome
  /** Addresses that no customer may reach are not reached. */
  readonly isolation: Outcome
  readonly megabitsPerSecond: number | null
  /** Of a plain copy by the same program between the same places. */
  readonly ratioToPlain: number | null
}

/** ok, none where the protocol has no such thing, or why not. */
export type Outcome = string

export const isGood = ({ tcp, udp, isolation }: MatrixRow): boolean =>
  [tcp, udp, isolation].every((outcome) => outcome === 'ok' || outcome === 'none')

const payload = 'datagram '.repeat(100)
const uploadBytes = 1024 * 1024
const privateTimeoutMs = 3000
const privateTargets = [addresses.home, addresses.entryAtHome]

const outcomeOf = async (work: () => Promise<void>): Promise<Outcome> => {
  try {
    await work()
    return 'ok'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const expectPeer = (peer: string, expected: string): void => {
  if (peer !== expected) throw new Error(`it left from ${peer}, not from ${expected}`)
}

export interface Probe {
  readonly protocol: string
  readonly variant: string
  readonly client: Client
  /** Where traffic has to leave from. */
  readonly leavesFrom: string
  readonly downBytes: number
  readonly plainMegabitsPerSecond: number
}

/** Downloads, uploads, datagrams, a TLS site inside, and doors that have to stay shut. */
export const probe = async (at: Probe): Promise<MatrixRow> => {
  const { client, leavesFrom, downBytes } = at
  let speed: number | null = null
  const tcp = await outcomeOf(async () => {
    const size = { downBytes, upBytes: uploadBytes }
    const copied = await client.tcp({ host: addresses.site, port: sitePort }, size)
    expectPeer(copied.peer, leavesFrom)
    speed = megabitsPerSecond(copied)
    const secure = { downBytes: uploadBytes, serverName: siteNames[0] }
    expectPeer((await client.tcp({ host: addresses.site, port: tlsPort }, secure)).peer, leavesFrom)
  })
  const { udp: send } = client
  const udp = send
    ? await outcomeOf(async () => {
        const echo = await send({ host: addresses.site, port: sitePort }, payload)
        expectPeer(echo.peer, leavesFrom)
        if (echo.payload !== payload) throw new Error('the echo is another')
      })
    : 'none'
  const isolation = client.goesAnywhere ? await outcomeOf(() => expectShut(client)) : 'none'
  return {
    protocol: at.protocol,
    variant: at.variant,
    client: client.name,
    tcp,
    udp,
    isolation,
    megabitsPerSecond: speed,
    ratioToPlain: speed === null ? null : speed / at.plainMegabitsPerSecond,
  }
}

const expectShut = async (client: Client): Promise<void> => {
  const size = { downBytes: 1, timeoutMs: privateTimeoutMs }
  const visits = privateTargets.map((host) =>
    client.tcp({ host, port: sitePort }, size).then(
      () => host,
      () => null,
    ),
  )
  const reached = (await Promise.all(visits)).filter((host) => host !== null)
  if (reached.length > 0) throw new Error(`${reached.join(' and ')} can be reached`)
}

/** A long reason would push every other line apart; it stands in full where the test fails. */
const maxReasonLength = 60
const short = (outcome: Outcome): string => outcome.replaceAll('\n', ' ').slice(0, maxReasonLength)

const cells = (row: MatrixRow): string[] => [
  row.protocol,
  row.variant,
  row.client,
  `tcp ${short(row.tcp)}`,
  `udp ${short(row.udp)}`,
  `isolation ${short(row.isolation)}`,
  row.megabitsPerSecond === null ? '' : `${row.megabitsPerSecond.toFixed(0)} Mbit/s`,
  row.ratioToPlain === null ? '' : `${row.ratioToPlain.toFixed(2)} of plain`,
]

/** Columns of one width each. */
export const alignColumns = (lines: readonly (readonly string[])[]): string => {
  const widths = lines.reduce<number[]>(
    (found, line) => line.map((cell, index) => Math.max(cell.length, found[index] ?? 0)),
    [],
  )
  return lines
    .map((line) =>
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One aligned line a row. */
export const formatMatrix = (rows: readonly MatrixRow[]): string => alignColumns(rows.map(cells))
