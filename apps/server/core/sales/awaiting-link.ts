/**
 * The answer is the link of this payment, and the provider has yet to be asked for it: after the transaction,
 * because nobody outside is called within one.
 */
export class AwaitingLink {
  readonly paymentId: number

  constructor(paymentId: number) {
    this.paymentId = paymentId
  }
}
