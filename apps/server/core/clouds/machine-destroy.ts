import { raiseAlert } from '../kernel/alerts.ts'
import { isHome, readSigns, removeMachineNode } from './machine-node.ts'
import { asking } from './machine-operations.ts'
import { isOwn, isShared, nextOffer, note, record, type StepContext } from './machine-step-context.ts'
import { changeMachine, type Machine } from './machines.ts'

/** A machine that goes: at its provider, and in the fleet. */

const pollSeconds = 3
const lookAgainSeconds = 60
/** An agent that takes nothing in is not waited for any longer. */
const mostWaits = 300

/** Until the provider knows of it no more. */
export const destroy = async (context: StepContext): Promise<void> => {
  const { cloud, now } = context
  const isGone = { ref: null, action: null, is_on: false, next_step_at: now, tries: 0 }
  if (!cloud || isOwn(cloud)) return void (await note(context, isGone))
  await asking(context, async (ref) => {
    const found = await cloud.provider.show(ref)
    if (!found) return void (await note(context, isGone))
    const action = found.state === 'going' ? null : await cloud.provider.destroy(ref)
    await note(context, { action, next_step_at: now + pollSeconds })
  })
}

/** Its agent has heard that nothing is wanted of it any more, or will never hear anything. */
const hasHeard = async (context: StepContext): Promise<boolean> => {
  const { at, machine, cloud, now } = context
  if (cloud?.kind !== 'manual' || machine.node_id === null) return true
  if (!isHome(await readSigns(at.db, machine.node_id), false, now)) return true
  const node = await at.db
    .selectFrom('nodes as n')
    .innerJoin('node_status as st', 'st.node_id', 'n.id')
    .select(['n.desired_revision', 'st.applied_revision'])
    .where('n.id', '=', machine.node_id)
    .executeTakeFirst()
  return node === undefined || node.applied_revision >= node.desired_revision
}

/** It was of no use: the search goes on, with another home where it never had a customer's things on it. */
const searchOn = (context: StepContext): Promise<boolean> =>
  record(context, async (tx, row) => {
    const { at, cloud, now } = context
    const wasUsed = row.activated_at !== null
    const change = nextOffer(row, now, row.problem ?? 'was of no use')
    const forgotten = {
      is_abandoned: false,
      address: null,
      ready_by: null,
      ...(!wasUsed && { node_id: null }),
    }
    await changeMachine(tx, row, { ...change, ...forgotten })
    if (!wasUsed) await removeMachineNode(tx, at.bus, row, isShared(cloud))
  })

const tellFree = async (
  context: StepContext,
  row: Machine,
  tx: Parameters<typeof raiseAlert>[0],
): Promise<void> => {
  const { cloud, now } = context
  if (cloud?.kind !== 'manual' || row.address === null) return
  const details = { cloud_server: row.id, address: row.address, problem: 'ended; the machine is free again' }
  await raiseAlert(tx, { kind: 'machine_free', subject: `machine:${row.id}`, details, now })
}

/** Nothing of it is left at its provider. */
export const forget = async (context: StepContext): Promise<void> => {
  const { at, machine, cloud, now } = context
  if (machine.wanted !== 'gone') return void (await searchOn(context))
  if (machine.tries < mostWaits && !(await hasHeard(context))) {
    return void (await note(context, { next_step_at: now + pollSeconds, tries: machine.tries + 1 }))
  }
  await record(context, async (tx, row) => {
    await changeMachine(tx, row, { node_id: null })
    if (await removeMachineNode(tx, at.bus, row, isShared(cloud))) {
      await tellFree(context, row, tx)
      return changeMachine(tx, row, { node_id: null, gone_at: now, next_step_at: null, problem: null })
    }
    await changeMachine(tx, row, { node_id: row.node_id, next_step_at: now + lookAgainSeconds })
  })
}
