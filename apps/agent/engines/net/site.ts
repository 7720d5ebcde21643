import { once } from 'node:events'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { createSecureContext, type SecureContext } from 'node:tls'
import type { Certificate } from '@sallyport/contract/agent/agent'

/** Shows a site with this certificate, and says where: host:port. */
export type SiteTarget = (certificate: Certificate) => Promise<string>

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>It works</title>
<style>body{font:16px/1.5 sans-serif;max-width:38em;margin:4em auto;padding:0 1em;color:#333}</style>
</head>
<body>
<h1>It works</h1>
<p>This server is set up and running. Its owner has not published anything here yet.</p>
</body>
</html>
`
const notFound = '<!doctype html><title>404 Not Found</title><h1>404 Not Found</h1>\n'

/** This is one small page, so strangers get no more of the agent's memory and descriptors than that takes. */
const mostConnections = 2048
const idleTimeoutMs = 15_000
const limits = {
  handshakeTimeout: idleTimeoutMs,
  headersTimeout: idleTimeoutMs,
  requestTimeout: idleTimeoutMs,
  maxSessionMemory: 1,
  settings: { maxConcurrentStreams: 8, maxHeaderListSize: 16_384 },
}

interface Shown {
  readonly pem: string
  readonly context: SecureContext
}

/** The HTTPS site that this node shows to whoever is not a customer, on loopback, under all of its names. */
export class OwnSite {
  readonly #byName = new Map<string, Shown>()
  readonly #idleTimeoutMs: number
  #server: Promise<Http2SecureServer> | null = null

  constructor(options: { readonly idleTimeoutMs?: number } = {}) {
    this.#idleTimeoutMs = options.idleTimeoutMs ?? idleTimeoutMs
  }

  readonly target: SiteTarget = async ({ server_name, certificate, key }) => {
    const pem = `${certificate}\n${key}`
    if (this.#byName.get(server_name)?.pem !== pem) {
      const context = createSecureContext({ cert: certificate, key, minVersion: 'TLSv1.3' })
      this.#byName.set(server_name, { pem, context })
    }
    this.#server ??= this.#start(certificate, key)
    const { port } = (await this.#server).address() as AddressInfo
    return `127.0.0.1:${port}`
  }

  async close(): Promise<void> {
    const server = await this.#server?.catch(() => null)
    this.#server = null
    server?.close()
  }

  async #start(cert: string, key: string): Promise<Http2SecureServer> {
    const server = createSecureServer({
      ...limits,
      // For visitors who name no site.
      cert,
      key,
      allowHTTP1: true,
      minVersion: 'TLSv1.3',
      SNICallback: (name, done) => done(null, this.#contextFor(name)),
    })
    server.maxConnections = mostConnections
    // Nobody listens for the timeout, so Node destroys what is idle for so long.
    server.setTimeout(this.#idleTimeoutMs)
    server.on('request', (request, response) => {
      const isHome = (request.url ?? '/').split('?')[0] === '/'
      const body = isHome ? page : notFound
      response.statusCode = isHome ? 200 : 404
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-length', Buffer.byteLength(body))
      response.end(request.method === 'HEAD' ? '' : body)
    })
    server.on('sessionError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return server
  }

  /** An unknown name is shown the first site, as web servers do. */
  #contextFor(name: string): SecureContext | undefined {
    return (this.#byName.get(name) ?? this.#byName.values().next().value)?.context
  }
}
