/** As much of the DNS message format as one question for an IPv4 address needs. */

const headerBytes = 12
const typeA = 1

export interface Question {
  readonly id: number
  readonly name: string
  readonly type: number
  /** Where the question section ends. */
  readonly end: number
}

export const encodeQuestion = (id: number, name: string): Buffer => {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(id, 0)
  header.writeUInt16BE(0x0100, 2)
  header.writeUInt16BE(1, 4)
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  return Buffer.concat([header, ...labels, Buffer.from([0, 0, typeA, 0, 1])])
}

export const readQuestion = (message: Buffer): Question => {
  const labels: string[] = []
  let at = headerBytes
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  const name = labels.join('.').toLowerCase()
  return { id: message.readUInt16BE(0), name, type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** With no address: such a name exists, but not with this kind of record. */
export const encodeAnswer = (question: Buffer, address: string | null): Buffer => {
  const { end, type } = readQuestion(question)
  const has = address !== null && type === typeA
  const head = Buffer.from(question.subarray(0, end))
  head.writeUInt16BE(0x8180, 2)
  head.writeUInt16BE(has ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  if (!has) return head
  const record = Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 1, 0, 4])
  return Buffer.concat([head, record, Buffer.from(address.split('.').map(Number))])
}

export const readAnswer = (message: Buffer): string | null => {
  if (message.readUInt16BE(6) === 0) return null
  return [...message.subarray(message.length - 4)].join('.')
}
