import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import type { Config } from '../config.ts'
import { HttpServer } from '../http/connections/http-server.ts'

/** The descriptors this process may have open; unknown where the system does not say. */
const descriptorLimit = (): number | undefined => {
  try {
    const line = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))
    return line ? Number(line[1]) : undefined
  } catch {
    return undefined
  }
}

/** What the database, files, mail and payment providers need open beside the callers. */
const keptDescriptors = 256
const healthConnections = 16

/** As many connections as are wished for and can be had without starving everything else. */
export const connectionsWithin = (wished: number, descriptors = descriptorLimit()): number => {
  if (descriptors === undefined) return wished
  const spare = Math.max(descriptors - keptDescriptors - healthConnections, Math.floor(descriptors / 2))
  return Math.min(wished, spare)
}

/** Whether an address is in any of these. */
export const addressesIn = (networks: readonly string[]) => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family)
  }
  return (address: string): boolean => {
    const family = isIP(address)
    return family !== 0 && list.check(address, family === 4 ? 'ipv4' : 'ipv6')
  }
}

const yearSeconds = 365 * 86_400

export const createHttpServer = ({ load, trustedProxies, publicUrl }: Config): HttpServer =>
  new HttpServer({
    most: connectionsWithin(load.maxConnections),
    mostOfAddress: load.maxConnectionsPerAddress,
    reserve: healthConnections,
    // A proxy on this machine, or a trusted one, brings the connections of many customers.
    isShared: addressesIn(['127.0.0.1', '::1', ...trustedProxies]),
    mostWaiting: load.maxWaitingRequests,
    headers: {
      'x-content-type-options': 'nosniff',
      ...(publicUrl?.startsWith('https:') && {
        'strict-transport-security': `max-age=${yearSeconds}`,
      }),
    },
  })

/** Where it listens, as this machine reaches it. */
export const urlOf = (config: Config, port: number): string => {
  const host = config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
