import type { DiagnosisCheck } from '@sallyport/contract/operator/people/diagnosis'

/** What a diagnosis looks at, and what it says. */

export type DiagnosisState = 'ok' | 'problem' | 'unknown'

export interface Finding {
  readonly check: DiagnosisCheck
  readonly state: DiagnosisState
  readonly text_ru: string
  readonly text_en: string
  /** An operator's operation that puts it right. */
  readonly operation?: string
  /** What it is about, as in the audit log: `term:7`. */
  readonly subject?: string
}

export interface TermFacts {
  readonly id: number
  readonly isLive: boolean
  readonly paused: 'quota' | 'operator' | null
  readonly expiresAt: number
  /** Its days do not run, because nothing can carry it. */
  readonly isStopped: boolean
}

/** What a node carries for a term that is on. */
export interface AccessFacts {
  readonly id: number
  readonly protocol: string
  readonly serverId: number
  readonly nodeId: number
  readonly node: string
  readonly isPlaced: boolean
  /** Why the node does not carry it. */
  readonly problem: string | null
  readonly isNodeHeard: boolean
  readonly nodeSeenAt: number | null
  readonly nodeError: string | null
  /** There are changes that it has not applied. */
  readonly isNodeBehind: boolean
  readonly engine: string
  readonly isEngineReady: boolean
}

export interface DiagnosisFacts {
  readonly isDeleted: boolean
  readonly isBlocked: boolean
  readonly hadTerms: boolean
  readonly terms: readonly TermFacts[]
  readonly accesses: readonly AccessFacts[]
  /** Terms that are on and have nothing that a node carries. */
  readonly emptyTerms: readonly number[]
  /** Customers' machines that are not there yet, with what stands in their way. */
  readonly machines: readonly { readonly id: number; readonly problem: string | null }[]
  readonly payment: {
    /** Paid, and not given. */
    readonly stuckOrder: number | null
    /** Money that was put aside, because the amount or the currency was another. */
    readonly aside: { readonly receiptId: number; readonly orderId: number } | null
    readonly waitingOrder: number | null
    /** There was not enough money to renew what ends now. */
    readonly hasRenewalFailed: boolean
  }
  readonly fetch: { readonly at: number; readonly app: string; readonly outcome: string } | null
  /** Something has changed that the app has not fetched. */
  readonly isFetchStale: boolean
  readonly trafficAt: number | null
}
