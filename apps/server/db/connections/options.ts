/** How many connections are kept, and what stands between them and PostgreSQL. */
export interface PostgresOptions {
  /** For transactions. */
  readonly pool: number
  /** For single reads, many at a time on each. */
  readonly readLanes: number
  /** Whether statements are prepared once a connection. */
  readonly isPrepared: boolean
  /** PostgreSQL itself, where the address is that of a pooler which hands out connections by the transaction. */
  readonly directUrl: string | undefined
  /** Whether it may be one that only reads. */
  readonly mayBeStandby: boolean
}

export const usualOptions: PostgresOptions = {
  pool: 10,
  readLanes: 4,
  isPrepared: true,
  directUrl: undefined,
  mayBeStandby: false,
}
