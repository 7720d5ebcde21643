import { SallyportError } from '../../../lib/send.ts'
import type { Values } from './fields.tsx'

/** Of rows that several people change. */

export interface Versioned {
  readonly version: number
}

export const isSame = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? null) === JSON.stringify(b ?? null)

/** What a refusal shows of the row as it is now; undefined where it was refused for something else. */
export const rowIn = (error: unknown): (Values & Versioned) | undefined => {
  if (!(error instanceof SallyportError) || error.statusCode !== 409) return undefined
  const row = error.data as (Values & Versioned) | null | undefined
  return typeof row?.version === 'number' ? row : undefined
}

/**
 * Some versions count more than a form shows: settings, templates and apps of delivery have one together. Where all that this
 * form shows is as it was seen, nobody was quicker, and it is sent again.
 */
export const sentUnlessChanged = async <R>(
  seen: object,
  names: readonly string[],
  version: number,
  send: (version: number) => Promise<R>,
): Promise<R> => {
  try {
    return await send(version)
  } catch (error) {
    const row = rowIn(error)
    if (!row || names.some((name) => !isSame(row[name], (seen as Values)[name]))) throw error
    return send(row.version)
  }
}
