import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import { type upgradeRows, usualPauseSeconds, usualWaves } from '@sallyport/contract/operator/fleet/upgrades'
import type { Handlers } from '../../../core/call.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import { showUpgrades, showUpgradeWithNodes } from '../../../core/upgrades/show.ts'
import { moveUpgradesJob } from '../../../core/upgrades/upgrade-job.ts'
import {
  countNodes,
  findUpgrade,
  insertNodes,
  insertNodesBack,
  insertUpgrade,
  isUnderWay,
  listEnrolled,
  listUpgrades,
  lockUpgrade,
  type Upgrade,
  updateUpgrade,
} from '../../../core/upgrades/upgrades.ts'
import { chooseWaves, type WaveWish } from '../../../core/upgrades/waves.ts'
import type { Db } from '../../../db/client.ts'
import type { AgentKit } from '../../../ports/agent-kit.ts'
import { usualPage } from '../common/search.ts'

/** Agents that are brought to another release, in waves that an operator chooses. */

/** All that may be ill when nodes go back: the rest goes back all the same. */
const anyNumber = 5000

const handedOut = async (kit: AgentKit): Promise<string> => {
  try {
    return await kit.release()
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw conflict('', `the service has no agent to hand out: ${why}`)
  }
}

const requireUpgrade = async (tx: Db, id: number): Promise<Upgrade> => {
  const upgrade = await lockUpgrade(tx, id)
  if (!upgrade) throw new ApiError('NOT_FOUND')
  return upgrade
}

const underWay = () => conflict('', 'another upgrade is under way; stop it first')

const planWaves = async (tx: Db, wishes: readonly WaveWish[], release: string, now: number) => {
  const enrolled = await listEnrolled(tx, release, now)
  const known = new Set(enrolled)
  const unknown = wishes
    .flatMap((wish) => (typeof wish === 'number' ? [] : wish))
    .find((id) => !known.has(id))
  if (unknown !== undefined)
    throw badRequest('waves', `names node ${unknown}, which no agent has enrolled as`)
  const waves = chooseWaves(wishes, enrolled)
  if (waves.length === 0) throw conflict('waves', 'no agent has enrolled yet')
  return waves
}

const noted = ({ state, wave }: Upgrade) => ({ state, wave })

/** Of what stopped only the newest: nodes are elsewhere by now than an older one thinks. */
const requireNewest = async (tx: Db, { id }: Upgrade): Promise<void> => {
  const [newest] = await listUpgrades(tx, { limit: 1, before: undefined })
  if (newest?.id !== id) throw conflict('id', 'was followed by another upgrade; begin a new one')
}

const goOn = async (tx: Db, upgrade: Upgrade): Promise<Upgrade> => {
  const { id, wave, waves } = upgrade
  if (upgrade.state === 'waiting')
    return updateUpgrade(tx, id, {
      state: 'running',
      wave: Math.min(wave + 1, waves),
      wave_over_at: null,
      accepted_ill: 0,
    })
  const counts = await countNodes(tx, [id])
  const ill = counts.find((row) => row.wave === wave && row.state === 'ill')?.count ?? 0
  return updateUpgrade(tx, id, {
    state: 'running',
    stop_reason: null,
    ended_at: null,
    wave_over_at: null,
    accepted_ill: ill,
  })
}

export const upgradeHandlers: Handlers<typeof upgradeRows> = {
  listAgentUpgrades: async ({ db, query: { limit = usualPage, before } }) =>
    showUpgrades(db, await listUpgrades(db, { limit, before })),

  showAgentUpgrade: async ({ db, params: { id } }) => {
    const upgrade = await findUpgrade(db, id)
    if (!upgrade) throw new ApiError('NOT_FOUND')
    return showUpgradeWithNodes(db, upgrade)
  },

  createAgentUpgrade: async ({ agentKit, body, operatorId, now, kick }) => {
    const release = await handedOut(agentKit)
    return async (tx) => {
      const waves = await planWaves(tx, body.waves ?? usualWaves, release, now)
      const upgrade = await insertUpgrade(tx, {
        release,
        waves: waves.length,
        pauseSeconds: body.pause_seconds ?? usualPauseSeconds,
        mostIll: body.most_ill ?? 0,
        isAutomatic: body.automatic ?? true,
        operatorId,
        now,
      })
      if (!upgrade) throw underWay()
      await insertNodes(tx, upgrade, new Map(waves.flatMap((wave, at) => wave.map((id) => [id, at + 1]))))
      kick(moveUpgradesJob)
      const { pause_seconds, most_ill, is_automatic } = upgrade
      const after = { release, waves, pause_seconds, most_ill, automatic: is_automatic }
      return audited(await showUpgradeWithNodes(tx, upgrade), { id: upgrade.id, after })
    }
  },

  stopAgentUpgrade:
    ({ params: { id }, now }) =>
    async (tx) => {
      const before = await requireUpgrade(tx, id)
      if (before.state === 'stopped') return unchanged(await showUpgradeWithNodes(tx, before))
      if (before.state === 'done') throw conflict('id', 'is done; there is nothing to stop')
      const after = await updateUpgrade(tx, id, { state: 'stopped', ended_at: now })
      return audited(await showUpgradeWithNodes(tx, after), { before: noted(before), after: noted(after) })
    },

  continueAgentUpgrade: async ({ agentKit, params: { id }, kick }) => {
    const release = await handedOut(agentKit)
    return async (tx) => {
      const before = await requireUpgrade(tx, id)
      if (before.state === 'running') return unchanged(await showUpgradeWithNodes(tx, before))
      if (before.state === 'done') throw conflict('id', 'is done; there is nothing to go on with')
      await requireNewest(tx, before)
      if (before.release !== null && before.release !== release)
        throw conflict(
          'id',
          `is to release ${before.release}, and the service hands out ${release} now; begin a new one`,
        )
      const after = await goOn(tx, before)
      kick(moveUpgradesJob)
      return audited(await showUpgradeWithNodes(tx, after), { before: noted(before), after: noted(after) })
    }
  },

  takeAgentUpgradeBack:
    ({ params: { id }, operatorId, now, kick }) =>
    async (tx) => {
      const before = await requireUpgrade(tx, id)
      if (isUnderWay(before)) await updateUpgrade(tx, id, { state: 'stopped', ended_at: now })
      const usual = { release: null, waves: 1, pauseSeconds: 0, mostIll: anyNumber, isAutomatic: true }
      const upgrade = await insertUpgrade(tx, { ...usual, backOf: id, operatorId, now })
      if (!upgrade) throw underWay()
      const nodes = await insertNodesBack(tx, upgrade, id)
      if (nodes === 0) throw conflict('id', 'has upgraded nobody; there is nothing to take back')
      kick(moveUpgradesJob)
      return audited(await showUpgradeWithNodes(tx, upgrade), {
        before: noted(before),
        after: { back: upgrade.id, nodes },
      })
    },
}
