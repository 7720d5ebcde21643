import { type MachineStep, stepOf } from '@sallyport/domain/lifecycle/machine-step'
import type { Job } from '../kernel/jobs.ts'
import { openCloudOf } from './accounts.ts'
import { ask, choose, create, find, look } from './creating.ts'
import { destroy, forget } from './leaving.ts'
import { asking, awaitAgent, follow, powerOff, powerOn, reboot, watch } from './living.ts'
import { findMachine, returnDueMachines, takeDueMachines } from './machines.ts'
import { installationOf } from './names.ts'
import { failDelivery } from './undelivered.ts'
import { factsOf, laterOrElsewhere, note, type Tending, type Visit } from './visit.ts'

/** The round that brings machines to what is wanted of them, a step at a time; a crash between two steps loses nothing. */

const rest = async (visit: Visit): Promise<void> => {
  const { reboot_at } = visit.machine
  await note(visit, { next_step_at: reboot_at })
}

const steps: Readonly<Record<MachineStep, (visit: Visit) => Promise<void>>> = {
  choose,
  ask,
  create,
  find,
  follow,
  look: (visit) => asking(visit, () => look(visit)),
  'power on': powerOn,
  'power off': powerOff,
  await: awaitAgent,
  reboot,
  watch,
  destroy,
  forget,
  'give up': (visit) => failDelivery(visit, 'it ended before a machine was found'),
  rest,
}

/** So that what needs no waiting is done in one go, and what goes in a ring does not go on for ever. */
const mostSteps = 10
/** Well within the time for which machines are taken; the others of a slow provider are left to the next round. */
const patienceMs = 20_000

/** Whether there is more to do at once. The time is asked anew for every step: providers are slow. */
const takeStep = async (at: Tending, id: number, installation: string): Promise<boolean> => {
  const now = at.clock.now()
  const machine = await findMachine(at.db, id)
  if (!machine || machine.gone_at !== null) return false
  let visit: Visit = { at, machine, cloud: undefined, installation, now }
  try {
    const cloud = machine.cloud_id === null ? undefined : await openCloudOf(at.db, at, machine.cloud_id)
    visit = { ...visit, cloud }
    await steps[stepOf(factsOf(machine, cloud, now), now)](visit)
  } catch (error) {
    at.log.error({ err: error, machineId: id }, 'a step of a cloud server failed; it is tried again')
    await laterOrElsewhere(visit, 'an error of the service; see its log')
  }
  const after = await findMachine(at.db, id)
  return after !== undefined && after.next_step_at !== null && after.next_step_at <= at.clock.now()
}

const tendGroup = async (at: Tending, ids: readonly number[], installation: string): Promise<void> => {
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
export const tendMachines = async (at: Tending, now: number): Promise<void> => {
  const due = await takeDueMachines(at.db, now)
  if (due.length === 0) return
  const installation = await installationOf(at.db, now)
  const groups = Map.groupBy(due, (machine) => machine.cloud_id)
  await Promise.all(
    [...groups.values()].map((group) =>
      tendGroup(
        at,
        group.map((machine) => machine.id),
        installation,
      ),
    ),
  )
}

export const tendMachinesJob: Job<Tending> = {
  name: 'tend cloud servers',
  everySeconds: 2,
  run: tendMachines,
}
