/** What the customers and the operator saw and did: the other side of the books. */

export type Kind = 'config' | 'renewal' | 'option' | 'machine' | 'machine renewal' | 'key' | 'top-up'
export type Means = 'balance' | 'referral' | 'promocode' | 'link'

/** One purchase, renewal or top-up that was asked for. A customer asks for one thing in a second. */
export interface Intent {
  readonly userId: number
  readonly at: number
  readonly kind: Kind
  readonly means: Means
  readonly currency: string
  /** Prices shown right before, by length, in smallest units. */
  readonly quote: ReadonlyMap<number, number>
  /** Undefined when the service was to take the last tariff. */
  readonly days: number | undefined
  /** Which one, when an option, a key to one or a machine is bought. */
  readonly optionId?: number
  /** Roubles for one price of the quote. */
  readonly worthOf: (price: number) => number
  /** unknown: the customer gave up after answers that said nothing. */
  outcome: 'done' | 'unknown'
  link?: string
  configId?: number
  code?: string
}

export interface RuleEntry {
  readonly userId: number
  readonly id: number
  readonly type: 'all' | 'configs' | 'config' | 'paid_options' | 'paid_option'
  readonly productId: number | null
  readonly percent: number
  readonly since: number
  until: number
}

export interface RateEntry {
  readonly currency: string
  readonly microRub: number
  readonly since: number
  readonly until: number
}

export interface WithdrawalEntry {
  readonly id: number
  readonly userId: number
  readonly amount: number
}

/** Everything of one account became another's; roubles as they were answered. */
export interface MoveEntry {
  readonly at: number
  readonly fromId: number
  readonly toId: number
  readonly wallet: number
  readonly referral: number
}

/** A subscription went into another of the same option, with the orders it had by then; days given to it are named below zero. */
export interface MergeEntry {
  readonly at: number
  readonly orderIds: readonly number[]
}

export class Journal {
  readonly intents: Intent[] = []
  readonly openings = new Map<number, { readonly wallet: number; readonly referral: number }>()
  readonly adjustments: { readonly userId: number; readonly amount: number }[] = []
  /** Roubles given for money that was put aside, by receipt. */
  readonly credits = new Map<number, number>()
  readonly rules: RuleEntry[] = []
  readonly rates: RateEntry[] = []
  readonly withdrawals: WithdrawalEntry[] = []
  /** Activation keys that somebody was told, with what they are good for. */
  readonly codes = new Map<string, number>()
  readonly usedCodes = new Set<string>()
  readonly tolds = new Set<number>()
  /** The same for options: how long, and which one when it is not any. */
  readonly optionCodes = new Map<string, { readonly days: number; readonly optionId?: number }>()
  /** The same for machines: how long. */
  readonly machineCodes = new Map<string, number>()
  /** What the operator gave without payment, and how many days to what was there already. */
  readonly gifts: { readonly userId: number; readonly product: string; readonly days: number }[] = []
  readonly days: number[] = []
  readonly moves: MoveEntry[] = []
  readonly merges: MergeEntry[] = []
  /** When accounts were deleted. */
  readonly deletions = new Map<number, number>()
  /** By term: the limit that was set last, and whether the operator switched it off. */
  readonly limits = new Map<number, number>()
  readonly disabled = new Map<number, boolean>()

  /** Undefined while the rate is stale. */
  rateAt(currency: string, time: number): number | undefined {
    const last = this.rates.findLast((rate) => rate.currency === currency && rate.since <= time)
    return last && last.until > time ? last.microRub : undefined
  }

  /** In this very second: the old rate may still have been meant, or the new one. */
  isRateMoment(currency: string, time: number): boolean {
    return this.rates.some((rate) => rate.currency === currency && rate.since === time)
  }

  /** Who has by then what was this account's at that time. */
  ownerAt(userId: number, since: number, until: number): number {
    const moves = this.moves.filter(({ at }) => at >= since && at <= until)
    return moves.reduce((owner, { fromId, toId }) => (owner === fromId ? toId : owner), userId)
  }

  isDeletedBy(userId: number, time: number): boolean {
    return (this.deletions.get(userId) ?? Number.POSITIVE_INFINITY) <= time
  }

  adjusted(userId: number): number {
    return this.adjustments
      .filter((adjustment) => adjustment.userId === userId)
      .reduce((sum, { amount }) => sum + amount, 0)
  }
}
