import { crc32 } from 'node:zlib'
import type { ZipFile } from '../zip.ts'

/** Reads an archive by its directory, as programs do. */
export const unzip = (bytes: Uint8Array): ZipFile[] => {
  const archive = Buffer.from(bytes)
  const end = archive.length - 22
  if (archive.readUInt32LE(end) !== 0x06054b50) throw new Error('There is no end of the directory')
  let at = archive.readUInt32LE(end + 16)
  return Array.from({ length: archive.readUInt16LE(end + 10) }, () => {
    if (archive.readUInt32LE(at) !== 0x02014b50) throw new Error('There is no entry of the directory')
    if (archive.readUInt16LE(at + 10) !== 0) throw new Error('It is compressed')
    const [crc, packedBytes, bytes] = [16, 20, 24].map((field) => archive.readUInt32LE(at + field))
    const nameBytes = archive.readUInt16LE(at + 28)
    const local = archive.readUInt32LE(at + 42)
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes)
    at += 46 + nameBytes
    if (archive.toString('utf8', local + 30, local + 30 + nameBytes) !== name) throw new Error('Names differ')
    const begin = local + 30 + nameBytes
    const content = archive.subarray(begin, begin + (packedBytes ?? 0))
    if (content.length !== bytes || crc32(content) !== crc) throw new Error(`${name} is damaged`)
    return { name, text: content.toString() }
  })
}
