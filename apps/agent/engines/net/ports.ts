import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6 } from 'node:net'
import type { Network } from '@sallyport/domain/vpn/engine/xray-accounts'
import { messageOf } from '../../common/backoff.ts'

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const mostTries = 5

/** Given to a program of ours that may not have opened it yet. Another one would take that program's answers for its own. */
const given = new Set<number>()

const portOfNobody = async (): Promise<number> => {
  for (;;) {
    const port = await freePort()
    if (!given.has(port)) return port
  }
}

/** A port that is free can be taken before the program opens it; then another is tried. */
export const withFreePort = async <T>(start: (port: number) => Promise<T>): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    const port = await portOfNobody()
    given.add(port)
    try {
      return await start(port)
    } catch (error) {
      const isTaken = messageOf(error).includes(`:${port}: bind: address already in use`)
      if (!isTaken || tries === mostTries) throw error
    } finally {
      given.delete(port)
    }
  }
}

const listenProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be opened by this user',
  EADDRNOTAVAIL: 'is on an address that this machine does not have',
}

const tcpFailure = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })

const udpFailure = (host: string, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close()
      resolve(error.code ?? error.message)
    })
    socket.bind({ address: host, port, exclusive: true }, () => socket.close(() => resolve(null)))
  })

/**
 * Why a port cannot be opened, or null. Asked before an engine is: Xray shares a taken port silently (SO_REUSEPORT)
 * and would lose half its customers to the other program, and AmneziaWG lets go of its old port first.
 */
export const portProblem = async (
  host: string,
  port: number,
  networks: readonly Network[],
): Promise<string | null> => {
  for (const network of networks) {
    const code = await (network === 'tcp' ? tcpFailure : udpFailure)(host, port)
    if (code === null) continue
    const name = network === 'tcp' ? `port ${port}` : `UDP port ${port}`
    return `${name} ${listenProblems[code] ?? `cannot be opened (${code})`}`
  }
  return null
}
