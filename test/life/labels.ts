/**
 * Names for what differs from run to run: the first value of a kind is kind#1, the next one kind#2. A value that comes
 * again has the name it had, so that a record still tells what stayed the same and what was made anew.
 */
export class Labels {
  readonly #names = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #hidden = new Map<string, string>()
  #isFrozen = false

  /** The name of a number of the service's own, such as that of a configuration. */
  id(kind: string, value: string | number): string {
    return this.#name(kind, kind, value)
  }

  /** The name of what nobody can guess; from then on it is found inside other texts too. */
  secret(kind: string, value: string): string {
    const name = this.#name('', kind, value)
    if (this.#isFrozen) return name
    if (value.length >= 8 && !/^\d+$/.test(value)) this.#hidden.set(value, name)
    return name
  }

  /** Secrets that were seen are named wherever they stand. */
  hide(text: string): string {
    let shown = text
    for (const [value, name] of this.#hidden) if (shown.includes(value)) shown = shown.replaceAll(value, name)
    return shown
  }

  /** What stands for the whole text, if it was seen. */
  known(text: string): string | undefined {
    return this.#hidden.get(text)
  }

  /** Work that names nothing new: what was not seen before has no number. */
  frozen<T>(work: () => T): T {
    this.#isFrozen = true
    try {
      return work()
    } finally {
      this.#isFrozen = false
    }
  }

  #name(space: string, kind: string, value: string | number): string {
    const key = `${space} ${value}`
    const known = this.#names.get(key)
    if (known) return known
    if (this.#isFrozen) return `${kind}#?`
    const count = (this.#counts.get(kind) ?? 0) + 1
    this.#counts.set(kind, count)
    const name = `${kind}#${count}`
    this.#names.set(key, name)
    return name
  }
}
