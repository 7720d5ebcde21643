import { crc32 } from 'node:zlib'

export interface ZipFile {
  readonly name: string
  readonly text: string
}

/** 1 January 1980, the first day that the format knows: the same files, the same bytes. */
const day = 0x21
const namesAreUtf8 = 0x800
const stored = 0
const version = 20

const record = (signature: number, fields: readonly (readonly [bytes: 2 | 4, value: number])[]): Buffer => {
  const all = [[4, signature] as const, ...fields]
  const buffer = Buffer.alloc(all.reduce((length, [bytes]) => length + bytes, 0))
  let offset = 0
  for (const [bytes, value] of all) {
    buffer.writeUIntLE(value, offset, bytes)
    offset += bytes
  }
  return buffer
}

/** A ZIP archive of small texts, as they are: much alike, they are compressed better together, on their way, than one by one. */
export const zip = (files: readonly ZipFile[]): Uint8Array => {
  const bodies: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const file of files) {
    const [name, content] = [Buffer.from(file.name), Buffer.from(file.text)]
    const head = [
      ...([
        [2, version],
        [2, namesAreUtf8],
        [2, stored],
        [2, 0],
        [2, day],
      ] as const),
      ...([
        [4, crc32(content)],
        [4, content.length],
        [4, content.length],
        [2, name.length],
        [2, 0],
      ] as const),
    ]
    const local = [record(0x04034b50, head), name, content]
    // No comment, first disk, no attributes; then where the file begins.
    const entry = [
      [2, version] as const,
      ...head,
      ...([
        [2, 0],
        [2, 0],
        [2, 0],
        [4, 0],
        [4, offset],
      ] as const),
    ]
    bodies.push(...local)
    directory.push(record(0x02014b50, entry), name)
    offset += local.reduce((length, { length: bytes }) => length + bytes, 0)
  }
  const size = directory.reduce((length, { length: bytes }) => length + bytes, 0)
  const count = files.length
  const end = record(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, offset],
    [2, 0],
  ])
  return Buffer.concat([...bodies, ...directory, end])
}
