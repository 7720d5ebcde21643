import { describe, test } from 'vitest'
import { enginePath, type Piece } from './pieces.ts'

export function xrayPath(): string | null {
  return enginePath('xray', 'SALLYPORT_XRAY')
}

/** A suite that needs a piece. Without it one skipped test stands in its place and names the reason. */
export function describeWith(piece: Piece, name: string, suite: () => void): void {
  if (piece.find() !== null) describe(name, suite)
  else describe(name, () => test.skip(`needs ${piece.name}: ${piece.enable}`, () => {}))
}
