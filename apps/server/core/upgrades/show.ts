import type { Db } from '../../db/client.ts'
import type { NodeState } from './judge.ts'
import { countNodes, listNodesOf, type Upgrade, type WaveCounts } from './upgrades.ts'

/** Upgrades as operators see them. */

type Counts = Record<NodeState, number>

const none: Counts = { waiting: 0, told: 0, upgrading: 0, done: 0, ill: 0, skipped: 0 }

const wavesOf = (upgrade: Upgrade, counted: readonly WaveCounts[]) =>
  Array.from({ length: upgrade.waves }, (_, at) => {
    const own = counted.filter(({ wave }) => wave === at + 1)
    const counts: Counts = { ...none, ...Object.fromEntries(own.map(({ state, count }) => [state, count])) }
    return { wave: at + 1, nodes: own.reduce((sum, { count }) => sum + count, 0), ...counts }
  })

const shown = (upgrade: Upgrade, counted: readonly WaveCounts[]) => {
  const { waves: _number, wave_over_at: overAt, accepted_ill: _ill, is_automatic, ...fields } = upgrade
  const isLookedAt = upgrade.state === 'running' && overAt !== null
  return {
    ...fields,
    waves: wavesOf(upgrade, counted),
    automatic: is_automatic,
    next_wave_at: isLookedAt ? overAt + upgrade.pause_seconds : null,
  }
}

export const showUpgrades = async (db: Db, upgrades: readonly Upgrade[]) => {
  const counted = await countNodes(
    db,
    upgrades.map(({ id }) => id),
  )
  return upgrades.map((upgrade) =>
    shown(
      upgrade,
      counted.filter((row) => row.upgrade_id === upgrade.id),
    ),
  )
}

export const showUpgradeWithNodes = async (db: Db, upgrade: Upgrade) => ({
  ...shown(upgrade, await countNodes(db, [upgrade.id])),
  nodes: await listNodesOf(db, upgrade.id),
})
