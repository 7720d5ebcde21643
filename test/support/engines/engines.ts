import { describe, test } from 'vitest'
import { enginePath, type Piece } from '../pieces.ts'

export function xrayPath(): string | null {
  return enginePath('xray', 'SALLYPORT_XRAY')
}

export function amneziawgPath(): string | null {
  return enginePath('amneziawg-go', 'SALLYPORT_AMNEZIAWG')
}

export function mtgPath(): string | null {
  return enginePath('mtg', 'SALLYPORT_MTG')
}

export function singBoxPath(): string | null {
  return enginePath('sing-box', 'SALLYPORT_SING_BOX')
}

/** For apps that stayed with it: what they are given no newer engine reads. */
export function oldSingBoxPath(): string | null {
  return enginePath('sing-box-1.11', 'SALLYPORT_SING_BOX_1_11')
}

export function mihomoPath(): string | null {
  return enginePath('mihomo', 'SALLYPORT_MIHOMO')
}

/** A suite that needs a piece, or several. Without one, a skipped test stands in its place and names the reason. */
export function describeWith(piece: Piece | readonly Piece[], name: string, suite: () => void): void {
  const missing = [piece].flat().find(({ find }) => find() === null)
  if (missing === undefined) describe(name, suite)
  else describe(name, () => test.skip(`needs ${missing.name}: ${missing.enable}`, () => {}))
}
