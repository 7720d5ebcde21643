import { crc32, deflateSync } from 'node:zlib'
import type { QrModules } from './code.ts'
import { qrModules } from './code.ts'

/**
 * A PNG of one bit a module: after compression two thirds of the same drawn as an SVG path. Dark on white whatever the
 * theme of the page, for many apps do not read codes the other way round.
 */

/** The white border that readers look for. */
const quietZone = 4

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}

/** One byte that says "no filter" before each row, then a bit a pixel, 1 for white. */
const pixels = (modules: QrModules): Uint8Array => {
  const side = modules.length + 2 * quietZone
  const rowBytes = 1 + Math.ceil(side / 8)
  const bytes = new Uint8Array(side * rowBytes).fill(0xff)
  for (let y = 0; y < side; y++) bytes[y * rowBytes] = 0
  for (const [y, row] of modules.entries()) {
    for (const [x, isDark] of row.entries()) {
      const at = (y + quietZone) * rowBytes + 1 + ((x + quietZone) >> 3)
      if (isDark) bytes[at] = (bytes[at] as number) & ~(0x80 >> ((x + quietZone) & 7))
    }
  }
  return bytes
}

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

export const qrPng = (modules: QrModules): Buffer => {
  const side = modules.length + 2 * quietZone
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // One bit a pixel; the zeros after it: grey, the only compression, filters and no interlacing.
  header[8] = 1
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(pixels(modules), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

export interface QrImage {
  /** A data: address. */
  readonly src: string
  /** Pixels a side, quiet zone included. */
  readonly side: number
}

/** Null when the text is too long for a code that a phone can read. */
export const qrImage = (text: string): QrImage | null => {
  const modules = qrModules(text)
  if (modules === null) return null
  return {
    src: `data:image/png;base64,${qrPng(modules).toString('base64')}`,
    side: modules.length + 2 * quietZone,
  }
}
