import { SallyportError } from './api.ts'
import { keep, kept, prefix as ofAll } from './kept.ts'
import { now } from './page.ts'

/**
 * What spends or makes is sent with a key that is kept, over a reload too, until an answer came: sent again, it happens once.
 * Another wish takes another key.
 */

interface Sent {
  readonly key: string
  readonly wish: string
  /** When it was first sent. */
  readonly at: number
}

const prefix = 'once:'
const nameOf = (operation: string): string => prefix + operation

/** The same wish gives the same key until it is settled. */
const keyFor = (operation: string, wish: string): string => {
  const sent = kept<Sent>(nameOf(operation))
  if (sent?.wish === wish) return sent.key
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
  keep(nameOf(operation), { key, wish, at: now() })
  return key
}

/** The service may be about to do it: its answer to the same key tells. */
const isUnsettled = (error: unknown): boolean =>
  !(error instanceof SallyportError) ||
  error.statusCode >= 500 ||
  error.statusCode === 429 ||
  error.errorCode === 0

/** `send` gets the key. `wish` is all that is asked for: whatever differs there is another purchase. */
export const once = async <T>(
  operation: string,
  wish: unknown,
  send: (key: string) => Promise<T>,
): Promise<T> => {
  const key = keyFor(operation, JSON.stringify(wish))
  try {
    const answer = await send(key)
    keep(nameOf(operation), undefined)
    return answer
  } catch (error) {
    if (!isUnsettled(error)) keep(nameOf(operation), undefined)
    throw error
  }
}

export interface Unsettled {
  readonly operation: string
  readonly at: number
}

/** Of what is kept, the names that begin so. */
const keptNames = (start: string): string[] => {
  try {
    return Object.keys(localStorage)
      .filter((name) => name.startsWith(ofAll + start))
      .map((name) => name.slice(ofAll.length))
  } catch {
    return []
  }
}

/** What was sent and never answered, as far as this browser knows. */
export const unsettled = (): Unsettled[] =>
  keptNames(prefix).map((name) => ({
    operation: name.slice(prefix.length),
    at: kept<Sent>(name)?.at ?? 0,
  }))

/** It is known by other ways what became of it. */
export const settled = (operation: string): void => keep(nameOf(operation), undefined)
