import { once } from 'node:events'
import { connect } from 'node:net'
import { openFakeTls } from '../../../../test/support/engines/fake-tls.ts'
import type { TelegramTask } from '../contracts.ts'
import { call } from './obfuscation.ts'
import { runTask } from './run-task.ts'

/** A call through an MTProto proxy to the second data centre; see telegram.ts for what is said there. */

const addressBytes = 16
const dataCentre = 2
const chunk = Buffer.alloc(64 * 1024, 9)

/** Apps ask for files in parts. */
const partBytes = 1024 * 1024

const wishFor = (upBytes: number, downBytes: number): Buffer => {
  const wish = Buffer.alloc(8)
  wish.writeUInt32LE(upBytes, 0)
  wish.writeUInt32LE(downBytes, 4)
  return wish
}

const perform = async ({ host, port, secret, downBytes, upBytes }: TelegramTask): Promise<object> => {
  const startedMs = performance.now()
  const socket = connect(port, host)
  await once(socket, 'connect')
  const tls = await openFakeTls(socket, secret)
  const { frame, encrypt, decrypt } = call(dataCentre, Buffer.from(secret, 'hex').subarray(1, 17))
  let asked = Math.min(downBytes, partBytes)
  tls.write(Buffer.concat([frame, encrypt(wishFor(upBytes, asked))]))
  for (let left = upBytes; left > 0; left -= chunk.length) {
    const isReady = tls.write(encrypt(chunk.subarray(0, Math.min(left, chunk.length))))
    if (!isReady) await once(socket, 'drain')
  }
  const peer = decrypt(await tls.reader.exactly(addressBytes))
    .toString()
    .trim()
  const answeredMs = performance.now()
  let bytes = 0
  while (bytes < downBytes) {
    if (bytes === asked) {
      const next = Math.min(downBytes - bytes, partBytes)
      asked += next
      tls.write(encrypt(wishFor(0, next)))
    }
    const piece = await tls.reader.some()
    if (piece === null) throw new Error(`${bytes} bytes of ${downBytes} came`)
    const plain = decrypt(piece)
    if (plain.some((byte) => byte !== 7)) throw new Error('What came is not what the data centre sent')
    bytes += plain.length
  }
  const endedMs = performance.now()
  socket.destroy()
  return {
    bytes,
    peer,
    seconds: (endedMs - startedMs) / 1000,
    transferSeconds: (endedMs - answeredMs) / 1000,
  }
}

await runTask(perform, (task) => `the call through ${task.host}:${task.port}`)
