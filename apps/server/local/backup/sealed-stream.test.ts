import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal, sealBytes, unseal, unsealBytes } from './sealed-stream.ts'

const passphrase = 'a passphrase of the operator'
const mebibyte = 1 << 20

const inChunks = async function* (bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test.each([
  0,
  1,
  mebibyte - 1,
  mebibyte,
  mebibyte + 1,
  2 * mebibyte,
  3 * mebibyte + 7,
])('%d bytes come back as they were, in chunks of any size', async (length) => {
  const plain = randomBytes(length)
  const sealed = Buffer.concat(await Array.fromAsync(seal(passphrase, inChunks(plain, 70_001))))
  for (const size of [65_536, 999_983]) {
    const opened = Buffer.concat(await Array.fromAsync(unseal(passphrase, inChunks(sealed, size))))
    expect(opened.equals(plain)).toBe(true)
  }
})

test('another passphrase opens nothing, and says so', async () => {
  const sealed = await sealBytes(passphrase, Buffer.from('secret'))
  await expect(unsealBytes('another passphrase, as long', sealed)).rejects.toThrow(
    'The passphrase of BACKUP_KEY_FILE',
  )
})

test('nothing of what was sealed is readable', async () => {
  const sealed = await sealBytes(passphrase, Buffer.from('SECRET_KEY=abc'))
  expect(sealed.includes('SECRET_KEY')).toBe(false)
})

test('whatever is changed, cut off, left out or moved is noticed', async () => {
  const sealed = await sealBytes(passphrase, randomBytes(2 * mebibyte + 100))
  const piece = mebibyte + 16
  const headBytes = sealed.length - 2 * piece - 116
  const [first, second] = [0, 1].map((n) =>
    sealed.subarray(headBytes + n * piece, headBytes + (n + 1) * piece),
  )
  const [head, last] = [sealed.subarray(0, headBytes), sealed.subarray(-116)]
  const flipped = (at: number) => {
    const copy = Buffer.from(sealed)
    copy[at] = (copy[at] ?? 0) ^ 1
    return copy
  }
  const broken = {
    cut: sealed.subarray(0, -1),
    'without its last piece': sealed.subarray(0, -116),
    'without its last two': sealed.subarray(0, -116 - piece),
    'only a head': head,
    'half a head': head.subarray(0, 20),
    empty: Buffer.alloc(0),
    'a piece left out': Buffer.concat([head, first as Buffer, last]),
    'pieces moved': Buffer.concat([head, second as Buffer, first as Buffer, last]),
    'more behind it': Buffer.concat([sealed, randomBytes(40)]),
    'a bit within': flipped(headBytes + 500),
    'a bit of the end': flipped(sealed.length - 1),
    'a bit of the salt': flipped(10),
    'another format': flipped(4),
  }
  for (const [what, bytes] of Object.entries(broken)) {
    await expect(unsealBytes(passphrase, bytes), what).rejects.toThrow(/damaged|passphrase|format/)
  }
})
