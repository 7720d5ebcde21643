import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sleep } from '../../common/backoff.ts'
import type { TunnelSpec } from './tunnel-plan.ts'
import {
  addPeerLines,
  callUapi,
  deviceLines,
  getRequest,
  isOtherShape,
  parseDevice,
  removePeerLines,
  setRequest,
  UapiError,
} from './uapi.ts'

const parameters = { jc: 3, jmin: 40, jmax: 70, s1: 0, s2: 1, s3: 2, s4: 3, h1: 5, h2: 6, h3: 7, h4: 8 }
const peer = { id: 'c1', publicKey: 'aa', presharedKey: 'bb', address: '100.64.0.9' }
const device = (changes: Partial<TunnelSpec>): TunnelSpec => ({
  name: 'slp0',
  title: 'access c1',
  owner: null,
  port: 51820,
  privateKey: 'cc',
  mtu: 1420,
  parameters: null,
  peers: new Map([['c1', peer]]),
  ...changes,
})

describe('requests', () => {
  test('plain WireGuard sends no parameters', () => {
    expect(deviceLines(device({}))).toEqual(['private_key=cc', 'listen_port=51820'])
  })

  test('padding may become zero, junk is left out instead', () => {
    const lines = deviceLines(device({ parameters: { ...parameters, jc: 0 } }))
    expect(lines).toContain('s1=0')
    expect(lines.filter((line) => line.startsWith('jc'))).toEqual([])
    expect(lines).toContain('jmin=40')
  })

  test('a peer has one address and loses the others', () => {
    expect(setRequest([...removePeerLines(peer), ...addPeerLines(peer)])).toBe(
      'set=1\npublic_key=aa\nremove=true\npublic_key=aa\npreshared_key=bb\n' +
        'replace_allowed_ips=true\nallowed_ip=100.64.0.9/32\n\n',
    )
  })

  test('junk does not change the shape of datagrams, everything else does', () => {
    expect(isOtherShape(parameters, { ...parameters, jc: 4, jmin: 1, jmax: 2 })).toBe(false)
    expect(isOtherShape(parameters, { ...parameters, s1: 9 })).toBe(true)
    expect(isOtherShape(parameters, { ...parameters, h4: 9 })).toBe(true)
    expect(isOtherShape(null, null)).toBe(false)
    expect(isOtherShape(null, parameters)).toBe(true)
  })
})

test('counters belong to the key that stands before them', () => {
  const answer = [
    'private_key=cc',
    'listen_port=51820',
    'jc=3',
    'public_key=aa',
    'endpoint=203.0.113.2:9999',
    'tx_bytes=10',
    'rx_bytes=20',
    'allowed_ip=100.64.0.9/32',
    'public_key=dd',
    'rx_bytes=7',
    'tx_bytes=0',
    '',
  ].join('\n')
  expect(parseDevice(answer)).toEqual({
    port: 51820,
    peers: new Map([
      ['aa', { received: 20, sent: 10 }],
      ['dd', { received: 7, sent: 0 }],
    ]),
  })
  expect(parseDevice('')).toEqual({ port: 0, peers: new Map() })
})

describe('a call', () => {
  let folder: string
  let path: string
  let server: Server

  const answerWith = async (answer: (socket: Socket) => void): Promise<void> => {
    server = createServer((socket) => socket.once('data', () => answer(socket)))
    await new Promise<void>((resolve) => server.listen(path, resolve))
  }
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sallyport-uapi-'))
    path = join(folder, 'socket')
  })
  afterEach(async () => {
    server?.close()
    await rm(folder, { recursive: true })
  })

  test('waits for the whole answer, in whatever pieces it comes', async () => {
    await answerWith(async (socket) => {
      for (const piece of ['public_key=aa\n', 'rx_bytes=1', '2\nerrno=0\n', '\n']) {
        socket.write(piece)
        await sleep(10)
      }
    })
    expect(await callUapi(path, getRequest)).toBe('public_key=aa\nrx_bytes=12\n')
  })

  test('a refusal is an error with its number and its meaning', async () => {
    await answerWith((socket) => socket.write('errno=-98\n\n'))
    await expect(callUapi(path, setRequest(['listen_port=1']))).rejects.toThrow('port is taken')
    await expect(callUapi(path, setRequest(['listen_port=1']))).rejects.toMatchObject({ errno: -98 })
    expect(new UapiError(-22).message).toContain('EINVAL')
    expect(new UapiError(-55).message).toContain('55')
  })

  test('an engine that ends in between, or is not there, is an error', async () => {
    await answerWith((socket) => socket.end('public_key=aa\n'))
    await expect(callUapi(path, getRequest)).rejects.toThrow('closed its socket')
    await expect(callUapi(join(folder, 'nobody'), getRequest)).rejects.toThrow('ENOENT')
  })
})
