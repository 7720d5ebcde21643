import { chmodSync, constants, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { ConnectionWaits } from './connections/connection-waits.ts'
import { type Connection, DatabaseError, type Engine, type EngineLoad, type QueryRows } from './driver.ts'
import type { WorkerReply, WorkerRequest } from './pglite-worker.ts'

/** The part of a request that is not its number; distributes over the union. */
type Unnumbered<T> = T extends { id: number } ? Omit<T, 'id'> : never

class PgliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, { resolve: (rows: QueryRows) => void; reject: (e: Error) => void }>()
  #nextId = 1
  onNotification: ((payload: string) => void) | undefined

  constructor(dataDir: string) {
    this.#worker = new Worker(new URL('./pglite-worker.ts', import.meta.url), { workerData: { dataDir } })
    this.#worker.on('message', (reply: WorkerReply) => this.#receive(reply))
    this.#worker.on('error', (error) => this.#failAll(error as Error))
    this.#worker.on('exit', () => this.#failAll(new Error('The embedded database stopped.')))
  }

  send(request: Unnumbered<WorkerRequest>): Promise<QueryRows> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ ...request, id })
    })
  }

  async stop(): Promise<void> {
    await this.send({ kind: 'close' })
    await this.#worker.terminate()
  }

  #receive(reply: WorkerReply): void {
    if ('notification' in reply) {
      this.onNotification?.(reply.notification)
      return
    }
    const caller = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    if (!caller) return
    if ('error' in reply) {
      const { message, code, constraint } = reply.error as {
        message: string
        code?: string
        constraint?: string
      }
      caller.reject(new DatabaseError(message, code, constraint, reply.error))
    } else caller.resolve(reply)
  }

  #failAll(error: Error): void {
    for (const caller of this.#waiting.values()) caller.reject(error)
    this.#waiting.clear()
  }
}

/** As long as it is not closed, no other process can have the folder. */
export type FolderHold = Pick<DatabaseSync, 'close'>

/**
 * Two processes on one folder lose committed rows without a word, so the folder is held by a lock of the
 * operating system (through SQLite's), which ends with the process however it ends.
 */
export const lockFolder = (dataDir: string): FolderHold => {
  mkdirSync(dataDir, { recursive: true })
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode !== 5) throw error
    throw new Error(
      `DATA_DIR ${dataDir} is in use by another Sallyport process. Stop that one, or set DATA_DIR to another folder.`,
    )
  }
}

/** Initialising is not atomic in PGlite: do it aside, and let a rename make it true. */
const initialise = async (dataDir: string, folder: string): Promise<void> => {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith('database.new-')) rmSync(join(dataDir, name), { recursive: true, force: true })
  }
  const fresh = join(dataDir, `database.new-${process.pid}`)
  const thread = new PgliteThread(fresh)
  await thread.send({ kind: 'query', sql: 'select 1', params: [] })
  await thread.stop()
  renameSync(fresh, folder)
}

/** There is one session, and whoever has it has it alone. */
class Turns {
  #tail: Promise<void> = Promise.resolve()
  #inLine = 0

  get load(): EngineLoad {
    const busy = Math.min(this.#inLine, 1)
    return { size: 1, busy, idle: 1 - busy, waiting: this.#inLine - busy, reads: 0 }
  }

  /** Answers how to give it back. */
  async take(): Promise<() => void> {
    const turn = Promise.withResolvers<void>()
    const before = this.#tail
    this.#tail = turn.promise
    this.#inLine++
    await before
    return () => {
      this.#inLine--
      turn.resolve()
    }
  }
}

/** Beside the turns of others: there is one session, and this leaves whatever goes on in it as it is. */
const check = async (thread: PgliteThread): Promise<void> => {
  try {
    await thread.send({ kind: 'query', sql: 'select 1', params: [] })
  } catch (error) {
    // Somebody's transaction has failed and is about to be rolled back: that is an answer.
    if (!(error instanceof DatabaseError) || error.code !== '25P02') throw error
  }
}

/** Nobody writes meanwhile, so that the files are of one moment; the log among them makes up for what is not in tables yet. */
const copyFolder = async (thread: PgliteThread, folder: string, target: string): Promise<void> => {
  await thread.send({ kind: 'exec', sql: 'checkpoint' })
  await cp(folder, target, { recursive: true, errorOnExist: true, mode: constants.COPYFILE_FICLONE })
}

/** Its files, made where there are none. */
const openThread = async (dataDir: string, folder: string): Promise<PgliteThread> => {
  if (!existsSync(folder)) await initialise(dataDir, folder)
  // PGlite makes its files readable and writable for everybody on the machine.
  chmodSync(folder, 0o700)
  const thread = new PgliteThread(folder)
  await thread.send({ kind: 'query', sql: 'select 1', params: [] })
  return thread
}

export const openEmbedded = async (dataDir: string, hold = lockFolder(dataDir)): Promise<Engine> => {
  const folder = join(dataDir, 'database')
  const thread = await openThread(dataDir, folder)
  const turns = new Turns()
  const waits = new ConnectionWaits()
  const acquire = async (): Promise<Connection> => {
    const release = await waits.during(() => turns.take())
    return { query: (sql, params) => thread.send({ kind: 'query', sql, params }), release }
  }
  const within = async <T>(work: () => Promise<T>): Promise<T> => {
    const { release } = await acquire()
    return work().finally(release)
  }
  const alone = (request: Unnumbered<WorkerRequest>): Promise<QueryRows> => within(() => thread.send(request))

  const engine: Engine = {
    kind: 'embedded',
    acquire,
    read: (sql, params) => alone({ kind: 'query', sql, params }),
    exec: async (sql) => void (await alone({ kind: 'exec', sql })),
    // There is one session, and whoever starts has it alone.
    withSession: (work) => work(async (sql) => (await alone({ kind: 'query', sql, params: [] })).rows),
    listen: async (channel, listener) => {
      thread.onNotification = (payload) => listener.onMessage(payload)
      await alone({ kind: 'listen', channel })
      listener.onLive(true)
    },
    check: () => check(thread),
    copyFiles: (target) => within(() => copyFolder(thread, folder, target)),
    capacity: async () => undefined,
    close: async () => {
      await acquire()
      await thread.stop()
      hold.close()
    },
    load: () => turns.load,
    onWait: (listener) => waits.on(listener),
  }
  return engine
}
