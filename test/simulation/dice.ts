import { seededRandom } from '../support/random.ts'

const spread = 0x9e3779b1

/** Decisions drawn from the seed and from the place they are made at, so that it does not matter who comes first. */
export class Dice {
  readonly #next: () => number

  constructor(seed: number, ...place: readonly number[]) {
    const mix = (mixed: number, part: number) => Math.imul(mixed ^ part, spread) ^ (mixed >>> 13)
    this.#next = seededRandom(place.reduce(mix, seed))
  }

  chance(share: number): boolean {
    return this.#next() < share
  }

  /** Both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.#next() * (to - from + 1))
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(0, list.length - 1)] as T
  }

  pickOr<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : this.pick(list)
  }

  weighted<K extends string>(weights: Readonly<Partial<Record<K, number>>>): K {
    const entries = Object.entries(weights) as [K, number][]
    let left = this.#next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [name, weight] of entries) {
      left -= weight
      if (left < 0) return name
    }
    return (entries.at(-1) as [K, number])[0]
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, rank: this.#next() }))
      .sort((one, other) => one.rank - other.rank)
      .map(({ value }) => value)
  }
}

const atOnce = 8

/** Several at a time, as customers come. */
export const inBatches = async <T>(
  list: readonly T[],
  work: (value: T) => Promise<unknown>,
): Promise<void> => {
  for (let at = 0; at < list.length; at += atOnce) await Promise.all(list.slice(at, at + atOnce).map(work))
}
