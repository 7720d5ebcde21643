import { type MachineStep, stepOf } from '@sallyport/domain/lifecycle/machine-step'
import type { Job } from '../kernel/jobs.ts'
import { openCloudOf } from './accounts.ts'
import { failDelivery } from './failed-delivery.ts'
import { installationOf } from './machine-boot.ts'
import { ask, choose, create, find, look } from './machine-create.ts'
import { destroy, forget } from './machine-destroy.ts'
import { asking, awaitAgent, follow, powerOff, powerOn, reboot, watch } from './machine-operations.ts'
import {
  factsOf,
  laterOrElsewhere,
  type MachineContext,
  note,
  type StepContext,
} from './machine-step-context.ts'
import { findMachine, returnDueMachines, takeDueMachines } from './machines.ts'

/** The round that brings machines to what is wanted of them, a step at a time; a crash between two steps loses nothing. */

const rest = async (context: StepContext): Promise<void> => {
  const { reboot_at } = context.machine
  await note(context, { next_step_at: reboot_at })
}

const steps: Readonly<Record<MachineStep, (context: StepContext) => Promise<void>>> = {
  choose,
  ask,
  create,
  find,
  follow,
  look: (context) => asking(context, () => look(context)),
  'power on': powerOn,
  'power off': powerOff,
  await: awaitAgent,
  reboot,
  watch,
  destroy,
  forget,
  'give up': (context) => failDelivery(context, 'it ended before a machine was found'),
  rest,
}

/** So that what needs no waiting is done in one go, and what goes in a ring does not go on for ever. */
const mostSteps = 10
/** Well within the time for which machines are taken; the others of a slow provider are left to the next round. */
const patienceMs = 20_000

/** Whether there is more to do at once. The time is asked anew for every step: providers are slow. */
const takeStep = async (at: MachineContext, id: number, installation: string): Promise<boolean> => {
  const now = at.clock.now()
  const machine = await findMachine(at.db, id)
  if (!machine || machine.gone_at !== null) return false
  let context: StepContext = { at, machine, cloud: undefined, installation, now }
  try {
    const cloud = machine.cloud_id === null ? undefined : await openCloudOf(at.db, at, machine.cloud_id)
    context = { ...context, cloud }
    await steps[stepOf(factsOf(machine, cloud, now), now)](context)
  } catch (error) {
    at.log.error({ err: error, machineId: id }, 'a step of a cloud server failed; it is tried again')
    await laterOrElsewhere(context, 'an error of the service; see its log')
  }
  const after = await findMachine(at.db, id)
  return after !== undefined && after.next_step_at !== null && after.next_step_at <= at.clock.now()
}

const runStepsOf = async (
  at: MachineContext,
  ids: readonly number[],
  installation: string,
): Promise<void> => {
  const beganAtMs = performance.now()
  const isOver = () => at.stopping.aborted || performance.now() - beganAtMs > patienceMs
  for (const [index, id] of ids.entries()) {
    if (isOver()) return returnDueMachines(at.db, ids.slice(index), at.clock.now())
    for (let step = 0; step < mostSteps && !isOver(); step++) {
      if (!(await takeStep(at, id, installation))) break
    }
  }
}

/** Of each provider one after another, and all providers at once: a slow one holds up nobody else's. */
export const runMachineSteps = async (at: MachineContext, now: number): Promise<void> => {
  const due = await takeDueMachines(at.db, now)
  if (due.length === 0) return
  const installation = await installationOf(at.db, now)
  const groups = Map.groupBy(due, (machine) => machine.cloud_id)
  await Promise.all(
    [...groups.values()].map((group) =>
      runStepsOf(
        at,
        group.map((machine) => machine.id),
        installation,
      ),
    ),
  )
}

export const machineJob: Job<MachineContext> = {
  name: 'tend cloud servers',
  everySeconds: 2,
  run: runMachineSteps,
}
