import { crc32, inflateSync } from 'node:zlib'
import jsQR from 'jsqr'
import { describe, expect, test } from 'vitest'
import { wireguardConf } from '../render/conf.ts'
import { connectionUrl } from '../render/link.ts'
import { amnezia, mtproto, vless, wireguard } from '../render/testing/endpoints.ts'
import { qrModules } from './code.ts'
import { qrImage } from './png.ts'

/** The chunks of a PNG, each with a true checksum. */
const chunksOf = (png: Buffer): Map<string, Buffer> => {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    expect(png.readUInt32BE(at + 8 + length)).toBe(crc32(body))
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += 12 + length
  }
  return chunks
}

/** What a camera sees: the picture that a page holds, four times as large, in RGBA. */
const seen = (src: string, scale = 4) => {
  const chunks = chunksOf(Buffer.from(src.replace('data:image/png;base64,', ''), 'base64'))
  const side = chunks.get('IHDR')?.readUInt32BE(0) as number
  const rows = inflateSync(chunks.get('IDAT') as Buffer)
  const rowBytes = 1 + Math.ceil(side / 8)
  const isWhite = (x: number, y: number) =>
    ((rows[y * rowBytes + 1 + (x >> 3)] as number) & (0x80 >> (x & 7))) !== 0
  const width = side * scale
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let y = 0; y < width; y++)
    for (let x = 0; x < width; x++)
      if (!isWhite(Math.floor(x / scale), Math.floor(y / scale)))
        data.fill(0, (y * width + x) * 4, (y * width + x) * 4 + 3)
  return { data, width, side, isWhite }
}

const decode = (text: string): string | undefined => {
  const { data, width } = seen(qrImage(text)?.src as string)
  const code = jsQR.default(data, width, width)
  return code ? Buffer.from(code.binaryData).toString('utf8') : undefined
}

describe('a code is read back', () => {
  test.each([
    ['a subscription', 'https://vpn.example.com/sub/aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY', 33],
    ['VLESS', connectionUrl(vless), 57],
    ['MTProto', connectionUrl(mtproto), 41],
    ['a WireGuard file', wireguardConf(wireguard), 65],
    ['an AmneziaWG file', wireguardConf(amnezia), 73],
    ['other scripts', 'Мой VPN 🇳🇱 "кавычки"', 29],
    ['the longest there is', 'a'.repeat(858), 97],
  ])('%s', (_name, text, side) => {
    expect(qrModules(text)?.length).toBe(side)
    expect(decode(text)).toBe(text)
  })
})

test('too long for a camera is none at all, counted in bytes', () => {
  expect(qrImage('a'.repeat(859))).toBeNull()
  expect(qrImage('я'.repeat(429))).not.toBeNull()
  expect(qrImage('я'.repeat(430))).toBeNull()
  expect(qrImage(connectionUrl(amnezia))).toBeNull()
})

test('four white modules stand around it', () => {
  const { side, isWhite } = seen(qrImage('https://vpn.example.com/')?.src as string, 1)
  for (let at = 0; at < side; at++)
    for (const edge of [0, 1, 2, 3, side - 4, side - 3, side - 2, side - 1])
      expect(isWhite(at, edge) && isWhite(edge, at)).toBe(true)
  expect(isWhite(4, 4)).toBe(false)
})

test('correction that costs no room is taken', () => {
  // In the first row of modules beside the finder stands the level, masked; L is 01 and H is 10.
  const level = (text: string) => {
    const row = qrModules(text)?.[8] as readonly boolean[]
    return ((row[0] ? 2 : 0) + (row[1] ? 1 : 0)) ^ 0b10
  }
  expect(level('a')).toBe(0b10)
  expect(level('a'.repeat(858))).toBe(0b01)
})
