import type { FoundCertificate, Socks, SteadyTask, TcpResult, TrafficTask, UdpResult } from './contracts.ts'
import type { Lab, Place } from './namespaces.ts'
import { type Pace, Steady } from './steady.ts'

/** Traffic from a place of the lab. */

const usualTimeoutMs = 45_000

export interface Target {
  readonly host: string
  readonly port: number
}

export interface TcpSize {
  readonly downBytes: number
  readonly upBytes?: number
  /** Over TLS, naming this site. */
  readonly serverName?: string
  readonly timeoutMs?: number
}

export class Traffic {
  readonly #lab: Lab
  readonly #from: Place
  readonly #through: { readonly socks?: Socks }

  constructor(lab: Lab, from: Place, socks?: Socks) {
    this.#lab = lab
    this.#from = from
    this.#through = socks ? { socks } : {}
  }

  tcp(target: Target, size: TcpSize): Promise<TcpResult> {
    const { upBytes = 0, timeoutMs = usualTimeoutMs, ...rest } = size
    return this.#ask<TcpResult>({ kind: 'tcp', ...target, ...this.#through, upBytes, timeoutMs, ...rest })
  }

  udp(target: Target, payload: string, timeoutMs = usualTimeoutMs): Promise<UdpResult> {
    return this.#ask<UdpResult>({ kind: 'udp', ...target, ...this.#through, payload, timeoutMs })
  }

  /** Asks that resolver for a name's IPv4 address. */
  async resolve(resolver: string, name: string, timeoutMs = usualTimeoutMs): Promise<string | null> {
    const task = { kind: 'dns', host: resolver, port: 53, ...this.#through, name, timeoutMs } as const
    return (await this.#ask<{ address: string | null }>(task)).address
  }

  /** How many bytes come back first; 0 when the connection ends, or when nothing comes in time. */
  async raw(target: Target, payload: string, timeoutMs = 5000): Promise<number> {
    const payloadHex = Buffer.from(payload, 'latin1').toString('hex')
    const task = { kind: 'raw', ...target, ...this.#through, payloadHex, timeoutMs } as const
    return this.#ask<{ bytes: number }>(task).then(
      ({ bytes }) => bytes,
      () => 0,
    )
  }

  /** A connection that goes on until it is stopped or broken. */
  steady(target: Target, pace: Pace): Steady {
    const task: SteadyTask = { ...target, ...this.#through, ...pace }
    return new Steady(this.#lab.program(this.#from, 'steady', task))
  }

  /** Always directly, whatever the rest goes through. */
  certificate(target: Target, serverName?: string): Promise<FoundCertificate> {
    const name = serverName === undefined ? {} : { serverName }
    return this.#ask<FoundCertificate>({ kind: 'certificate', ...target, ...name, timeoutMs: usualTimeoutMs })
  }

  async #ask<T>(task: TrafficTask): Promise<T> {
    return JSON.parse(await this.#lab.program(this.#from, 'traffic', task).answer()) as T
  }
}

export const megabitsPerSecond = ({ bytes, transferSeconds }: TcpResult): number =>
  (bytes * 8) / transferSeconds / 1_000_000
