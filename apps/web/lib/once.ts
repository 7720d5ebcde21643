import { keep, kept, keptNames } from './kept.ts'
import { now } from './page.ts'
import { SallyportError } from './send.ts'

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
const keyFor = (operation: string, wish: string): { key: string; isFirst: boolean } => {
  const sent = kept<Sent>(nameOf(operation))
  if (sent?.wish === wish) return { key: sent.key, isFirst: false }
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
  keep(nameOf(operation), { key, wish, at: now() })
  return { key, isFirst: true }
}

/** The service may be about to do it: its answer to the same key tells. A 401 or a 429 tells nothing of what was sent before. */
const isUnsettled = (error: unknown, isFirst: boolean): boolean => {
  if (!(error instanceof SallyportError) || error.errorCode === 0) return true
  const isUnread = error.statusCode === 401 || error.statusCode === 429
  return isUnread ? !isFirst : error.statusCode >= 500
}

/** `send` gets the key. `wish` is all that is asked for: whatever differs there is another purchase. */
export const once = async <T>(
  operation: string,
  wish: unknown,
  send: (key: string) => Promise<T>,
): Promise<T> => {
  const { key, isFirst } = keyFor(operation, JSON.stringify(wish))
  try {
    const answer = await send(key)
    keep(nameOf(operation), undefined)
    return answer
  } catch (error) {
    if (!isUnsettled(error, isFirst)) keep(nameOf(operation), undefined)
    throw error
  }
}

export interface Unsettled {
  readonly operation: string
  readonly at: number
}

/** What was sent and never answered, as far as this browser knows. */
export const unsettled = (): Unsettled[] =>
  keptNames(prefix).map((name) => ({
    operation: name.slice(prefix.length),
    at: kept<Sent>(name)?.at ?? 0,
  }))

/** It is known by other ways what became of it. */
export const settled = (operation: string): void => keep(nameOf(operation), undefined)
