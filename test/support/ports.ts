import { createSocket } from 'node:dgram'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'

/** Ports for tests to give to programs: nobody's outgoing connection takes them, and no two tests get the same. */

/** Below lie the ports that the product gives to customers. */
const lowest = 30_000
const whereKernelChooses = '/proc/sys/net/ipv4/ip_local_port_range'
const usualFirstOfKernel = 32_768

/** The first port that the kernel may choose for an outgoing connection. */
const firstOfKernel = (): number => {
  try {
    return Number.parseInt(readFileSync(whereKernelChooses, 'utf8'), 10)
  } catch {
    return usualFirstOfKernel
  }
}

export interface PortRange {
  readonly from: number
  /** Not among them. */
  readonly to: number
}

const enough = 500

/** Below the ports that the kernel chooses. Where it chooses among all, nothing is safe, and the lowest are as good as any. */
export const rangeBelow = (first: number): PortRange => {
  if (first - lowest >= enough) return { from: lowest, to: first }
  return { from: 2000, to: first >= 2000 + enough && first < 10_000 ? first : 10_000 }
}

const closed = (server: { close(done: () => void): unknown }): Promise<void> =>
  new Promise((resolve) => server.close(() => resolve()))

const isFreeForTcp = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ host: '0.0.0.0', port, exclusive: true }, () => closed(server).then(() => resolve(true)))
  })

const isFreeForUdp = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.once('error', () => closed(socket).then(() => resolve(false)))
    socket.bind({ address: '0.0.0.0', port, exclusive: true }, () => closed(socket).then(() => resolve(true)))
  })

export const isFree = async (port: number): Promise<boolean> =>
  (await isFreeForTcp(port)) && (await isFreeForUdp(port))

/**
 * A name that one process of this machine can have at a time, without a file; the kernel takes it back when the process
 * ends, in whatever way.
 */
const claim = (port: number): Promise<Server | null> =>
  new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen(`\0sallyport-test-port-${port}`, () => resolve(server.unref()))
  })
const canClaim = process.platform === 'linux'

const { from, to } = rangeBelow(firstOfKernel())
/** Processes begin at different places, so that they seldom meet. */
let next = from + Math.floor(Math.random() * (to - from))

/** A port that no other test is given for as long as this process lives. */
export const freePort = async (): Promise<number> => {
  for (let tries = from; tries < to; tries += 1) {
    const port = next
    next = port + 1 < to ? port + 1 : from
    const claimed = canClaim ? await claim(port) : undefined
    if (claimed === null) continue
    if (await isFree(port)) return port
    claimed?.close()
  }
  throw new Error(`no port from ${from} to ${to - 1} is free`)
}
