import type { MachineFacts } from '@sallyport/domain/lifecycle/machine-step'
import { dayOf, secondsInDay } from '@sallyport/domain/time/period'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CloudProvider, CloudRefusal, OpenCloud } from '../../ports/clouds.ts'
import type { Log } from '../../ports/log.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { GrantContext, Products } from '../sales/products.ts'
import type { Cloud } from './accounts.ts'
import { noteOutOfStock } from './cloud-catalogue.ts'
import { changeMachine, lockWithTerm, type Machine, type MachineChange } from './machines.ts'

/** One look at one machine: what it needs, and how what was found out is written down. */

export interface MachineContext extends Omit<GrantContext, 'now'> {
  readonly db: Db
  readonly products: Products
  readonly clock: Clock
  readonly openCloud: OpenCloud
  readonly publicUrl: () => string
  readonly log: Log
  readonly stopping: AbortSignal
}

export interface StepContext {
  readonly at: MachineContext
  readonly machine: Machine
  /** Of the offer that was chosen. */
  readonly cloud: Cloud | undefined
  readonly installation: string
  readonly now: number
}

/** Whoever paid waits no longer than this for the first machine, found by a person or not. */
export const deliverWithinSeconds = 3 * secondsInDay

export const factsOf = (machine: Machine, cloud: Cloud | undefined, now: number): MachineFacts => ({
  status: machine.status,
  wanted: machine.wanted,
  offer: machine.offer_id === null || !cloud ? null : { isByHand: cloud.kind === 'manual' },
  isAsked: machine.asked_at !== null,
  isKnown: machine.ref !== null,
  isBusy: machine.action !== null,
  hasAddress: machine.address !== null,
  isAbandoned: machine.is_abandoned,
  isDelivered: machine.activated_at !== null,
  // One that is there has the time that any machine has to call home.
  isOverdue: now >= Math.max(machine.created_at + deliverWithinSeconds, machine.ready_by ?? 0),
  isOn: machine.is_on,
  rebootAt: machine.reboot_at,
  isRebooting: machine.rebooting_since !== null,
})

/** The provider of what was chosen; steps that ask it come after the choice. */
export const providerOf = ({ cloud, machine }: StepContext): CloudProvider => {
  if (!cloud) throw new Error(`Machine ${machine.id} has no provider`)
  return cloud.provider
}

/** A node of the operator's carries it among others, so there is no node or machine of its own. */
export const isShared = (cloud: Cloud | undefined): boolean => cloud?.kind === 'local'

/** Nobody else has to be asked about it. */
export const isOwn = (cloud: Cloud | undefined): boolean => isShared(cloud) || cloud?.kind === 'manual'

/**
 * Writes down what was found out, locking the term and then the machine, unless either was changed meanwhile: then it is looked
 * at anew. Returns whether it was written.
 */
export const record = (
  { at, machine }: StepContext,
  write: (tx: Db, row: Machine) => Promise<void>,
): Promise<boolean> =>
  inTransaction(at.db, async (tx) => {
    const row = await lockWithTerm(tx, machine)
    if (row?.turn !== machine.turn) return false
    await write(tx, row)
    return true
  })

export const note = (context: StepContext, change: MachineChange, to?: Machine['status']): Promise<boolean> =>
  record(context, (tx, row) => changeMachine(tx, row, change, to ?? row.status))

const firstPauseSeconds = 5
const longestPauseSeconds = 300
/** Tries in a row that came to nothing before a person is told. */
const patience = 12

const pauseAfter = (tries: number): number =>
  Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** Math.min(tries, 10))

/** The offer cannot give it; another may. Nothing was made there. */
export const nextOffer = (machine: Machine, now: number, problem: string): MachineChange => ({
  asked_at: null,
  tried_offers:
    machine.offer_id === null ? machine.tried_offers : [...machine.tried_offers, machine.offer_id],
  offer_id: null,
  cloud_id: null,
  offer_began_at: null,
  next_step_at: now,
  tries: 0,
  problem,
})

/** An offer that has come to nothing for this long gives way to the next. */
const offerSeconds = 1800

/** Asked long enough; what may turn up there is looked after by the reconciler. */
export const isTiredOf = ({ machine, now }: StepContext): boolean =>
  machine.wanted === 'on' &&
  machine.ref === null &&
  !machine.is_abandoned &&
  machine.offer_began_at !== null &&
  now > machine.offer_began_at + offerSeconds

/** Tried again later, or elsewhere when that has gone on for long. */
export const laterOrElsewhere = (
  context: StepContext,
  problem: string,
  pauseSeconds?: number,
): Promise<boolean> =>
  isTiredOf(context)
    ? note(context, nextOffer(context.machine, context.now, problem))
    : later(context, problem, pauseSeconds)

/** Tried again later, and a person is told when that goes on for long. */
export const later = (context: StepContext, problem: string, pauseSeconds?: number): Promise<boolean> =>
  record(context, async (tx, row) => {
    const { now } = context
    const tries = row.tries + 1
    await changeMachine(tx, row, { tries, problem, next_step_at: now + (pauseSeconds ?? pauseAfter(tries)) })
    if (tries !== patience) return
    const details = { problem, cloud: context.cloud?.title ?? null }
    await raiseAlert(tx, { kind: 'machine_stuck', subject: `machine:${row.id}:${dayOf(now)}`, details, now })
  })

/** Something that the operator has to put right at the provider; told once a day. */
export const tellRefusal = (
  tx: Db,
  { cloud, now }: StepContext,
  { kind, message }: CloudRefusal,
): Promise<void> =>
  raiseAlert(tx, {
    kind: 'cloud_refused',
    subject: `cloud:${cloud?.id}:${kind}:${dayOf(now)}`,
    details: { cloud: cloud?.title ?? null, reason: kind, message },
    now,
  })

/** The provider will not make it. */
export const passOffer = async (context: StepContext, refusal: CloudRefusal): Promise<void> => {
  const { machine, now } = context
  await record(context, async (tx, row) => {
    if (refusal.kind === 'stock' && machine.offer_id !== null) await noteOutOfStock(tx, machine.offer_id, now)
    else await tellRefusal(tx, context, refusal)
    await changeMachine(tx, row, nextOffer(row, now, refusal.message))
  })
}
