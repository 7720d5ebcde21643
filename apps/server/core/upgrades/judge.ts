import { isHeard } from '../fleet/servers.ts'

/** What becomes of a node that is brought to another release, from what its reports say. */

/** From being told to being as well as before. Installers fetch, start, wait a minute, and go back when they must. */
export const patienceSeconds = 900
/** Who was told and has not begun when an upgrade stopped has not seen it. */
const unseenSeconds = 120

export type NodeState = 'waiting' | 'told' | 'upgrading' | 'done' | 'ill' | 'skipped'

/** A node of an upgrade, as it is kept. */
export interface Going {
  readonly node_id: number
  readonly wave: number
  readonly state: NodeState
  readonly release: string
  readonly wish: string
  readonly engines_before: readonly string[]
  readonly had_apply_error: boolean
  readonly told_at: number | null
  readonly due_revision: number | null
}

/** The same node, as it was last heard of. */
export interface Heard {
  readonly last_seen_at: number | null
  readonly agent_release: string | null
  readonly can_upgrade: boolean
  readonly upgrade_wish: string | null
  readonly upgrade_failure: string | null
  readonly ready_engines: readonly string[]
  readonly apply_error: string | null
  readonly applied_revision: number
  readonly desired_revision: number
}

export interface Verdict {
  readonly state: NodeState
  readonly reason?: string | null
  readonly due_revision?: number
}

/** What is worse than before, in a sentence; null when nothing is. */
const trouble = (node: Going, heard: Heard, now: number): string | null => {
  if (!isHeard(heard.last_seen_at, now)) return 'is not heard of any more'
  const lost = node.engines_before.filter((engine) => !heard.ready_engines.includes(engine))
  if (lost.length > 0) return `does not run ${lost.join(', ')} any more`
  if (heard.apply_error !== null && !node.had_apply_error)
    return `cannot apply its state: ${heard.apply_error}`
  return null
}

/** Before it is told. Undefined: it may be. */
export const judgeBefore = (node: Going, heard: Heard, now: number): Verdict | undefined => {
  if (!isHeard(heard.last_seen_at, now)) return { state: 'skipped', reason: 'is offline' }
  if (heard.agent_release === node.release) return { state: 'done', reason: 'runs it already' }
  if (!heard.can_upgrade) return { state: 'skipped', reason: 'needs the line of the installer by hand, once' }
  return undefined
}

/** Back with the new release: as well as before, and up to date with what was wanted of it when it came. */
const judgeReturned = (node: Going, heard: Heard, now: number, isLate: boolean): Verdict => {
  const due = node.due_revision ?? heard.desired_revision
  const behind = heard.applied_revision < due ? 'has not applied its state' : null
  const problem = trouble(node, heard, now) ?? behind
  if (problem === null) return { state: 'done', reason: null, due_revision: due }
  if (isLate) return { state: 'ill', reason: problem }
  return { state: 'upgrading', due_revision: due }
}

const minutes = patienceSeconds / 60

/** Of one that was told; `isStopped` when the upgrade goes on no longer. */
export const judgeOnTheWay = (node: Going, heard: Heard, now: number, isStopped: boolean): Verdict => {
  const toldAt = node.told_at ?? now
  const isLate = now - toldAt > patienceSeconds
  if (heard.agent_release === node.release) return judgeReturned(node, heard, now, isLate)
  if (heard.upgrade_wish === node.wish) {
    if (heard.upgrade_failure !== null) return { state: 'ill', reason: heard.upgrade_failure }
    if (!isLate) return { state: 'upgrading' }
    const runs = heard.agent_release ? `; it runs ${heard.agent_release}` : ''
    return { state: 'ill', reason: `did not come with the release within ${minutes} minutes${runs}` }
  }
  if (isStopped && node.state === 'told' && now - toldAt > unseenSeconds) return { state: 'waiting' }
  if (isLate) return { state: 'ill', reason: `did not begin within ${minutes} minutes` }
  return { state: node.state }
}

/** Of one that was done, for as long as its wave is looked at. What is not known yet, as just after a start, is no trouble. */
export const judgeDone = (node: Going, heard: Heard, now: number): Verdict => {
  // It had it before anybody asked.
  if (node.told_at === null) return { state: 'done' }
  if (heard.agent_release !== null && heard.agent_release !== node.release)
    return { state: 'ill', reason: `runs ${heard.agent_release} again` }
  const problem = trouble(node, heard, now)
  return problem === null ? { state: 'done' } : { state: 'ill', reason: problem }
}
