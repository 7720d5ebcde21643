import { isOlderThan } from '@sallyport/domain/lifecycle/machine-orphans'
import type { Db } from '../../db/client.ts'
import { CloudRefusal, type Machine as Found, type MachineWish } from '../../ports/clouds.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { holdCloud } from './accounts.ts'
import { findNextOffer, findSite } from './cloud-catalogue.ts'
import { failDelivery } from './failed-delivery.ts'
import { marksOf, nameOf, tokenOf, userDataOf } from './machine-boot.ts'
import { admitAttempt, ensureNode, isEnrolled, leaveMachineNode, settle } from './machine-node.ts'
import { tellOfDelay } from './machine-notices.ts'
import {
  deliverWithinSeconds,
  isShared,
  isTiredOf,
  laterOrElsewhere,
  nextOffer,
  note,
  passOffer,
  providerOf,
  record,
  type StepContext,
} from './machine-step-context.ts'
import { changeMachine, findMachine, type Machine } from './machines.ts'

/** From an order to a machine at a provider. */

/** From the first word of the provider to the first word of the agent. */
const readyWithinSeconds = 1200
const tokenTtlSeconds = 3600
/** What was asked for may turn up this long after the question was given up; lists of providers lag behind. */
const turnsUpWithinSeconds = 60
const searchAgainSeconds = 600
const pollSeconds = 2

const nothingLeft = 'nobody has a machine of this kind'

/** The first was never delivered: money back. One that was lost is looked for until somebody has one. */
const giveUp = async (context: StepContext): Promise<void> => {
  const { machine, now } = context
  if (machine.activated_at === null) return failDelivery(context, machine.problem ?? nothingLeft)
  await record(context, async (tx, row) => {
    const details = { problem: row.problem ?? nothingLeft }
    await raiseAlert(tx, {
      kind: 'machine_failed',
      subject: `machine:${row.id}:${row.attempt}`,
      details,
      now,
    })
    await changeMachine(tx, row, { tried_offers: [], next_step_at: now + searchAgainSeconds })
  })
}

export const choose = async (context: StepContext): Promise<void> => {
  const { at, machine, now } = context
  const offer = await findNextOffer(at.db, machine, machine.tried_offers)
  if (!offer) return giveUp(context)
  await record(context, async (tx, row) => {
    // Deleted a moment ago, it is looked for elsewhere.
    if (!(await holdCloud(tx, offer.cloud_id))) return changeMachine(tx, row, { next_step_at: now })
    const isFresh = row.activated_at === null
    await changeMachine(tx, row, {
      offer_id: offer.id,
      cloud_id: offer.cloud_id,
      region: offer.region,
      machine_type: offer.machine_type,
      image: offer.image,
      offer_began_at: now,
      next_step_at: now,
      tries: 0,
      ...(isFresh && { node_id: null }),
    })
    // What was made for another offer is of no use, and has its name.
    if (isFresh) await leaveMachineNode(tx, at.bus, row)
  })
}

/** Waits for the operator, who tells its address. */
export const ask = async (context: StepContext): Promise<void> => {
  const { now } = context
  await record(context, async (tx, row) => {
    const details = {
      cloud_server: row.id,
      location_id: row.location_id,
      configuration: row.configuration_id,
    }
    await raiseAlert(tx, {
      kind: 'machine_wanted',
      subject: `machine:${row.id}:${row.attempt}`,
      details,
      now,
    })
    await tellOfDelay(tx, row, now)
    const until = row.activated_at === null ? row.created_at + deliverWithinSeconds : null
    await changeMachine(tx, row, { next_step_at: until, problem: 'waits for its address' })
  })
}

/** Written down before the provider is asked, so that a crash in between is known. */
const prepare = async (context: StepContext): Promise<Machine | undefined> => {
  const { at, machine, cloud, installation, now } = context
  const isPrepared = await record(context, async (tx, row) => {
    const attempt = row.attempt + 1
    const nodeId = isShared(cloud) ? cloud?.nodeId : await ensureNode(tx, row, nameOf(installation, row), now)
    const node_id = nodeId as number
    if (!isShared(cloud)) {
      await admitAttempt(tx, at.vault, { id: row.id, attempt, node_id }, now + tokenTtlSeconds)
    }
    await changeMachine(tx, row, { attempt, node_id, asked_at: row.asked_at ?? now, is_abandoned: false })
  })
  return isPrepared ? findMachine(at.db, machine.id) : undefined
}

const wishOf = ({ at, installation }: StepContext, machine: Machine): MachineWish => ({
  name: nameOf(installation, machine),
  marks: marksOf(installation, machine),
  region: machine.region ?? '',
  type: machine.machine_type ?? '',
  image: machine.image ?? '',
  userData: userDataOf(at.publicUrl(), tokenOf(at.vault, machine.id, machine.attempt), machine.hostname),
})

const settleAt = async (
  tx: Db,
  { at, cloud, now }: StepContext,
  row: Machine,
  address: string,
): Promise<void> => {
  const place = {
    address,
    isShared: isShared(cloud),
    realityServerName: await findSite(tx, row.offer_id),
  }
  await settle(tx, { ...at, now }, row as Machine & { node_id: number }, place)
}

/** The provider has it. */
const takeOver = async (
  tx: Db,
  context: StepContext,
  row: Machine,
  found: Found,
  action: string | null,
): Promise<void> => {
  const { now } = context
  // It is not wanted any more, and only has to be known to go.
  if (row.wanted === 'gone' || row.is_abandoned) {
    return changeMachine(tx, row, { ref: found.ref, asked_at: null, next_step_at: now })
  }
  if (found.address !== null) await settleAt(tx, context, row, found.address)
  await changeMachine(
    tx,
    row,
    {
      ref: found.ref,
      action,
      address: found.address,
      asked_at: null,
      is_on: found.state !== 'off',
      ready_by: now + readyWithinSeconds,
      next_step_at: action === null ? now : now + pollSeconds,
      tries: 0,
      problem: null,
    },
    row.status === 'ordered' ? 'purchased' : row.status,
  )
}

export const create = async (context: StepContext): Promise<void> => {
  const prepared = await prepare(context)
  if (!prepared) return
  const asking = { ...context, machine: prepared }
  try {
    const { machine, action } = await providerOf(context).create(wishOf(asking, prepared))
    await record(asking, (tx, row) => takeOver(tx, asking, row, machine, action))
  } catch (error) {
    if (!(error instanceof CloudRefusal))
      return void (await laterOrElsewhere(asking, (error as Error).message))
    if (error.kind === 'rate')
      return void (await laterOrElsewhere(asking, error.message, error.retryAfterSeconds ?? 60))
    if (error.kind === 'taken') return void (await find(asking, error))
    await passOffer(asking, error)
  }
}

/** Nothing is there under this name; what is on its way may need a moment. */
const notFound = async (context: StepContext, taken: CloudRefusal | undefined): Promise<void> => {
  const { machine, now } = context
  if (taken) return passOffer(context, taken)
  if (isTiredOf(context)) return void (await note(context, nextOffer(machine, now, 'no machine comes of it')))
  const askedAt = machine.asked_at ?? now
  const isEarly = now < askedAt + turnsUpWithinSeconds
  await note(
    context,
    isEarly ? { next_step_at: askedAt + turnsUpWithinSeconds } : { asked_at: null, next_step_at: now },
  )
}

/** One of these is ours to go on with; whatever else was made for this order goes. */
const adopt = async (context: StepContext, found: readonly Found[]): Promise<void> => {
  const { at, machine, cloud, now } = context
  const attemptOf = ({ marks }: Found): number => marks?.attempt ?? 0
  const [chosen, ...others] = found.toSorted((a, b) => attemptOf(b) - attemptOf(a)) as [Found, ...Found[]]
  const isAdopted = await record(context, async (tx, row) => {
    const attempt = attemptOf(chosen)
    // One that has called home already is the node, whatever it was told.
    if (attempt !== row.attempt && row.node_id !== null && !(await isEnrolled(tx, row.node_id))) {
      const known = { id: row.id, attempt, node_id: row.node_id }
      await admitAttempt(tx, at.vault, known, now + tokenTtlSeconds)
    }
    await takeOver(tx, context, row, chosen, null)
  })
  if (isAdopted) for (const { ref } of others) await cloud?.provider.destroy(ref)
  if (!isAdopted) at.log.warn({ machineId: machine.id }, 'a machine was changed while it was looked for')
}

export const find = async (context: StepContext, taken?: CloudRefusal): Promise<void> => {
  const { machine, cloud, installation } = context
  if (!cloud) return void (await note(context, { asked_at: null, next_step_at: context.now }))
  try {
    const named = await cloud.provider.find(nameOf(installation, machine), installation)
    const found = named.filter(({ createdAt }) => !isOlderThan(machine.created_at, createdAt))
    if (found.length === 0) await notFound(context, taken)
    else await adopt(context, found)
  } catch (error) {
    if (error instanceof CloudRefusal) {
      return void (await laterOrElsewhere(context, error.message, error.retryAfterSeconds ?? 60))
    }
    await laterOrElsewhere(context, (error as Error).message)
  }
}

/** Its address, which some providers give a moment later. */
export const look = async (context: StepContext): Promise<void> => {
  const { machine, now } = context
  const found = await providerOf(context).show(machine.ref as string)
  if (!found) return void (await note(context, { ref: null, is_on: false, next_step_at: now }, 'ordered'))
  const { address } = found
  if (address !== null) {
    await record(context, async (tx, row) => {
      await settleAt(tx, context, row, address)
      await changeMachine(tx, row, { address, next_step_at: now, tries: 0 })
    })
  } else await waitUntilReady(context, 'never got an address')
}

/** A machine that does not come up in its time goes back, and another is looked for. */
export const waitUntilReady = async (context: StepContext, problem: string): Promise<void> => {
  const { machine, now } = context
  if (machine.ready_by === null || now < machine.ready_by) {
    return void (await note(context, { next_step_at: now + pollSeconds }))
  }
  await note(context, { is_abandoned: true, next_step_at: now, problem }, 'ordered')
}
