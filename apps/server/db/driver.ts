/** What both engines look like to the rest of db/: one connection at a time, text in, rows out. */

export interface QueryRows {
  readonly rows: unknown[]
  readonly affected: number
}

export interface Connection {
  query(sql: string, params: readonly unknown[]): Promise<QueryRows>
  release(): void
}

export type RunStatement = (sql: string) => Promise<unknown[]>

export interface NotifyListener {
  onMessage(payload: string): void
  /** True once every later message will arrive; false when some may be missed. */
  onLive(isLive: boolean): void
}

export interface Capacity {
  /** What an instance takes when it is busy. */
  readonly perInstance: number
  /** This one, and others that are connected to this database. */
  readonly instances: number
  /** What PostgreSQL gives to all of them together. */
  readonly available: number
}

/** How much of the database's connections this process uses at the moment. */
export interface EngineLoad {
  /** Connections that transactions share: all there may be, and of those that are open the busy and the idle. */
  readonly size: number
  readonly busy: number
  readonly idle: number
  /** Who waits for one. */
  readonly waiting: number
  /** Single reads that are not answered yet, on connections of their own. */
  readonly reads: number
}

export interface Engine {
  readonly kind: 'embedded' | 'postgres'
  acquire(): Promise<Connection>
  /** One read by itself, on whichever connection is the quickest way. */
  read(sql: string, params: readonly unknown[]): Promise<QueryRows>
  /** Runs a script of several statements, for migrations. */
  exec(sql: string): Promise<void>
  /** Statements on one connection that nobody else uses, as long as they take; what it holds ends with it. */
  withSession(work: (run: RunStatement) => Promise<void>): Promise<void>
  listen(channel: string, listener: NotifyListener): Promise<void>
  /** Fails when the database does not answer. What others ask of it, and how much, does not matter. */
  check(): Promise<void>
  /** All files as they are at one moment, into a folder that is not there yet. What is PostgreSQL's is not copied so. */
  copyFiles?(folder: string): Promise<void>
  /** How many connections there are for all instances; undefined where each has a database of its own. */
  capacity(): Promise<Capacity | undefined>
  load(): EngineLoad
  /** Told how long each transaction waited for its connection. */
  onWait(listener: (seconds: number) => void): void
  close(): Promise<void>
}

/** An error of the database itself, whichever engine raised it. */
export class DatabaseError extends Error {
  readonly code: string | undefined
  readonly constraint: string | undefined

  constructor(message: string, code: string | undefined, constraint: string | undefined, cause: unknown) {
    super(message, { cause })
    this.name = 'DatabaseError'
    this.code = code
    this.constraint = constraint
  }
}

export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof DatabaseError &&
  error.code === '23505' &&
  (constraint === undefined || error.constraint === constraint)
