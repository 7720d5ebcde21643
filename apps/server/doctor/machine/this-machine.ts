import { execFile } from 'node:child_process'
import { lookup, Resolver } from 'node:dns/promises'
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { promisify } from 'node:util'
import type { Names } from '../net.ts'
import type { Machine } from '../subject.ts'

/** The machine that this runs on, and names as it finds them. */

const attempt = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch {
    return undefined
  }
}

const readText = (path: string): string | undefined => attempt(() => readFileSync(path, 'utf8'))

const listening = '0A'

/** Inodes of the sockets that listen on a port. */
const listenersIn = (table: string, port: number): string[] =>
  table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
    const isIt = state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port
    return isIt && inode ? [inode] : []
  })

/** Of other users' processes nothing can be seen without being root. */
const hasSocket = (pid: string, wanted: ReadonlySet<string>): boolean =>
  (attempt(() => readdirSync(`/proc/${pid}/fd`)) ?? []).some((fd) =>
    wanted.has(attempt(() => readlinkSync(`/proc/${pid}/fd/${fd}`)) ?? ''),
  )

const listener = (port: number): number | undefined => {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readText(path) ?? '')
  const wanted = new Set(
    tables.flatMap((table) => listenersIn(table, port)).map((inode) => `socket:[${inode}]`),
  )
  if (wanted.size === 0) return undefined
  const pids = (attempt(() => readdirSync('/proc')) ?? []).filter((name) => /^\d+$/.test(name))
  const found = pids.find((pid) => hasSocket(pid, wanted))
  return found === undefined ? undefined : Number(found)
}

const programTimeoutMs = 5000

export const thisMachine: Machine = {
  fileSystem: async (path) => {
    const { blocks, bsize, bavail, files, ffree } = await statfs(path)
    return { bytes: blocks * bsize, freeBytes: bavail * bsize, inodes: files, freeInodes: ffree }
  },
  readFile: readText,
  modeOf: (path) => attempt(() => statSync(path).mode),
  run: async (program, args) => {
    try {
      return (await promisify(execFile)(program, [...args], { timeout: programTimeoutMs })).stdout
    } catch {
      return undefined
    }
  },
  ownAddresses: Object.values(networkInterfaces()).flatMap((all) =>
    (all ?? []).map(({ address }) => address),
  ),
  listener,
  nodeVersion: process.version,
}

const none = new Set(['ENODATA', 'ENOTFOUND'])

export const systemNames = (): Names => {
  const resolver = new Resolver({ timeout: 3000, tries: 2 })
  return {
    addresses: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    texts: async (name) => {
      try {
        return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
      } catch (error) {
        if (none.has((error as { code?: string }).code ?? '')) return []
        throw error
      }
    },
  }
}
