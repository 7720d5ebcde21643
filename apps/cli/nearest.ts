/** How many letters have to change to make one word of the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n)
  for (const [n, letter] of [...one].entries()) {
    const next = [n + 1]
    for (let m = 0; m < other.length; m++) {
      const change = (row[m] as number) + (letter === other[m] ? 0 : 1)
      next.push(Math.min(change, (row[m + 1] as number) + 1, (next[m] as number) + 1))
    }
    row = next
  }
  return row.at(-1) as number
}

const sorted = (word: string): string => [...word].sort().join('')

/** Letters that changed places are one slip, however far they went. */
const slips = (typed: string, word: string): number =>
  sorted(typed) === sorted(word) ? 1 : distance(typed, word)

/** What was meant, when it is not far from what was typed. */
export const nearest = (typed: string, known: readonly string[]): string | undefined => {
  const ranked = known
    .map((word) => ({ word, distance: slips(typed, word) }))
    .toSorted((one, other) => one.distance - other.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(1, Math.floor(typed.length / 3)) ? best.word : undefined
}
