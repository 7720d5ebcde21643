import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { basename, join } from 'node:path'
import type { Engine } from '../../db/driver.ts'
import type { Log } from '../../ports/log.ts'
import { BackupProblem } from './problem.ts'

/**
 * The embedded database belongs to one process, so while the service runs it is asked for a copy of the files. It listens for
 * that on a socket in DATA_DIR that only its owner can open; what is asked for stays in DATA_DIR too.
 */

const socketName = 'backup.sock'
const copyPrefix = 'database.copy-'
/** What the operating system takes as a name of a socket. */
const longestSocketPath = 107

export const copyFolder = (dataDir: string): string => join(dataDir, `${copyPrefix}${process.pid}`)

export interface BackupDoor {
  close(): Promise<void>
}

/** Undefined where there is nothing to copy. */
export const openBackupDoor = async (
  dataDir: string,
  engine: Engine,
  log: Log,
): Promise<BackupDoor | undefined> => {
  const { copyFiles } = engine
  if (!copyFiles) return undefined
  const path = join(dataDir, socketName)
  if (Buffer.byteLength(path) > longestSocketPath) {
    log.warn({ path }, 'DATA_DIR has too long a name for backups while the service runs; stop it for them')
    return undefined
  }
  rmSync(path, { force: true })
  const server = createServer((asked, reply) => {
    const name = basename(new URL(asked.url ?? '/', 'http://door').pathname)
    const isUs = asked.method === 'POST' && name.startsWith(copyPrefix)
    const copied = isUs ? copyFiles(join(dataDir, name)) : Promise.reject(new Error('is not known here'))
    copied.then(
      () => reply.writeHead(204).end(),
      (error: NodeJS.ErrnoException) => {
        rmSync(join(dataDir, isUs ? name : `${copyPrefix}none`), { recursive: true, force: true })
        reply.writeHead(500).end(JSON.stringify({ code: error.code, message: error.message }))
      },
    )
  })
  mkdirSync(dataDir, { recursive: true })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  // Nobody else can open it, not even in the moment before its mode is set.
  const umask = process.umask(0o177)
  server.listen(path, listening.resolve)
  process.umask(umask)
  await listening.promise
  chmodSync(path, 0o600)
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Has the running service copy its database. */
export const askForCopy = (dataDir: string, folder: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const asking = request(
      { socketPath: join(dataDir, socketName), method: 'POST', path: `/${basename(folder)}` },
      (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        reply.once('end', () => {
          if (reply.statusCode === 204) return resolve()
          const { code, message } = JSON.parse(text || '{}') as NodeJS.ErrnoException
          reject(Object.assign(new Error(message), { code }))
        })
      },
    )
    asking.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new BackupProblem(
          `The service runs, but cannot be asked for a copy of its database (${error.code}). Stop it, and try again.`,
        ),
      ),
    )
    asking.end()
  })
