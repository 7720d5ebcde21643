import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect as connectTcp, type Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { freePort } from '../ports.ts'

export interface XrayClient {
  /** A tunnel to the target through the VPN; the target may be a name. */
  open(host: string, port: number): Promise<Socket>
  close(): Promise<void>
}

const clientConfig = (socksPort: number, outbound: object) => ({
  log: { loglevel: 'none' },
  inbounds: [{ listen: '127.0.0.1', port: socksPort, protocol: 'socks', settings: { udp: false } }],
  outbounds: [outbound],
})

/** What a client app makes of a vless:// link. */
export const outboundFromLink = (link: string): object => {
  const url = new URL(link)
  const parameter = (name: string): string => url.searchParams.get(name) ?? ''
  const user = { id: url.username, encryption: parameter('encryption'), flow: parameter('flow') }
  const address = url.hostname.replace(/^\[|\]$/g, '')
  return {
    protocol: 'vless',
    settings: { vnext: [{ address, port: Number(url.port), users: [user] }] },
    streamSettings: {
      network: parameter('type'),
      security: parameter('security'),
      realitySettings: {
        serverName: parameter('sni') || address,
        fingerprint: parameter('fp'),
        publicKey: parameter('pbk'),
        shortId: parameter('sid'),
        spiderX: parameter('spx'),
      },
    },
  }
}

const socksRequest = (host: string, port: number): Buffer => {
  const name = Buffer.from(host)
  const head = Buffer.from([5, 1, 0, 3, name.length])
  return Buffer.concat([head, name, Buffer.from([port >> 8, port & 255])])
}

const answerOrEnd = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.once('data', () => resolve())
    socket.once('close', () => resolve())
  })

/** SOCKS5 CONNECT; Xray answers success before it has tried the far side, or just closes. */
const openThrough = async (socksPort: number, host: string, port: number): Promise<Socket> => {
  const socket = connectTcp(socksPort, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(Buffer.from([5, 1, 0]))
  await answerOrEnd(socket)
  socket.write(socksRequest(host, port))
  await answerOrEnd(socket)
  return socket
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connectTcp(port, '127.0.0.1', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

export interface SocksClientOptions {
  readonly binary: string
  readonly directory: string
  readonly configAt: (socksPort: number) => object
  /** For one that is not started as `run -c file`. */
  readonly argsFor?: (configFile: string) => string[]
}

/** Xray, sing-box or mihomo as a customer's client, with whatever config listens at the port. */
export const startSocksClient = async (options: SocksClientOptions): Promise<XrayClient> => {
  const { binary, directory: cwd, configAt, argsFor = (file) => ['run', '-c', file] } = options
  const socksPort = await freePort()
  const config = join(cwd, `client-${socksPort}.json`)
  await writeFile(config, JSON.stringify(configAt(socksPort)))
  const child: ChildProcess = spawn(resolve(binary), argsFor(config), { stdio: 'ignore', cwd })
  for (let tries = 0; tries < 200 && !(await isListening(socksPort)); tries += 1) {
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    open: (host, port) => openThrough(socksPort, host, port),
    close: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** A real Xray as a customer's client. */
export const startXrayClient = (binary: string, directory: string, outbound: object): Promise<XrayClient> =>
  startSocksClient({ binary, directory, configAt: (socksPort) => clientConfig(socksPort, outbound) })

export interface Download {
  readonly bytes: () => number
  /** Resolves with all the bytes when the connection ends, however it ends. */
  readonly ended: Promise<number>
  close(): void
}

/** An HTTPS download inside the tunnel, so that Vision switches to copying raw bytes as it does in life. */
export const startDownload = async (client: XrayClient, port: number, path: string): Promise<Download> => {
  const tunnel = await client.open('127.0.0.1', port)
  const socket = connectTls({ socket: tunnel, servername: 'localhost', rejectUnauthorized: false })
  let bytes = 0
  const ended = new Promise<number>((resolve) => {
    socket.on('error', () => {})
    socket.once('close', () => resolve(bytes))
    tunnel.once('close', () => resolve(bytes))
  })
  socket.on('data', (data: Buffer) => {
    bytes += data.length
  })
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
  return { bytes: () => bytes, ended, close: () => socket.destroy() }
}

/** A connection over TCP is closed; a session over UDP starves, which its client notices later. */
export const isOver = async (download: Download): Promise<boolean> => {
  const before = download.bytes()
  const outcome = await Promise.race([download.ended.then(() => 'closed'), sleep(1500)])
  return outcome === 'closed' || download.bytes() === before
}
