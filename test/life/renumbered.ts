/**
 * A record with its names and numbers counted from its own beginning: `config#7` is `config#1` where it is the first of its kind.
 * Two records of one chapter are the same then, whatever happened before it.
 */
export const renumbered = (record: string): string => {
  const names = new Map<string, string>()
  const counts = new Map<string, number>()
  return record.replaceAll(/([a-z][a-z-]*#|"(?:\w+_)?id": )\d+/g, (name, kind: string) => {
    const known = names.get(name)
    if (known) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    names.set(name, `${kind}${count}`)
    return `${kind}${count}`
  })
}
