/** Where exchange rates come from when the operator does not set them. */

export interface Rate {
  readonly currency: string
  /** Millionths of a rouble for one whole unit. */
  readonly microRub: number
}

export interface RateSource {
  readonly name: string
  /** Currencies it knows. */
  readonly currencies: readonly string[]
  /** What can be had now; a currency the source did not answer for is left out. */
  fetch(): Promise<readonly Rate[]>
}
