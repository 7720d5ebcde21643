/** What goes wrong at a cloud, when a test says so. All of it can be written as JSON. */

export type Operation =
  | 'create'
  | 'list'
  | 'show'
  | 'reboot'
  | 'powerOff'
  | 'powerOn'
  | 'destroy'
  | 'action'
  | 'offers'

/** `after`: it was done, and the answer does not say so. */
export type Fault =
  /** An error of the provider with this status. */
  | { readonly kind: 'status'; readonly status: number; readonly after?: boolean }
  | { readonly kind: 'rate'; readonly retryAfterSeconds?: number; readonly resetInSeconds?: number }
  | { readonly kind: 'quota' | 'stock' | 'unauthorized' | 'forbidden' | 'busy' }
  /** A page of something in between, with status 200 unless another is given. */
  | { readonly kind: 'html'; readonly status?: number; readonly after?: boolean }
  | { readonly kind: 'not-json' | 'truncated' | 'huge' | 'redirect'; readonly after?: boolean }
  | { readonly kind: 'reset' | 'silence'; readonly after?: boolean }
  /** No answer ever; it is done so much later, or when the test calls `deliverLate`. */
  | { readonly kind: 'late'; readonly seconds: number }
  /** What this request begins is seen running so many times, or never ends. */
  | { readonly kind: 'slow'; readonly looks: number | 'never' }
  /** What this request begins ends in an error. */
  | { readonly kind: 'action-error'; readonly code: string; readonly message: string }

/** Whatever is not given stands for all. */
export interface Shelf {
  readonly type?: string
  readonly region?: string
}

interface Planned {
  readonly operation: Operation | '*'
  readonly fault: Fault
  timesLeft: number
}

export class Faults {
  #planned: Planned[] = []
  #empty: Shelf[] = []

  once(operation: Operation | '*', fault: Fault, times = 1): void {
    this.#planned.push({ operation, fault, timesLeft: times })
  }

  /** Until it is cleared. */
  always(operation: Operation | '*', fault: Fault): void {
    this.once(operation, fault, Number.POSITIVE_INFINITY)
  }

  /** None of these can be had, until `clear`. */
  outOfStock(shelf: Shelf): void {
    this.#empty.push(shelf)
  }

  clear(): void {
    this.#planned = []
    this.#empty = []
  }

  isInStock(type: string, region: string): boolean {
    return !this.#empty.some((shelf) => (shelf.type ?? type) === type && (shelf.region ?? region) === region)
  }

  /** What goes wrong with a request that is here now: the first that was planned for it. */
  take(operation: Operation): Fault | undefined {
    const planned = this.#planned.find(
      (one) => one.timesLeft > 0 && (one.operation === operation || one.operation === '*'),
    )
    if (planned) planned.timesLeft -= 1
    return planned?.fault
  }
}
