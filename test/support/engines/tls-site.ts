import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'

const run = promisify(execFile)
const chunk = Buffer.alloc(64 * 1024, 7)

/** A self-signed certificate for localhost, made by Xray itself. */
const certificate = async (xray: string): Promise<{ key: string; cert: string }> => {
  const { stdout } = await run(xray, ['tls', 'cert', '-domain=localhost', '-name=localhost', '-expire=48h'])
  const { certificate, key } = JSON.parse(stdout) as { certificate: string[]; key: string[] }
  // Xray calls its PKCS #8 key an RSA one; OpenSSL takes the word seriously.
  return { key: key.join('\n').replaceAll('RSA PRIVATE KEY', 'PRIVATE KEY'), cert: certificate.join('\n') }
}

export interface TlsSite {
  readonly port: number
  close(): Promise<void>
}

/**
 * A TLS 1.3 site on loopback: /bytes/N answers N bytes, /drip sends 64 KiB every 10 ms until it is closed,
 * anything else a short text.
 */
export const startTlsSite = async (xray: string): Promise<TlsSite> => {
  const pair = await certificate(xray)
  const server: Server = createServer({ ...pair, minVersion: 'TLSv1.3' }, async (request, response) => {
    const [, kind, size] = (request.url ?? '').split('/')
    // Whoever ends a connection with a body unread resets it, and what was answered is lost on the way.
    for await (const _ of request);
    if (kind === 'bytes') return response.end(Buffer.alloc(Number(size), 7))
    if (kind !== 'drip') return response.end('hello')
    const timer = setInterval(() => response.write(chunk), 10)
    response.once('close', () => clearInterval(timer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
