import type { CloudStatus } from '@sallyport/contract/customer/cloud-servers/shapes'

/** What to do next about a customer's machine, from what is wanted and what is known. One step asks the provider once. */

export interface MachineFacts {
  readonly status: CloudStatus
  readonly wanted: 'on' | 'off' | 'gone'
  /** An offer was chosen; whether a person has to make the machine. */
  readonly offer: { readonly isByHand: boolean } | null
  /** A machine was asked for, and whether it was made is not known. */
  readonly isAsked: boolean
  /** The provider's name for the machine is known. */
  readonly isKnown: boolean
  /** The provider is doing something to it. */
  readonly isBusy: boolean
  readonly hasAddress: boolean
  readonly isAbandoned: boolean
  /** The customer has had it. */
  readonly isDelivered: boolean
  /** The customer waits for it longer than anybody should. */
  readonly isOverdue: boolean
  readonly isOn: boolean
  readonly rebootAt: number | null
  readonly isRebooting: boolean
}

export type MachineStep =
  /** Which offer comes next. */
  | 'choose'
  /** A person is asked for it. */
  | 'ask'
  | 'create'
  /** Whether the one that was asked for is there. */
  | 'find'
  /** How far the provider has come. */
  | 'follow'
  /** What its address is. */
  | 'look'
  | 'power on'
  | 'power off'
  /** Whether its agent was heard of. */
  | 'await'
  | 'reboot'
  /** Whether it is back. */
  | 'watch'
  | 'destroy'
  /** Nothing of it is left at the provider. */
  | 'forget'
  /** It was never delivered, and will not be: the money goes back. */
  | 'give up'
  | 'rest'

const whenLeaving = (facts: MachineFacts): MachineStep => {
  if (facts.isKnown) return facts.isBusy ? 'follow' : 'destroy'
  return facts.isAsked ? 'find' : 'forget'
}

const whenMissing = (facts: MachineFacts): MachineStep => {
  if (facts.isAsked) return 'find'
  if (!facts.isDelivered && facts.wanted === 'off') return 'give up'
  if (facts.wanted === 'off') return 'rest'
  if (facts.offer === null) return 'choose'
  return facts.offer.isByHand ? 'ask' : 'create'
}

export const stepOf = (facts: MachineFacts, now: number): MachineStep => {
  if (facts.wanted === 'gone') return whenLeaving(facts)
  // The money does not wait for a provider that answers no more; what it may have made goes when it does.
  if (!facts.isDelivered && facts.isOverdue) return 'give up'
  if (facts.isAbandoned) return whenLeaving(facts)
  if (!facts.isKnown) return whenMissing(facts)
  // It ended before it came.
  if (facts.wanted === 'off' && !facts.isDelivered) return whenLeaving(facts)
  if (facts.isBusy) return 'follow'
  if (!facts.hasAddress) return 'look'
  if (facts.isOn !== (facts.wanted === 'on')) return facts.isOn ? 'power off' : 'power on'
  if (facts.wanted === 'off') return 'rest'
  if (facts.status !== 'active') return 'await'
  if (facts.rebootAt !== null && facts.rebootAt <= now) return 'reboot'
  return facts.isRebooting ? 'watch' : 'rest'
}
