import { type Piece, pieces } from './pieces.ts'

export function missingPieces(): Piece[] {
  return pieces.filter((piece) => piece.find() === null)
}

export function missingLine(piece: Piece): string {
  return `skipped: ${piece.name} tests (${piece.enable})`
}

export function everythingRequired(): boolean {
  return process.env.SALLYPORT_TEST_REQUIRE === 'all'
}
