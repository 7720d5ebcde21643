import { crc32, deflateSync } from 'node:zlib'

/** The icon of a service without a logo: a gate in its colour, for home screens. */

const light = [255, 255, 255] as const

/** In parts of the side: two arches, each as a half circle on its feet. */
const wall = { half: 0.29, top: 0.5, bottom: 0.79 }
const opening = { ...wall, half: 0.17 }
/** So that no edge of it is left to be seen at the foot of the wall. */
const way = { ...opening, bottom: 1 }
const corner = 0.22

type Colour = readonly [number, number, number]

const colourOf = (accent: string): Colour => {
  const value = Number.parseInt(accent.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** How far a point is outside of an arch that stands on its feet; below zero inside. */
const fromArch = (x: number, y: number, { half, top, bottom }: typeof wall): number => {
  const side = y < top ? Math.hypot(x - 0.5, y - top) - half : Math.abs(x - 0.5) - half
  return Math.max(side, y - bottom)
}

/** An edge is as soft as a pixel is wide. */
const coverage = (distance: number, side: number): number => Math.min(1, Math.max(0, 0.5 - distance * side))

const rowOf = (y: number, side: number, colour: Colour): Buffer => {
  const row = Buffer.alloc(1 + side * 3)
  for (let at = 0; at < side; at++) {
    const x = (at + 0.5) / side
    const inWall = coverage(fromArch(x, y, wall), side)
    const inOpening = coverage(fromArch(x, y, way), side)
    const white = inWall * (1 - inOpening)
    for (const [channel, value] of colour.entries()) {
      row[1 + at * 3 + channel] = Math.round(value + ((light[channel] as number) - value) * white)
    }
  }
  return row
}

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

/** Without rounded corners: systems cut icons to their own shape, and what is drawn keeps clear of the edge. */
export const pngIcon = (accent: string, side: number): Buffer => {
  const colour = colourOf(accent)
  const rows = Array.from({ length: side }, (_, at) => rowOf((at + 0.5) / side, side, colour))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  // Eight bits a channel, three channels.
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const archPath = ({ half, top, bottom }: typeof wall): string => {
  const [left, right] = [0.5 - half, 0.5 + half].map((part) => Math.round(part * 100))
  const radius = Math.round(half * 100)
  return `M${left} ${bottom * 100}V${top * 100}A${radius} ${radius} 0 0 1 ${right} ${top * 100}V${bottom * 100}z`
}

export const svgIcon = (accent: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100"><rect width="100" height="100" rx="${corner * 100}" fill="${accent}"/><path fill="#fff" fill-rule="evenodd" d="${archPath(wall)}${archPath(opening)}"/></svg>\n`
