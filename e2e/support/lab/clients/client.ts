import type { TcpResult, UdpResult } from '../contracts.ts'
import type { Pace, Steady } from '../steady.ts'
import type { Target, TcpSize } from '../traffic.ts'

/** A customer's app, connected with nothing but what the service gave out. */
export interface Client {
  readonly name: string
  tcp(target: Target, size: TcpSize): Promise<TcpResult>
  /** Null where the protocol carries no datagrams. */
  readonly udp: ((target: Target, payload: string, timeoutMs?: number) => Promise<UdpResult>) | null
  /** A question to a resolver by its address, where datagrams are carried. */
  readonly resolve: ((resolver: string, name: string) => Promise<string | null>) | null
  /** Bytes sent as they are, and how many came back first; 0 for none. */
  readonly raw?: (target: Target, payload: string) => Promise<number>
  /** A connection that is kept open. */
  readonly steady?: (target: Target, pace: Pace) => Steady
  /** False for Telegram, which calls nobody but its own data centres. */
  readonly goesAnywhere: boolean
  /** What the app has said so far. */
  log(): string
  close(): Promise<void>
}

/** One whose connections can be watched for minutes. */
export type SteadyClient = Client & Required<Pick<Client, 'steady'>>
