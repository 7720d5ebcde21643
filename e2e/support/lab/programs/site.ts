import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { SiteInput } from '../contracts.ts'

/**
 * What customers visit: GET /bytes/N answers N bytes, an uploaded body is counted, and every answer says from
 * which address the visit came. The same over TLS 1.3, and datagrams are sent back with the sender's address.
 */

const chunk = Buffer.alloc(64 * 1024, 7)

const pour = async (response: ServerResponse, size: number): Promise<void> => {
  for (let left = size; left > 0 && !response.destroyed; left -= chunk.length) {
    const isFull = !response.write(left < chunk.length ? chunk.subarray(0, left) : chunk)
    if (isFull) await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
  response.end()
}

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  let received = 0
  for await (const part of request) received += (part as Buffer).length
  const size = Number(/^\/bytes\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0)
  response.writeHead(200, {
    'x-peer': request.socket.remoteAddress ?? '',
    'x-received': String(received),
    'content-length': String(size),
  })
  await pour(response, size)
}

const visit = (request: IncomingMessage, response: ServerResponse): void => {
  answer(request, response).catch(() => response.destroy())
}

const input = JSON.parse(process.argv[2] ?? '{}') as SiteInput

const listen = async (address: string): Promise<void> => {
  const plain = createServer(visit)
  plain.listen(input.port, address)
  await once(plain, 'listening')
  const datagrams = createSocket('udp4')
  datagrams.on('message', (message, from) => {
    const reply = JSON.stringify({ peer: from.address, payload: message.toString() })
    datagrams.send(reply, from.port, from.address)
  })
  datagrams.bind(input.port, address)
  await once(datagrams, 'listening')
  if (!input.tls) return
  const pair = { cert: readFileSync(input.tls.certificateFile), key: readFileSync(input.tls.keyFile) }
  const secure = createTlsServer({ ...pair, minVersion: 'TLSv1.3' }, visit)
  secure.listen(input.tls.port, address)
  await once(secure, 'listening')
}

for (const address of input.addresses) await listen(address)
console.log('listening')
