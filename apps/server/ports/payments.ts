/** Who takes money from outside. Amounts are whole smallest units of the currency, as everywhere here. */

/** The one that takes no real money. */
export const sandboxName = 'sandbox'

export interface Charge {
  /** Ours: goes into the provider's metadata, and its idempotency key is made from it. */
  readonly paymentId: string
  /** What the customer chose: sbp, card, ton, usdt, stars. */
  readonly method: string
  readonly amount: number
  readonly currency: string
  readonly title: { readonly ru: string; readonly en: string }
  readonly returnUrl: string
  /** Unix seconds. */
  readonly createdAt: number
  readonly expiresAt: number
}

export interface CreatedPayment {
  /** Null where the provider names a payment only once it is made. */
  readonly providerPaymentId: string | null
  readonly link: string
}

/** A payment that was created before; the provider's own id may not be known. */
export interface KnownPayment {
  readonly paymentId: string
  readonly providerPaymentId: string | null
  readonly amount: number
  readonly currency: string
  readonly createdAt: number
}

/** What a provider says has happened. At least one of the two ids names the payment. */
export type PaymentFact =
  | {
      readonly kind: 'received'
      readonly paymentId: string | null
      readonly providerPaymentId: string | null
      /** The provider's name for this piece of money; the same piece has the same name for ever. */
      readonly receiptId: string
      readonly amount: number
      readonly currency: string
      /** Whom a refund has to name, where the provider asks for it. */
      readonly payer: string | null
    }
  | {
      readonly kind: 'canceled'
      readonly paymentId: string | null
      readonly providerPaymentId: string | null
      readonly reason: string
    }
  | {
      readonly kind: 'refunded'
      readonly receiptId: string
      readonly amount: number
      readonly currency: string
    }
  /** Somebody took money back by force, or tried to: for the operator's eyes. */
  | { readonly kind: 'disputed'; readonly receiptId: string; readonly reason: string }
  /** Nothing is believed yet: read this payment from the provider, until it shows what was announced. */
  | {
      readonly kind: 'look'
      readonly providerPaymentId: string
      readonly for: 'received' | 'canceled' | 'refunded'
    }

export interface Refund {
  /** Ours; the provider's idempotency key is made from it. */
  readonly refundId: string
  readonly receiptId: string
  readonly providerPaymentId: string | null
  readonly amount: number
  readonly currency: string
  readonly payer: string | null
  /** What the operator gave, where the provider cannot find the payer by itself. */
  readonly recipient: string | null
}

export interface WebhookRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
  readonly ip: string
  /** Unix seconds. */
  readonly now: number
}

/** A question that must be answered in the webhook's own response: may this payment be made? */
export interface PaymentQuestion {
  readonly paymentId: string
  readonly amount: number
  readonly currency: string
  readonly answer: (isAllowed: boolean) => object
}

export type WebhookVerdict =
  | { readonly kind: 'forged'; readonly reason: string }
  /** Genuine and without meaning for us. */
  | { readonly kind: 'ignored' }
  | { readonly kind: 'event'; readonly eventId: string }
  | { readonly kind: 'question'; readonly question: PaymentQuestion }

/** What a provider says of the credentials that we have for it. */
export interface ProviderAccount {
  /** Whose they are, for a person to recognise. */
  readonly account: string
  /** Whether no real money moves; undefined where the provider does not say. */
  readonly isTest: boolean | undefined
  /** What keeps it from taking money, in the provider's own word. */
  readonly problem: string | undefined
  /** Where it sends its events, and what went wrong there; undefined where it cannot be asked. */
  readonly webhooks: readonly ProviderWebhook[] | undefined
}

export interface ProviderWebhook {
  readonly url: string
  readonly problem: string | undefined
}

export interface PaymentProvider {
  readonly name: string
  /** Keys of the payment methods it can take. */
  readonly methods: readonly string[]
  /** Its currency may differ from the method's list: these are accepted. */
  readonly currencies: readonly string[]
  /** Repeating the same charge gives the same payment where the provider can, and is safe everywhere. */
  create(charge: Charge): Promise<CreatedPayment>
  /** What the provider knows of it now; an empty list while it is pending. */
  read(payment: KnownPayment): Promise<readonly PaymentFact[]>
  /** Repeating is safe. 'pending' is asked about again by repeating. */
  refund(refund: Refund): Promise<'done' | 'pending'>
  /** Whether it lets us in, by reads that change nothing; throws as the others do. */
  check(): Promise<ProviderAccount>
  /** Whether a call to /webhooks/<name> is genuine, and what names the event. No I/O. */
  judge(request: WebhookRequest): WebhookVerdict
  /** The facts in the body of an event that was judged before. */
  interpret(body: string): readonly PaymentFact[]
}

/** The provider said no, and means it: nothing was made and repeating will not help. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal'
}

/** No answer, or one that says nothing about the outcome: it may or may not have happened; repeat the same. */
export class ProviderUnreachable extends Error {
  override readonly name = 'ProviderUnreachable'
}
