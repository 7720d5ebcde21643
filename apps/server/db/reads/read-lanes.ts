import pg from 'pg'
import { connectToPrimary, PrimaryClient } from '../connections/primary-client.ts'
import type { Awaiting, Turns } from '../connections/silence-watch.ts'
import { whenTurnEnds } from './turn.ts'

/** Beyond this many unanswered reads a lane is slow rather than busy, and the pool takes over. */
const maxWaiting = 64
/** More would wait for each other while other lanes have nothing to do. */
const mostTogether = 8

/**
 * By callback: rows that pg's own promise delivers outlive every minor collection, and fill the old space. Made here, because pg
 * copies what it is given property by property, which takes longer than the rest of asking.
 */
const ask = (client: pg.Client, { text, values, name }: pg.QueryConfig): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const query = new pg.Query(text, values, (error, result) => (error ? reject(error) : resolve(result)))
    client.query(Object.assign(query, { name }))
  })

export interface LaneConfig extends pg.ClientConfig {
  /** Whether what is set on the connection stays with it; behind a pooler it does not. */
  readonly hasSession: boolean
  readonly mayBeStandby?: boolean
}

/** A connection that many reads share: none waits for the answers to those before it. */
class ReadLane {
  readonly #config: LaneConfig
  readonly #turns: Turns
  #client: pg.Client | undefined
  #connecting: Promise<pg.Client> | undefined
  waiting = 0
  /** How many leave together when this turn of the event loop ends. */
  gathered = 0
  /** When it last began to wait, or was answered. */
  heardAt = 0

  constructor(config: LaneConfig, turns: Turns) {
    this.#config = config
    this.#turns = turns
  }

  get client(): pg.Client | undefined {
    return this.#client
  }

  async read(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (this.waiting++ === 0) this.heardAt = this.#turns.now
    try {
      const client = this.#client ?? (await this.#connect())
      this.#gather(client)
      return await ask(client, query)
    } finally {
      this.waiting--
      this.heardAt = this.#turns.now
    }
  }

  async close(): Promise<void> {
    await this.#connecting?.catch(() => undefined)
    await this.#client?.end()
  }

  /** The next read opens it anew. */
  leave(): void {
    this.#client?.connection.stream.destroy()
    this.#client = undefined
  }

  #gather({ connection: { stream } }: pg.Client): void {
    if (this.gathered++ > 0) return
    stream.cork()
    whenTurnEnds(() => {
      this.gathered = 0
      stream.uncork()
    })
  }

  #connect(): Promise<pg.Client> {
    this.#connecting ??= this.#open().finally(() => {
      this.#connecting = undefined
    })
    return this.#connecting
  }

  /** A lane whose connection broke fails the reads it carried; the next read opens it anew. */
  async #open(): Promise<pg.Client> {
    const client = new PrimaryClient(this.#config)
    const forget = (): void => {
      if (this.#client === client) this.#client = undefined
    }
    client.on('error', forget)
    client.on('end', forget)
    if (this.#config.mayBeStandby) await client.connect()
    else await connectToPrimary(client)
    if (this.#config.hasSession) await client.query(planOnce)
    this.#client = client
    return client
  }
}

/** All of them look up by keys, so that one plan is right for any; PostgreSQL would plan the larger ones anew at each read. */
const planOnce = 'set plan_cache_mode = force_generic_plan'

const hasCompany = ({ gathered }: ReadLane): boolean => gathered > 0 && gathered < mostTogether

/**
 * Pipelining lets many reads travel in one packet and saves a wake-up of PostgreSQL for each: those of one turn of the event
 * loop leave together. It is for single reads only: whatever belongs to a transaction needs a connection of its own.
 */
export class ReadLanes implements Awaiting {
  readonly #lanes: ReadLane[]

  constructor(config: LaneConfig, count: number, turns: Turns) {
    this.#lanes = Array.from({ length: count }, () => new ReadLane({ ...config, pipeline: true }, turns))
  }

  silentSince(turn: number): readonly pg.Client[] {
    return this.#lanes
      .filter(({ waiting, heardAt }) => waiting > 0 && heardAt <= turn)
      .flatMap(({ client }) => client ?? [])
  }

  /** Undefined when every lane has more waiting than it should. */
  read(query: pg.QueryConfig): Promise<pg.QueryResult> | undefined {
    const lane = this.#lanes.find(hasCompany) ?? this.#quickest()
    return lane.waiting < maxWaiting ? lane.read(query) : undefined
  }

  leaveIdle(): void {
    for (const lane of this.#lanes) if (lane.waiting === 0) lane.leave()
  }

  /** Reads that are not answered yet. */
  get waiting(): number {
    return this.#lanes.reduce((sum, lane) => sum + lane.waiting, 0)
  }

  #quickest(): ReadLane {
    return this.#lanes.reduce((quickest, lane) => (lane.waiting < quickest.waiting ? lane : quickest))
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()))
  }
}
