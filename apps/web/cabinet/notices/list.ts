/** Notifications as they are kept: the service removes what it has once returned. */

export interface Notice {
  readonly id: number
  readonly text: string
  /** When it came, in seconds. */
  readonly at: number
}

export interface Kept {
  /** The newest first. */
  readonly items: readonly Notice[]
  /** Everything up to it was looked at. */
  readonly readId: number
}

export const nothing: Kept = { items: [], readId: 0 }

const most = 100

export const withNew = (
  { items, readId }: Kept,
  came: readonly { readonly id: number; readonly content: string }[],
  at: number,
): Kept => {
  const known = new Set(items.map(({ id }) => id))
  const fresh = came
    .filter(({ id }) => !known.has(id))
    .map(({ id, content: text }) => ({ id, text, at }))
    .toSorted((a, b) => b.id - a.id)
  return { items: [...fresh, ...items].slice(0, most), readId }
}

export const unreadIn = ({ items, readId }: Kept): number => items.filter(({ id }) => id > readId).length

export const allRead = ({ items, readId }: Kept): Kept => ({
  items,
  readId: Math.max(readId, ...items.map(({ id }) => id)),
})

/** What comes later is still told as new. */
export const cleared = (kept: Kept): Kept => ({ ...allRead(kept), items: [] })

export interface Part {
  readonly text: string
  readonly href?: string
}

const address = /https?:\/\/[^\s<>"'«»“”]+/g

/** Plain text, of which only addresses of the web can be pressed; a stop after one ends the sentence. */
export const partsOf = (text: string): Part[] => {
  const parts: Part[] = []
  let from = 0
  for (const { 0: found, index } of text.matchAll(address)) {
    const href = found.replace(/[.,;:!?)\]]+$/, '')
    if (index > from) parts.push({ text: text.slice(from, index) })
    parts.push({ text: href, href })
    from = index + href.length
  }
  if (from < text.length) parts.push({ text: text.slice(from) })
  return parts
}
