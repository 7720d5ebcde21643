import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { DnsInput } from '../contracts.ts'
import { encodeAnswer, readQuestion } from './dns-message.ts'

/** A resolver that knows a few names, answers everything else with one address, and says what it was asked. */

const input = JSON.parse(process.argv[2] ?? '{}') as DnsInput

const answer = (message: Buffer, resolver: string, peer: string | undefined): Buffer => {
  const { name, type } = readQuestion(message)
  console.log(JSON.stringify({ resolver, peer, name, type }))
  return encodeAnswer(message, input.names[name] ?? input.otherwise)
}

const listen = async (address: string): Promise<void> => {
  const datagrams = createSocket('udp4')
  datagrams.on('message', (message, from) => {
    datagrams.send(answer(message, address, from.address), from.port, from.address)
  })
  datagrams.bind(53, address)
  await once(datagrams, 'listening')
  const streams = createServer((socket) => {
    let pending: Buffer = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      pending = Buffer.concat([pending, data])
      while (pending.length > 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
        const end = 2 + pending.readUInt16BE(0)
        const reply = answer(pending.subarray(2, end), address, socket.remoteAddress)
        socket.write(Buffer.concat([Buffer.from([reply.length >> 8, reply.length & 255]), reply]))
        pending = pending.subarray(end)
      }
    })
  })
  streams.listen(53, address)
  await once(streams, 'listening')
}

for (const address of input.addresses) await listen(address)
console.log('listening')
