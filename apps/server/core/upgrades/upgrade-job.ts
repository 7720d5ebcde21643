import { afterCommit, type Db, inTransaction } from '../../db/client.ts'
import type { AgentKit } from '../../ports/agent-kit.ts'
import type { Log } from '../../ports/log.ts'
import { matchAlerts } from '../kernel/alerts.ts'
import type { Bus } from '../kernel/bus.ts'
import type { Job } from '../kernel/jobs.ts'
import { judgeBefore, judgeDone, judgeOnTheWay, type Verdict } from './judge.ts'
import { type GoingAndHeard, listBusy, readNodes, storeVerdict, tell } from './nodes.ts'
import { findStopped, listMoving, lockUpgrade, type Upgrade, updateUpgrade } from './upgrades.ts'

/** Moves upgrades on. What is due stands in the rows: whoever is killed leaves it to others, and two at once do nothing twice. */

interface Parts {
  readonly db: Db
  readonly bus: Bus
  readonly log: Log
  readonly agentKit: AgentKit
}

/** Told at the same time: they fetch from this service, and one that is ill is noticed before the rest of a large wave is told. */
const mostAtOnce = 20

const onTheWay = ({ state }: { readonly state: string }): boolean => state === 'told' || state === 'upgrading'

const verdictOf = (node: GoingAndHeard, upgrade: Upgrade, now: number): Verdict | undefined => {
  if (onTheWay(node)) return judgeOnTheWay(node, node, now, upgrade.state === 'stopped')
  const isWatched = upgrade.state !== 'stopped' && node.wave === upgrade.wave
  return node.state === 'done' && isWatched ? judgeDone(node, node, now) : undefined
}

/** As they are after what was heard of them. */
const judgeAll = async (tx: Db, upgrade: Upgrade, now: number): Promise<GoingAndHeard[]> => {
  const nodes = await readNodes(tx, upgrade.id, upgrade.wave)
  return Promise.all(
    nodes.map(async (node) => {
      const verdict = verdictOf(node, upgrade, now)
      if (!verdict || (verdict.state === node.state && (verdict.due_revision ?? null) === node.due_revision))
        return node
      await storeVerdict(tx, upgrade.id, node.node_id, { ...verdict, now })
      return { ...node, ...verdict, due_revision: verdict.due_revision ?? node.due_revision }
    }),
  )
}

/** Tells as many as may be on the way at once; some need not or cannot be told. */
const tellNext = async (
  tx: Db,
  bus: Bus,
  { upgrade, nodes, now }: { upgrade: Upgrade; nodes: readonly GoingAndHeard[]; now: number },
): Promise<void> => {
  const waiting = nodes.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return
  const busy = await listBusy(
    tx,
    waiting.map((node) => node.node_id),
  )
  let room = mostAtOnce - nodes.filter(onTheWay).length
  for (const node of waiting) {
    if (busy.has(node.node_id)) continue
    const verdict = judgeBefore(node, node, now)
    if (verdict) {
      await storeVerdict(tx, upgrade.id, node.node_id, { ...verdict, now })
      continue
    }
    if (room <= 0) continue
    room--
    await tell(tx, upgrade.id, node, now)
    const message = `node:${node.node_id}`
    await bus.publish(tx, message)
    afterCommit(() => bus.deliver(message))
  }
}

const stopReason = (ill: number, { wave, most_ill: most }: Upgrade): string =>
  `${ill} of wave ${wave} ill, and ${most} may be`

/** Whoever is told would ask for what the service does not have, and fail. Null before it knows what it hands out. */
const missingReason = ({ release }: Upgrade, handedOut: string | null): string | undefined =>
  release === null || handedOut === null || handedOut === release
    ? undefined
    : `the service hands out ${handedOut} now; begin a new one`

/** What follows when every node of a wave has come to an end, and was looked at for long enough. */
const endWave = (upgrade: Upgrade, now: number): Partial<Upgrade> => {
  if (upgrade.wave === upgrade.waves) return { state: 'done', ended_at: now }
  if (!upgrade.is_automatic) return { state: 'waiting' }
  return { wave: upgrade.wave + 1, wave_over_at: null, accepted_ill: 0 }
}

/** True when there may be more to do at once. */
const moveOne = (parts: Parts, id: number, now: number): Promise<boolean> =>
  inTransaction(parts.db, async (tx) => {
    const upgrade = await lockUpgrade(tx, id)
    if (!upgrade) return false
    const nodes = await judgeAll(tx, upgrade, now)
    if (upgrade.state === 'stopped' || upgrade.state === 'done') return false
    const wave = nodes.filter((node) => node.wave === upgrade.wave)
    const ill = wave.filter(({ state }) => state === 'ill').length
    if (ill - upgrade.accepted_ill > upgrade.most_ill) {
      await updateUpgrade(tx, id, { state: 'stopped', stop_reason: stopReason(ill, upgrade), ended_at: now })
      return false
    }
    const missing = missingReason(upgrade, parts.agentKit.known())
    if (missing !== undefined) {
      await updateUpgrade(tx, id, { state: 'stopped', stop_reason: missing, ended_at: now })
      return false
    }
    if (upgrade.state === 'waiting') return false
    await tellNext(tx, parts.bus, { upgrade, nodes, now })
    const after = await readNodes(tx, id, upgrade.wave)
    if (after.some((node) => node.state === 'waiting' || onTheWay(node))) return false
    const overAt = upgrade.wave_over_at ?? now
    const isSeen = now >= overAt + upgrade.pause_seconds
    const next = isSeen ? endWave(upgrade, now) : { wave_over_at: overAt }
    if (isSeen || upgrade.wave_over_at === null) await updateUpgrade(tx, id, next)
    return next.wave !== undefined
  })

/** Known before anybody asks where agents are that came by the installer. */
const prepareKit = async ({ db, agentKit, log }: Parts): Promise<void> => {
  if (agentKit.known() !== null) return
  const installed = await db
    .selectFrom('node_status')
    .select('node_id')
    .where('agent_release', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (!installed) return
  agentKit
    .release()
    .catch((err: unknown) => log.warn({ err }, 'what nodes are installed from could not be prepared'))
}

export const moveUpgrades = async (parts: Parts, now: number): Promise<void> => {
  await prepareKit(parts)
  for (const id of await listMoving(parts.db)) {
    while (await moveOne(parts, id, now));
  }
  await inTransaction(parts.db, async (tx) => matchAlerts(tx, 'upgrade_stopped', await findStopped(tx), now))
}

export const moveUpgradesJob: Job<Parts> = { name: 'upgrade agents', everySeconds: 5, run: moveUpgrades }
