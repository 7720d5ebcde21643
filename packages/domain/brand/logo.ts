import type { LogoType } from '@sallyport/contract/operator/cabinet'
import { drawingProblem } from './drawing.ts'

/** Whether bytes are the logo that they are said to be. */

export const mostLogoBytes = 8192
const longestSide = 1024

interface Size {
  readonly width: number
  readonly height: number
}

const readText = (bytes: Buffer, from: number, to: number): string => bytes.toString('latin1', from, to)

const pngSizeOf = (bytes: Buffer): Size | undefined => {
  const isPng = bytes.length > 45 && readText(bytes, 0, 8) === '\x89PNG\r\n\x1a\n'
  if (!isPng || readText(bytes, 12, 16) !== 'IHDR') return undefined
  // Cut off in the middle it has no end.
  if (readText(bytes, bytes.length - 8, bytes.length - 4) !== 'IEND') return undefined
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

const lossySize = (bytes: Buffer): Size | undefined =>
  readText(bytes, 23, 26) === '\x9d\x01\x2a'
    ? { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
    : undefined

const losslessSize = (bytes: Buffer): Size | undefined => {
  if (bytes[20] !== 0x2f) return undefined
  const bits = bytes.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
}

const canvasSize = (bytes: Buffer): Size => ({
  width: bytes.readUIntLE(24, 3) + 1,
  height: bytes.readUIntLE(27, 3) + 1,
})

const webpSizeOf = (bytes: Buffer): Size | undefined => {
  const isWebp = bytes.length >= 30 && readText(bytes, 0, 4) === 'RIFF' && readText(bytes, 8, 12) === 'WEBP'
  if (!isWebp || bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined
  const kinds: Readonly<Record<string, (bytes: Buffer) => Size | undefined>> = {
    'VP8 ': lossySize,
    VP8L: losslessSize,
    VP8X: canvasSize,
  }
  return kinds[readText(bytes, 12, 16)]?.(bytes)
}

const pictureProblem = (name: string, size: Size | undefined): string | null => {
  if (!size) return `is not a whole ${name} picture`
  const { width, height } = size
  const fits = [width, height].every((side) => side >= 1 && side <= longestSide)
  return fits ? null : `is ${width} × ${height}, and may be ${longestSide} × ${longestSide} at most`
}

const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const svgProblem = (bytes: Buffer): string | null => {
  const text = textOf(bytes)
  return text === undefined ? 'must be in UTF-8' : drawingProblem(text)
}

/** Null when it may be shown. */
export const logoProblem = (type: LogoType, bytes: Buffer): string | null => {
  if (bytes.length > mostLogoBytes)
    return `is ${bytes.length} bytes, and may be ${mostLogoBytes} at most: it has to arrive before a slow network stops`
  if (type === 'image/svg+xml') return svgProblem(bytes)
  return type === 'image/png'
    ? pictureProblem('PNG', pngSizeOf(bytes))
    : pictureProblem('WebP', webpSizeOf(bytes))
}
