/** What was made for a name, made once; of more than so many names that which was asked for longest ago is forgotten. */
export class KeepLatest<T> {
  readonly #most: number
  readonly #made = new Map<string, T>()

  constructor(most: number) {
    this.#most = most
  }

  of(name: string, make: () => T): T {
    const value = this.#made.has(name) ? (this.#made.get(name) as T) : make()
    // The latest stands last.
    this.#made.delete(name)
    this.#made.set(name, value)
    if (this.#made.size > this.#most) this.#made.delete(this.#made.keys().next().value as string)
    return value
  }
}
