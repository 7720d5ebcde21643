import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import type { RelayInput } from '../contracts.ts'

/**
 * WARP marks its customers by three bytes that plain WireGuard wants to be zero. This stands before a plain
 * server, takes the mark off, puts it on what goes back, and says which marks it saw.
 */

const input = JSON.parse(process.argv[2] ?? '{}') as RelayInput
const onwards = new Map<string, Socket>()
const outside = createSocket('udp4')

const marked = (message: Buffer, mark: Buffer): Buffer => {
  const copy = Buffer.from(message)
  mark.copy(copy, 1)
  return copy
}

const none = Buffer.alloc(3)

outside.on('message', (message, from) => {
  const mark = Buffer.from(message.subarray(1, 4))
  const key = `${from.address}:${from.port}`
  let onward = onwards.get(key)
  if (!onward) {
    console.log(JSON.stringify({ peer: from.address, reserved: [...mark] }))
    onward = createSocket('udp4')
    onward.on('message', (reply) => outside.send(marked(reply, mark), from.port, from.address))
    onwards.set(key, onward)
  }
  onward.send(marked(message, none), input.to.port, input.to.address)
})
outside.bind(input.listen.port, input.listen.address)
await once(outside, 'listening')
console.log('listening')
