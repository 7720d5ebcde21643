import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { messageOf } from '../../common/backoff.ts'

const run = promisify(execFile)
const remotesPerCall = 100

/** `ss` sees a client of a dual-stack listener under its mapped address, so both forms are asked for. */
const destinations = (remote: string): string[] =>
  remote.startsWith('[') ? [remote] : [remote, remote.replace(/^(.*):(\d+)$/, '[::ffff:$1]:$2')]

export const socketFilter = (localPort: number, remotes: readonly string[]): string[] => {
  const alternatives = remotes.flatMap(destinations).flatMap((remote) => ['or', 'dst', remote])
  return ['sport', '=', `:${localPort}`, 'and', '(', ...alternatives.slice(1), ')']
}

/** Destroys the TCP sockets between this port and exactly these remote endpoints. */
export const destroySockets = async (localPort: number, remotes: readonly string[]): Promise<void> => {
  for (let index = 0; index < remotes.length; index += remotesPerCall) {
    const filter = socketFilter(localPort, remotes.slice(index, index + remotesPerCall))
    await run('ss', ['-K', '-H', '-t', '-n', ...filter], { timeout: 10_000 })
  }
}

const mappedPrefix = '[::ffff:'

/** Remote endpoints of the sockets open on this port, in the form Xray prints them. */
export const openRemotes = async (localPort: number): Promise<Set<string>> => {
  const limits = { timeout: 10_000, maxBuffer: 256 * 1024 * 1024 }
  const { stdout } = await run('ss', ['-H', '-t', '-n', 'sport', '=', `:${localPort}`], limits)
  const remotes = stdout.split('\n').flatMap((line) => line.trim().split(/\s+/)[4] ?? [])
  return new Set(
    remotes.map((remote) =>
      remote.startsWith(mappedPrefix) ? remote.slice(mappedPrefix.length).replace(']', '') : remote,
    ),
  )
}

const closesWithin = (socket: Socket, timeoutMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, timeoutMs, false)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(true)
    })
  })

/**
 * Why sockets cannot be destroyed on this machine, or null when they can. Tried on a connection of our own:
 * `ss` reports success also where the kernel lacks INET_DIAG_DESTROY or the process lacks CAP_NET_ADMIN.
 */
export const whySocketsCannotBeDestroyed = async (): Promise<string | null> => {
  const server = createServer((socket) => socket.on('error', () => {}))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  try {
    await once(socket, 'connect')
    const cut = closesWithin(socket, 1000)
    await destroySockets(port, [`127.0.0.1:${socket.localPort}`])
    return (await cut) ? null : 'ss -K has no effect here (it needs Linux and CAP_NET_ADMIN)'
  } catch (error) {
    return `ss -K does not run (${messageOf(error).split('\n')[0]})`
  } finally {
    socket.destroy()
    server.close()
  }
}
