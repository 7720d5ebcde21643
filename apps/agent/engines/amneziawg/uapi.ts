import { connect } from 'node:net'
import { getSystemErrorName } from 'node:util'
import type { AwgParameters } from '@sallyport/contract/agent/agent'
import type { PeerSpec, TunnelSpec } from './tunnel-plan.ts'

/** WireGuard's text protocol over the engine's unix socket. */

const answerTimeoutMs = 10_000
const longestAnswer = 64 * 1024 * 1024

export class UapiError extends Error {
  readonly errno: number

  constructor(errno: number) {
    const name = getSystemErrorName(-Math.abs(errno))
    super(name === 'EADDRINUSE' ? 'the port is taken by another program' : `the engine answers ${name}`)
    this.errno = errno
  }
}

/** Sends one request and returns the answer without its last line; throws UapiError when that is no success. */
export const callUapi = (socketPath: string, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(socketPath)
    const chunks: string[] = []
    let length = 0
    const fail = (error: Error): void => {
      socket.destroy()
      reject(error)
    }
    socket.setEncoding('utf8')
    socket.setTimeout(answerTimeoutMs, () => fail(new Error('the engine does not answer')))
    socket.once('error', fail)
    socket.once('close', () => fail(new Error('the engine closed its socket')))
    socket.on('data', (chunk: string) => {
      chunks.push(chunk)
      length += chunk.length
      if (length > longestAnswer) return fail(new Error('the engine answers without end'))
      if (!chunk.endsWith('\n')) return
      const answer = /^(.*\n|)errno=(-?\d+)\n\n$/s.exec(chunks.join(''))
      if (answer === null) return
      const errno = Number(answer[2])
      if (errno !== 0) return fail(new UapiError(errno))
      resolve(answer[1] ?? '')
      socket.destroy()
    })
    socket.write(request)
  })

export const setRequest = (lines: readonly string[]): string => `set=1\n${lines.join('\n')}\n\n`
export const getRequest = 'get=1\n\n'

const junkNames = ['jc', 'jmin', 'jmax'] as const
const shapeNames = ['s1', 's2', 's3', 's4', 'h1', 'h2', 'h3', 'h4'] as const

/** The engine takes no zero for junk, and starts without any. */
const parameterLines = (parameters: AwgParameters): string[] => [
  ...junkNames.filter((name) => parameters[name] > 0).map((name) => `${name}=${parameters[name]}`),
  ...shapeNames.map((name) => `${name}=${parameters[name]}`),
]

export const deviceLines = ({ privateKey, port, parameters }: TunnelSpec): string[] => [
  `private_key=${privateKey}`,
  `listen_port=${port}`,
  ...(parameters ? parameterLines(parameters) : []),
]

export const addPeerLines = ({ publicKey, presharedKey, address }: PeerSpec): string[] => [
  `public_key=${publicKey}`,
  `preshared_key=${presharedKey}`,
  'replace_allowed_ips=true',
  `allowed_ip=${address}/32`,
]

export const removePeerLines = ({ publicKey }: PeerSpec): string[] => [
  `public_key=${publicKey}`,
  'remove=true',
]

/** True when datagrams of the one cannot be read by the other, so that a session cannot go on. */
export const isOtherShape = (left: AwgParameters | null, right: AwgParameters | null): boolean =>
  shapeNames.some((name) => left?.[name] !== right?.[name])

export interface PeerBytes {
  readonly received: number
  readonly sent: number
}

export interface DeviceAnswer {
  /** 0 while the device has not opened its port. */
  readonly port: number
  /** By public key in hex. */
  readonly peers: ReadonlyMap<string, PeerBytes>
}

export const parseDevice = (answer: string): DeviceAnswer => {
  const peers = new Map<string, { received: number; sent: number }>()
  let port = 0
  let peer = { received: 0, sent: 0 }
  for (const line of answer.split('\n')) {
    const [name, value = ''] = line.split('=', 2)
    if (name === 'listen_port') port = Number(value)
    else if (name === 'rx_bytes') peer.received = Number(value)
    else if (name === 'tx_bytes') peer.sent = Number(value)
    else if (name === 'public_key') {
      peer = { received: 0, sent: 0 }
      peers.set(value, peer)
    }
  }
  return { port, peers }
}
