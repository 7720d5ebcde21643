import { generateKeyPairSync } from 'node:crypto'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import { connect, createServer as createRelay, type Server as Relay } from 'node:net'
import { selfSignedCertificate } from '@sallyport/domain/vpn/certificate'

/** Parts of an operator's own that stand elsewhere: a balancer with the certificate, and ways to servers of this machine. */

export interface Balancer {
  readonly certificate: string
  close(): Promise<void>
}

const closed = (server: Server | Relay): Promise<void> =>
  new Promise((resolve) => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close(() => resolve())
  })

/** At port 443 of an address; it adds whom it hears to X-Forwarded-For, and speaks plain HTTP to the machine. */
export const openBalancer = async (domain: string, host: string, machine: string): Promise<Balancer> => {
  const { certificate, key } = selfSignedCertificate({
    serverName: domain,
    notBefore: Math.floor(Date.now() / 1000) - 3600,
    days: 90,
    keyPair: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    serial: '0123456789abcdef',
  })
  const server = createServer({ cert: certificate, key }, (incoming, response) => {
    const { method, url: path, headers, socket } = incoming
    const before = headers['x-forwarded-for']
    const from = [...(before ? [before] : []), socket.remoteAddress].join(', ')
    const onward = request(
      { host: machine, method, path, headers: { ...headers, 'x-forwarded-for': from } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(443, host, resolve))
  return { certificate, close: () => closed(server) }
}

/** From a port of that address to one of 127.0.0.1; its number. */
export const openRelay = async (
  host: string,
  target: number,
): Promise<{ port: number; close: () => Promise<void> }> => {
  const relay = createRelay((caller) => {
    const other = connect({ port: target, host: '127.0.0.1' })
    for (const [one, next] of [
      [caller, other],
      [other, caller],
    ] as const) {
      one.on('error', () => next.destroy())
      one.on('close', () => next.destroy())
      one.pipe(next)
    }
  })
  await new Promise<void>((resolve) => relay.listen(0, host, resolve))
  const { port } = relay.address() as { port: number }
  return {
    port,
    close: async () => {
      relay.close()
    },
  }
}
