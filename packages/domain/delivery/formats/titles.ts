/**
 * The title as every format carries it. Control characters, line breaks of Unicode too, become spaces; marks that turn
 * the text around, byte order marks, halves of characters and what YAML has no place for are taken out, because some app
 * or other stumbles over each of them. Everything else stays as the customer wrote it.
 */
export const shownTitle = (title: string): string =>
  title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replaceAll(/[\p{Bidi_Control}\uFEFF\uFFFE\uFFFF]/gu, '')

/** Apps take an empty name for none at all, so the protocol stands in for it. */
export const titleOf = ({
  title,
  protocol,
}: {
  readonly title: string
  readonly protocol: string
}): string => {
  const shown = shownTitle(title)
  return shown.trim() === '' ? protocol : shown
}

/** "name", "name 2", "name 3": whoever comes first keeps the name, unless it is taken already. */
export const uniqueTitles = (
  titles: readonly string[],
  taken: readonly string[] = [],
  keyOf: (title: string) => string = (title) => title,
): string[] => {
  const used = new Set(taken.map(keyOf))
  // A number is never given that a later entry has in its own title.
  const own = new Set(titles.map(keyOf))
  const counts = new Map<string, number>()
  return titles.map((title) => {
    const key = keyOf(title)
    if (!used.has(key)) {
      used.add(key)
      return title
    }
    let count = counts.get(key) ?? 1
    let numbered: string
    do {
      count += 1
      numbered = `${title} ${count}`
    } while (used.has(keyOf(numbered)) || own.has(keyOf(numbered)))
    counts.set(key, count)
    used.add(keyOf(numbered))
    return numbered
  })
}
