import type { Unsettled } from '../../lib/once.ts'

/** Purchases that were sent and never answered: the history tells what became of them. */

/** Of each, the kind of payment that it makes. */
const kinds: Readonly<Record<string, readonly string[]>> = {
  buyConfig: ['new_config'],
  renewConfig: ['renewal'],
  buyPaidOption: ['paid_option'],
  buyCloudServer: ['cloud_server'],
  renewCloudServer: ['renewal'],
  topUpBalance: ['balance_topup'],
}

/** Until then its screen is still waiting for the answer itself. */
const patience = 25
/** The service knows the key no longer than that, so that nothing can come of it any more. */
const longest = 86_400
/** Clocks differ, and what took long is written down late. */
const slack = 60

export const lostPurchases = (sent: readonly Unsettled[], now: number, after = patience): Unsettled[] =>
  sent.filter(({ operation, at }) => operation in kinds && now - at >= after && now - at < longest)

interface Paid {
  readonly id: number
  readonly type: string | null
  readonly created_at: number
}

/** The payment that such a purchase made; undefined when it did not arrive. */
export const paymentOf = <P extends Paid>(
  { operation, at }: Unsettled,
  history: readonly P[],
): P | undefined =>
  history
    .filter(({ type, created_at }) => kinds[operation]?.includes(type ?? '') && created_at >= at - slack)
    .toSorted((a, b) => a.created_at - b.created_at)[0]

/** What is not there yet may still be worked on: until that is over its key stays, and the same wish is paid once. */
const workedOn = 120

export const canForget = ({ at }: Unsettled, isFound: boolean, now: number): boolean =>
  isFound || now - at > workedOn

const hour = 3600

/** A payment that was begun and can still be paid: its link is good for an hour. */
export const begunPayment = <P extends Paid & { readonly is_paid: boolean }>(
  history: readonly P[],
  now: number,
): P | undefined => history.find(({ is_paid, created_at }) => !is_paid && now - created_at < hour)
