import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const firstNameAt = 12

/** The name of the first question, and where the type after it stands. */
const questionOf = (message: Buffer): { name: string; typeAt: number } => {
  const labels: string[] = []
  let at = firstNameAt
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.subarray(at + 1, at + 1 + length).toString())
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), typeAt: at + 1 }
}

const record = (address: string): Buffer =>
  Buffer.from([0xc0, firstNameAt, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])

/** A resolver on port 53 of an address: IPv4 addresses of the names that are asked for. */
export const startDnsAnswers = async (
  listen: string,
  addressesOf: (name: string) => readonly string[],
): Promise<void> => {
  const socket = createSocket('udp4').bind(53, listen)
  await once(socket, 'listening')
  socket.on('message', (question, { port, address }) => {
    const { name, typeAt } = questionOf(question)
    const records = question.readUInt16BE(typeAt) === 1 ? addressesOf(name).map(record) : []
    const head = Buffer.from(question.subarray(0, typeAt + 4))
    head.writeUInt16BE(0x8180, 2)
    head.fill(0, 6, firstNameAt)
    head[7] = records.length
    socket.send(Buffer.concat([head, ...records]), port, address)
  })
}
