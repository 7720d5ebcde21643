import { setTimeout as sleep } from 'node:timers/promises'
import type { PlaceConfig } from '../../config.ts'
import { type Machine, standingOf } from './machine.ts'
import {
  backUpFirst,
  type Environment,
  lookAtSchema,
  migrateWith,
  type Newcomer,
  refreshMachine,
  type Say,
} from './preparation.ts'
import { UpgradeProblem } from './problem.ts'
import { standTrial } from './trial.ts'
import { type Port, schemaRefusal, unitOf } from './turn.ts'
import { startUnit, startWithMachine, stopUnit, unitState } from './units.ts'
import { removable } from './versions.ts'

/** Puts another release in the place of the one that serves: beside it first, then instead of it. */

export interface Change {
  readonly version: string
  readonly isBack: boolean
  /** How long it has to be well by itself, and as long again beside the old one. */
  readonly trialSeconds: number
  readonly takesBackup: boolean
  readonly place: PlaceConfig
  readonly env: Environment
  readonly now: number
  readonly say: Say
  readonly interrupted: AbortSignal
}

/** In which a request that nginx has just sent somewhere arrives there. */
const momentMs = 500

const newcomerOf = ({ releases }: Machine, version: string): Newcomer => ({
  version,
  folder: releases.folderOf(version),
})

/** Ends what an upgrade that was cut off has left: the current release alone serves, now and after a reboot. */
export const settle = async (machine: Machine, say: Say): Promise<void> => {
  const { current, places, serving, free, hasLeftover } = await standingOf(machine)
  if (hasLeftover && serving) {
    say(`An upgrade was cut off: release ${current} serves, and ${unitOf(free)} is stopped.`)
    machine.proxy.sendAllTo(serving)
    await sleep(momentMs)
    await stopUnit(free)
  }
  if (serving) {
    machine.releases.putAt(serving, current)
    machine.releases.clear(free)
    const isRight = places.every(({ port, isEnabled }) => isEnabled === (port === serving))
    if (!isRight) await startWithMachine(serving)
  }
  await refreshMachine(newcomerOf(machine, current), 'units')
  machine.proxy.sendToBoth()
}

const prepare = async (machine: Machine, change: Change): Promise<void> => {
  const { version, isBack, say } = change
  const newcomer = newcomerOf(machine, version)
  const schema = await lookAtSchema(newcomer, change)
  const refusal = schemaRefusal(schema, change)
  if (refusal) throw new UpgradeProblem(refusal)
  say(`Release ${version} can use the settings and the database.`)
  if (isBack && schema.unknown.length > 0)
    say(
      `The database stays as it is: the releases before are proved to work with ${schema.unknown.join(', ')}.`,
    )
  if (schema.pending.length === 0) return
  if (change.takesBackup) await backUpFirst(change.place, change.now, say)
  change.interrupted.throwIfAborted()
  say(`Bringing the database up to date while the old release serves: ${schema.pending.join(', ')}.`)
  await migrateWith(newcomer, change)
}

/** Returns when it has proved itself: alone first, then with every second request of customers. */
const bringUp = async (
  machine: Machine,
  change: Change,
  serving: Port | undefined,
  free: Port,
): Promise<void> => {
  const { version, trialSeconds, say, interrupted } = change
  const newcomer = newcomerOf(machine, version)
  if (!change.isBack) await refreshMachine(newcomer, 'web')
  if (serving) machine.proxy.sendAllTo(serving)
  machine.releases.putAt(free, version)
  await refreshMachine(newcomer, 'units')
  interrupted.throwIfAborted()
  say(`Starting release ${version} as ${unitOf(free)}.`)
  await startUnit(free, version)
  const { pid } = await unitState(free)
  const trial = { port: free, version, pid, seconds: trialSeconds, interrupted }
  say(`It is up. Watching it for ${trialSeconds} s.`)
  await standTrial(trial)
  if (!serving) return
  machine.proxy.sendToBoth()
  say(`It is well. Both serve for ${trialSeconds} s.`)
  await standTrial(trial)
}

const undo = async (
  machine: Machine,
  { say }: Change,
  serving: Port | undefined,
  free: Port,
): Promise<void> => {
  say(`Stopping ${unitOf(free)} again.`)
  if (serving) machine.proxy.sendAllTo(serving)
  await sleep(momentMs)
  await stopUnit(free).catch((error: unknown) => say((error as Error).message))
  const current = machine.releases.current()
  // While the service is stopped, the free port is the one that starts with the machine.
  if (serving || current === undefined) machine.releases.clear(free)
  else machine.releases.putAt(free, current)
  if (current !== undefined) await refreshMachine(newcomerOf(machine, current), 'units')
  machine.proxy.sendToBoth()
}

/** From the moment that it is current, an upgrade that is cut off is taken up in its favour. */
const switchOver = async (machine: Machine, change: Change, serving: Port | undefined, free: Port) => {
  const { releases, proxy } = machine
  const before = releases.list().find(({ version }) => version === releases.current())
  // The installer leaves no mark.
  if (before) releases.markServed(before.version, before.servedAtMs)
  releases.markServed(change.version)
  releases.makeCurrent(change.version)
  await startWithMachine(free)
  change.say(`Release ${change.version} is the current one.`)
  if (!serving) return
  proxy.sendAllTo(free)
  await sleep(momentMs)
  change.say(`Letting ${unitOf(serving)} finish what it was asked.`)
  await stopUnit(serving)
  releases.clear(serving)
  proxy.sendToBoth()
}

export const removeOld = ({ releases }: Machine, say: Say): void => {
  const current = releases.current()
  const gone = removable(releases.list(), current === undefined ? [] : [current])
  for (const version of gone) releases.remove(version)
  if (gone.length > 0) say(`Removed from the disk: ${gone.join(', ')}.`)
}

export const changeRelease = async (machine: Machine, change: Change): Promise<void> => {
  const { version, say } = change
  await settle(machine, say)
  const { current, serving, free } = await standingOf(machine)
  if (current === version) {
    say(`Release ${version} serves already.`)
    return
  }
  await prepare(machine, change)
  try {
    await bringUp(machine, change, serving, free)
  } catch (error) {
    await undo(machine, change, serving, free)
    if (!(error instanceof UpgradeProblem)) throw error
    throw new UpgradeProblem(
      `${error.message}\nRelease ${current} ${serving ? 'serves on' : 'stays the current one'}; the same command tries again.`,
    )
  }
  await switchOver(machine, change, serving, free)
  removeOld(machine, say)
  say(`Release ${version} serves at 127.0.0.1:${free}.`)
}
