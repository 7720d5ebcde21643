import type { UpgradeWish } from '@sallyport/contract/agent/agent'
import type { LifeNode } from '../../node.ts'
import { nodeOf, type World } from '../../world.ts'

/** Agents that are brought to another release, and back. */

const before = 'aaaaaaaaaaaaaaaa'

const report = async (node: LifeNode, release: string, wish: UpgradeWish | null = null) => {
  const { revision } = await node.poll()
  await node.report({
    applied_revision: revision,
    agent_release: release,
    upgrade: { is_possible: true, wish_id: wish?.id ?? null, failure: null },
  })
}

/** Whatever it was told. */
const follow = async (node: LifeNode): Promise<void> => {
  const { upgrade_to: wish = null } = await node.poll()
  if (wish) await report(node, wish.release, wish)
}

export const upgrading = async (world: World): Promise<void> => {
  const { life, support } = world
  const { operator } = life
  await life.beat()
  const north = nodeOf(world, 'north')
  await report(north, before)
  await life.ask(support, 'showNode', { params: { id: north.id } })
  await life.ask(support, 'createAgentUpgrade', { body: {} })
  await life.ask(operator, 'createAgentUpgrade', { body: { waves: [[999_999_999]] } })
  const body = { waves: [[north.id]], automatic: false, pause_seconds: 60 }
  const { data: made } = await life.ask(operator, 'createAgentUpgrade', { body })
  const params = { id: made.id }
  await life.jobs()
  await life.ask(operator, 'createAgentUpgrade', { body })
  await life.ask(operator, 'stopAgentUpgrade', { params })
  await life.ask(operator, 'continueAgentUpgrade', { params })
  await follow(north)
  await life.jobs()
  await life.ask(support, 'showAgentUpgrade', { params })
  await life.ask(support, 'listAgentUpgrades', { query: { limit: 1 } })
  const { data: back } = await life.ask(operator, 'takeAgentUpgradeBack', { params })
  await life.jobs()
  await follow(north)
  await life.jobs()
  await life.ask(support, 'showAgentUpgrade', { params: { id: back.id } })
  await life.ask(operator, 'continueAgentUpgrade', { params: { id: back.id } })
  await life.ask(support, 'showNode', { params: { id: north.id } })
}
