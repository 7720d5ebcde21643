import { dayOf } from '@sallyport/domain/time/period'
import type { Db } from '../../db/client.ts'
import { CloudRefusal } from '../../ports/clouds.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import { forgetReminders } from '../terms/reminders.ts'
import { lockTermOfItem, updateTerm } from '../terms/terms.ts'
import { pauseAccesses, resumeAccesses } from '../vpn/operations/server-slots.ts'
import { waitUntilReady } from './machine-create.ts'
import { askReboot, hasRestarted, isHome, readSigns } from './machine-node.ts'
import { tellLost, tellReady } from './machine-notices.ts'
import {
  isOwn,
  isShared,
  later,
  note,
  providerOf,
  record,
  type StepContext,
  tellRefusal,
} from './machine-step-context.ts'
import { changeMachine, type Machine } from './machines.ts'

/** A machine that is there: its agent's first word, power, restarts. */

const pollSeconds = 2
const restartWithinSeconds = 900
/** How long what stands on a shared node is away when it is restarted. */
const sharedRestartSeconds = 3
/** Whoever waited longer than this for a machine gets the time added. */
const unpaidWaitSeconds = 3600

const giveTimeBack = async (tx: Db, row: Machine, now: number): Promise<void> => {
  const waited = now - row.search_began_at
  if (waited <= unpaidWaitSeconds) return
  const term = await lockTermOfItem(tx, { product: 'cloud_servers', itemId: row.id })
  if (!term) return
  await updateTerm(tx, term.id, { expires_at: term.expires_at + waited })
  await forgetReminders(tx, term)
}

/** Whether its agent was heard of: then it is the customer's. */
export const awaitAgent = async (context: StepContext): Promise<void> => {
  const { at, machine, cloud, now } = context
  const signs = machine.node_id === null ? undefined : await readSigns(at.db, machine.node_id)
  if (!isHome(signs, isShared(cloud), now)) return waitUntilReady(context, 'never called home')
  await record(context, async (tx, row) => {
    await giveTimeBack(tx, row, now)
    await tellReady(tx, row, now)
    const change = { activated_at: row.activated_at ?? now, tried_offers: [], ready_by: null }
    await changeMachine(
      tx,
      row,
      { ...change, missing_since: null, next_step_at: null, problem: null, tries: 0 },
      'active',
    )
  })
}

/** The provider knows nothing of it any more. */
export const lose = (context: StepContext): Promise<boolean> =>
  record(context, async (tx, row) => {
    const { now } = context
    const details = { cloud: context.cloud?.title ?? null, ref: row.ref, address: row.address }
    await raiseAlert(tx, { kind: 'machine_lost', subject: `machine:${row.id}:${row.attempt}`, details, now })
    if (row.wanted === 'on') await tellLost(tx, row, now)
    const forgotten = {
      ref: null,
      action: null,
      address: null,
      is_on: false,
      reboot_at: null,
      rebooting_since: null,
    }
    await changeMachine(
      tx,
      row,
      {
        ...forgotten,
        offer_id: null,
        tried_offers: [],
        missing_since: null,
        search_began_at: now,
        next_step_at: now,
        tries: 0,
      },
      'ordered',
    )
  })

/** Asks for something that is done to the machine; what the provider says no to is tried again, and told. */
export const asking = async (context: StepContext, work: (ref: string) => Promise<void>): Promise<void> => {
  try {
    await work(context.machine.ref as string)
  } catch (error) {
    if (!(error instanceof CloudRefusal)) return void (await later(context, (error as Error).message))
    if (error.kind === 'gone') return void (await lose(context))
    const isPassing = error.kind === 'rate' || error.kind === 'busy'
    if (!isPassing) await tellRefusal(context.at.db, context, error)
    await later(context, error.message, error.retryAfterSeconds)
  }
}

const switchPower = (context: StepContext, isOn: boolean): Promise<void> =>
  asking(context, async (ref) => {
    const provider = providerOf(context)
    const action = await (isOn ? provider.powerOn(ref) : provider.powerOff(ref))
    const next_step_at = action === null ? context.now : context.now + pollSeconds
    await note(context, { is_on: isOn, action, next_step_at, tries: 0, problem: null })
  })

export const powerOn = (context: StepContext): Promise<void> => switchPower(context, true)
export const powerOff = (context: StepContext): Promise<void> => switchPower(context, false)

const began = (action: string | null, now: number) => ({
  action,
  reboot_at: null,
  rebooting_since: now,
  tries: 0,
})

/** What stands on a node that others use too is taken off and put back: that is all of the machine there is. */
const rebootShared = (context: StepContext): Promise<boolean> =>
  record(context, async (tx, row) => {
    await pauseAccesses(tx, context.at.bus, [row.term_id])
    await changeMachine(tx, row, {
      ...began(null, context.now),
      next_step_at: context.now + sharedRestartSeconds,
    })
  })

export const reboot = async (context: StepContext): Promise<void> => {
  const { at, machine, cloud, now } = context
  if (isShared(cloud)) return void (await rebootShared(context))
  const next_step_at = now + pollSeconds
  if (isOwn(cloud)) {
    await record(context, async (tx, row) => {
      await askReboot(tx, at.bus, machine.node_id as number, now)
      await changeMachine(tx, row, { ...began(null, now), next_step_at })
    })
    return
  }
  await asking(context, async (ref) => {
    const action = await providerOf(context).reboot(ref)
    await note(context, { ...began(action, now), next_step_at })
  })
}

/** Whether it is back. One that stays away is for the operator to look at. */
export const watch = async (context: StepContext): Promise<void> => {
  const { at, machine, cloud, now } = context
  const since = machine.rebooting_since as number
  const isBack = { rebooting_since: null, next_step_at: null, problem: null }
  if (isShared(cloud)) {
    await record(context, async (tx, row) => {
      await resumeAccesses(tx, at.bus, [row.term_id])
      await changeMachine(tx, row, isBack)
    })
    return
  }
  const signs = machine.node_id === null ? undefined : await readSigns(at.db, machine.node_id)
  if (signs && hasRestarted(signs, since)) return void (await note(context, isBack))
  if (now < since + restartWithinSeconds)
    return void (await note(context, { next_step_at: now + pollSeconds }))
  await record(context, async (tx, row) => {
    const details = { problem: 'did not come back from a restart', address: row.address }
    await raiseAlert(tx, { kind: 'machine_stuck', subject: `machine:${row.id}:${dayOf(now)}`, details, now })
    await changeMachine(tx, row, isBack)
  })
}

/** What becomes of a machine whose provider could not do what it had taken on. */
const undone = async (context: StepContext, refusal: CloudRefusal): Promise<void> => {
  const { machine, now } = context
  if (machine.wanted !== 'gone' && !machine.is_abandoned && machine.status !== 'active') {
    const change = { action: null, is_abandoned: true, next_step_at: now, problem: refusal.message }
    return void (await note(context, change, 'ordered'))
  }
  await record(context, async (tx, row) => {
    await tellRefusal(tx, context, refusal)
    const isPower = row.rebooting_since === null
    await changeMachine(tx, row, {
      action: null,
      rebooting_since: null,
      // It was written down as done when it was taken on; then it is asked for again.
      ...(isPower && row.wanted !== 'gone' && { is_on: !row.is_on }),
      next_step_at: now + 30,
      tries: row.tries + 1,
      problem: refusal.message,
    })
  })
}

export const follow = (context: StepContext): Promise<void> => {
  const { machine, now } = context
  const done = { action: null, next_step_at: now }
  return asking(context, async () => {
    const outcome = await providerOf(context)
      .outcomeOf(machine.action as string)
      .catch((error: unknown) => {
        // What the provider has forgotten is over.
        if (error instanceof CloudRefusal && error.kind === 'gone') return { state: 'done' } as const
        throw error
      })
    if (outcome.state === 'failed') return undone(context, outcome.refusal)
    if (outcome.state === 'done') return void (await note(context, done))
    const isStuck = machine.status === 'purchased' && machine.ready_by !== null && now >= machine.ready_by
    if (isStuck) return waitUntilReady(context, 'the provider never finished it')
    await note(context, { next_step_at: now + pollSeconds })
  })
}
