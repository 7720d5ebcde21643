import type { Bus } from '../../core/kernel/bus.ts'
import { FewAtOnce } from './few-at-once.ts'
import { OpenPolls } from './polls.ts'
import { Turns } from './turns.ts'

/** What one instance knows of the agents that talk to it. */
export interface AgentsHere {
  readonly polls: OpenPolls
  readonly turns: Turns
  readonly reportTurns: Turns
  readonly largeReports: FewAtOnce
}

const byBus = new WeakMap<Bus, AgentsHere>()

/** Those of the instance that hears by this bus. */
export const agentsHere = (bus: Bus): AgentsHere => {
  const known = byBus.get(bus) ?? {
    polls: new OpenPolls(bus),
    turns: new Turns(),
    reportTurns: new Turns(),
    largeReports: new FewAtOnce(),
  }
  byBus.set(bus, known)
  return known
}
