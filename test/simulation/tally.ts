/** What happened in the year, counted for the line at its end. */
export class Tally {
  readonly #counts = new Map<string, number>()

  add(name: string, count = 1): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + count)
  }

  get(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  /** `name 3, other 4` of everything that begins with the prefix. */
  list(prefix: string): string {
    const named = [...this.#counts].filter(([name]) => name.startsWith(prefix))
    const shown = named.map(([name, count]) => `${name.slice(prefix.length)} ${count}`).sort()
    return shown.join(', ') || 'none'
  }
}
