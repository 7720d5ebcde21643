/** How often something took how long, in few numbers; counting one more is adding to two of them. */
export class Distribution {
  /** Seconds, rising; what took longer than the last is counted beyond it. */
  readonly bounds: readonly number[]
  readonly counts: number[]
  sum = 0

  constructor(bounds: readonly number[]) {
    this.bounds = bounds
    this.counts = Array(bounds.length + 1).fill(0)
  }

  observe(seconds: number): void {
    const { bounds, counts } = this
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] as number)) at++
    counts[at] = (counts[at] as number) + 1
    this.sum += seconds
  }
}
