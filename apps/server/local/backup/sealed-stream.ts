import { createCipheriv, createDecipheriv, createHmac, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { BackupProblem } from './problem.ts'

/**
 * What a backup looks like at rest. A head: "SLPB", the version, log2 of scrypt's N, its r and p, a salt, the beginning of
 * the nonces, and a proof that the passphrase fits. Then pieces of AES-256-GCM, each with its number and whether it is the
 * last in the nonce, so that a piece cannot be left out, moved or cut off.
 */

const magic = Buffer.from('SLPB')
const version = 1
const cost = { log2N: 15, r: 8, p: 1 }
const saltBytes = 16
const prefixBytes = 7
const proofBytes = 16
const tagBytes = 16
const pieceBytes = 1 << 20
const openHeadBytes = magic.length + 4 + saltBytes + prefixBytes
const headBytes = openHeadBytes + proofBytes

const damaged = (what: string): BackupProblem =>
  new BackupProblem(`The backup is damaged: ${what}. Take another one; sallyport backup list names them.`)

type Cost = typeof cost

interface Keys {
  readonly key: Buffer
  readonly proofKey: Buffer
}

const deriveKeys = async (passphrase: string, salt: Buffer, { log2N, r, p }: Cost): Promise<Keys> => {
  const derive = promisify<string, Buffer, number, object, Buffer>(scrypt)
  const N = 2 ** log2N
  const bytes = await derive(passphrase, salt, 64, { N, r, p, maxmem: 256 * N * r })
  return { key: bytes.subarray(0, 32), proofKey: bytes.subarray(32) }
}

const proofOf = (proofKey: Buffer, head: Buffer): Buffer =>
  createHmac('sha256', proofKey).update(head).digest().subarray(0, proofBytes)

const nonceOf = (prefix: Buffer, number: number, isLast: boolean): Buffer => {
  const end = Buffer.alloc(5)
  end.writeUInt32BE(number)
  end[4] = isLast ? 1 : 0
  return Buffer.concat([prefix, end])
}

/** Pieces of one size, and whether each is the last; an empty source is one empty piece. */
async function* inPieces(source: AsyncIterable<Buffer>, size: number): AsyncGenerator<[Buffer, boolean]> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    length += chunk.length
    if (length <= size) continue
    let all = Buffer.concat(waiting)
    while (all.length > size) {
      yield [all.subarray(0, size), false]
      all = all.subarray(size)
    }
    waiting = [all]
    length = all.length
  }
  yield [Buffer.concat(waiting), true]
}

export async function* seal(passphrase: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const [salt, prefix] = [randomBytes(saltBytes), randomBytes(prefixBytes)]
  const head = Buffer.concat([magic, Buffer.from([version, cost.log2N, cost.r, cost.p]), salt, prefix])
  const { key, proofKey } = await deriveKeys(passphrase, salt, cost)
  yield Buffer.concat([head, proofOf(proofKey, head)])
  let number = 0
  for await (const [piece, isLast] of inPieces(source, pieceBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(prefix, number++, isLast)).setAAD(head)
    yield Buffer.concat([cipher.update(piece), cipher.final(), cipher.getAuthTag()])
  }
}

const readHead = async (passphrase: string, bytes: Buffer) => {
  if (bytes.length < headBytes || !bytes.subarray(0, 4).equals(magic))
    throw damaged('it does not begin like one')
  if (bytes[4] !== version) {
    throw new BackupProblem(
      `The backup has format ${bytes[4]}, which this release does not know: take a newer one.`,
    )
  }
  const [log2N = 0, r = 0, p = 0] = bytes.subarray(5, 8)
  if (log2N < 10 || log2N > 20 || r < 1 || r > 16 || p < 1 || p > 4) throw damaged('its head makes no sense')
  const head = bytes.subarray(0, openHeadBytes)
  const salt = head.subarray(8, 8 + saltBytes)
  const { key, proofKey } = await deriveKeys(passphrase, salt, { log2N, r, p })
  if (!proofOf(proofKey, head).equals(bytes.subarray(openHeadBytes, headBytes))) {
    throw new BackupProblem(
      'The passphrase of BACKUP_KEY_FILE is not the one that this backup was sealed with (or its first bytes are damaged).',
    )
  }
  return { head, key, prefix: head.subarray(8 + saltBytes) }
}

/** What is yielded is as it was sealed; whoever has read it to the end knows that nothing is missing. */
export async function* unseal(passphrase: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]()
  let begin = Buffer.alloc(0)
  while (begin.length < headBytes) {
    const next = await chunks.next()
    if (next.done) break
    begin = Buffer.concat([begin, next.value])
  }
  const { head, key, prefix } = await readHead(passphrase, begin)
  const rest = async function* () {
    yield begin.subarray(headBytes)
    for (;;) {
      const next = await chunks.next()
      if (next.done) return
      yield next.value as Buffer
    }
  }
  let number = 0
  for await (const [piece, isLast] of inPieces(rest(), pieceBytes + tagBytes)) {
    if (piece.length < tagBytes) throw damaged('its end is missing')
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(prefix, number++, isLast), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(head).setAuthTag(piece.subarray(-tagBytes))
    const plain = decipher.update(piece.subarray(0, -tagBytes))
    try {
      decipher.final()
    } catch {
      throw damaged(isLast ? 'its end is missing or changed' : 'something within it has changed')
    }
    yield plain
  }
}

const only = async function* (bytes: Buffer) {
  yield bytes
}

const whole = async (pieces: AsyncIterable<Buffer>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(pieces))

export const sealBytes = (passphrase: string, bytes: Buffer): Promise<Buffer> =>
  whole(seal(passphrase, only(bytes)))

export const unsealBytes = (passphrase: string, bytes: Buffer): Promise<Buffer> =>
  whole(unseal(passphrase, only(bytes)))
