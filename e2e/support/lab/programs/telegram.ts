import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { ByteReader } from '../../../../test/support/engines/byte-reader.ts'
import type { TelegramInput } from '../contracts.ts'
import { accept, frameBytes } from './obfuscation.ts'

/**
 * Stands in for a data centre of Telegram. Inside the obfuscation a caller says how many bytes it will send and
 * how many it wants, and so again when it has them; the first answer begins with the caller's address. As with Telegram, the
 * caller ends the call, and nothing comes that was not asked for: a proxy keeps what its client has not taken yet.
 */

const addressBytes = 16
const chunk = Buffer.alloc(64 * 1024, 7)

const serve = async (socket: Socket): Promise<void> => {
  const reader = ByteReader.of(socket)
  const { encrypt, decrypt } = accept(await reader.exactly(frameBytes))
  for (let isFirst = true; ; isFirst = false) {
    const wish = decrypt(await reader.exactly(8))
    for (let left = wish.readUInt32LE(0); left > 0; left -= chunk.length) {
      decrypt(await reader.exactly(Math.min(left, chunk.length)))
    }
    if (isFirst) socket.write(encrypt(Buffer.from((socket.remoteAddress ?? '').padEnd(addressBytes))))
    for (let left = wish.readUInt32LE(4); left > 0 && !socket.destroyed; left -= chunk.length) {
      const isFull = !socket.write(encrypt(chunk.subarray(0, Math.min(left, chunk.length))))
      if (isFull) await Promise.race([once(socket, 'drain'), once(socket, 'close')])
    }
  }
}

const input = JSON.parse(process.argv[2] ?? '{}') as TelegramInput
for (const address of input.addresses) {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    serve(socket).catch((error: Error) => {
      console.error(error.message)
      socket.destroy()
    })
  })
  server.listen(input.port, address)
  await once(server, 'listening')
}
console.log('listening')
