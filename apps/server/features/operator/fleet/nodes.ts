import { ApiError, conflict } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { nodeRows } from '@sallyport/contract/operator/fleet/nodes'
import { nodeKinds } from '@sallyport/domain/vpn/node-kinds'
import type { Handlers } from '../../../core/call.ts'
import { isCustomersNode } from '../../../core/fleet/node-owners.ts'
import { createNode, issueEnrolmentToken } from '../../../core/fleet/nodes.ts'
import { touchNode } from '../../../core/fleet/placements.ts'
import { removeNode } from '../../../core/fleet/removal.ts'
import { isHeard } from '../../../core/fleet/servers.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import type { Bus } from '../../../core/kernel/bus.ts'
import {
  type ChangedPlace,
  holdDependants,
  lockNodesOf,
  tellDependants,
} from '../../../core/vpn/operations/dependent-accesses.ts'
import { afterCommit, type Db } from '../../../db/client.ts'
import type { AgentKit } from '../../../ports/agent-kit.ts'
import { installLine } from '../common/install-line.ts'
import { pageIn, wholeOrPage } from '../common/pages.ts'
import { requireVersion } from '../common/versions.ts'
import { dependence } from './dependants.ts'
import {
  countDependants,
  endKey,
  findNode,
  isBeingMade,
  type LockedNode,
  listNodes,
  lockNode,
  lockNodeRow,
  type NodeRow,
  updateNode,
} from './queries.ts'

/** Who a node's machine is, and that it is none any more. */

const requireNode = async (tx: Db, id: number): Promise<LockedNode> => {
  const node = await lockNode(tx, id)
  if (!node) throw new ApiError('NOT_FOUND')
  return node
}

/** This instance need not wait for what the database tells all of them. */
const tellHere = (bus: Bus, id: number): void => afterCommit(() => bus.deliver(`auth:n:${id}`))

interface Looking {
  readonly now: number
  readonly agentKit: AgentKit
}

const shown = (node: NodeRow, { now, agentKit }: Looking) => ({
  ...node,
  is_online: isHeard(node.last_seen_at, now),
  newest_release: agentKit.known(),
})

const showNode = async (db: Db, id: number, looking: Looking) => {
  const node = await findNode(db, id)
  if (!node) throw new ApiError('NOT_FOUND')
  return shown(node, looking)
}

type Changed = Omit<BodyOf<typeof nodeRows.changeNode>, 'version'>

/** Bridges know the address of their ends, and what has a port of its own was told where to listen. */
const moved = (nodeId: number, { address, listen_address: listen }: Changed): ChangedPlace => ({
  of: { nodeId },
  personal: listen === undefined ? null : 'ports',
  isReachedAnew: address !== undefined,
})

const noted = ({ name, address, listen_address }: NodeRow) => ({ name, address, listen_address })

export const nodeHandlers: Handlers<typeof nodeRows> = {
  listNodes: async ({ db, query, now, agentKit }) => {
    const { only } = query
    const nodes = await listNodes(db, only === undefined ? pageIn(query) : undefined)
    const all = nodes.map((node) => shown(node, { now, agentKit }))
    return only === undefined ? all : wholeOrPage(all.filter(nodeKinds[only]), query)
  },

  showNode: ({ db, params: { id }, now, agentKit }) => showNode(db, id, { now, agentKit }),

  changeNode:
    ({ vault, bus, agentKit, params: { id }, body, now }) =>
    async (tx) => {
      const looking = { now, agentKit }
      const { version, ...changes } = body
      const held = await holdDependants(tx, moved(id, changes))
      await lockNodesOf(tx, held, id)
      await lockNodeRow(tx, id)
      const before = await showNode(tx, id, looking)
      requireVersion(version, before)
      if (changes.address !== undefined && (await isCustomersNode(tx, id))) {
        throw conflict('address', 'comes with the machine, which is a customer’s')
      }
      if (!(await updateNode(tx, id, changes))) throw conflict('name', 'is the name of another node')
      const changed = await showNode(tx, id, looking)
      if (changed.version === before.version) return unchanged(changed)
      if (changed.listen_address !== before.listen_address) await touchNode(tx, bus, id)
      await tellDependants(tx, { vault, bus, now }, held)
      return audited(await showNode(tx, id, looking), { before: noted(before), after: noted(changed) })
    },

  createNode:
    ({ body, publicUrl, now }) =>
    async (tx) => {
      const { name, address, listen_address: listenAddress = '0.0.0.0' } = body
      const node = await createNode(tx, { name, address, listenAddress }, now)
      const { id, enrolmentToken: token, expiresAt } = node
      const install = installLine(publicUrl(), token)
      const made = { id, enrolment_token: token, expires_at: expiresAt, install }
      return audited(made, { id: node.id, after: body })
    },

  createEnrolment:
    ({ bus, params: { id }, publicUrl, now }) =>
    async (tx) => {
      await requireNode(tx, id)
      if (await isBeingMade(tx, id)) {
        throw conflict('id', 'is a customer’s machine that is still being made, and has its own token')
      }
      const { enrolmentToken: token, expiresAt } = await issueEnrolmentToken(tx, id, now)
      await endKey(tx, id)
      tellHere(bus, id)
      const enrolment = {
        enrolment_token: token,
        expires_at: expiresAt,
        install: installLine(publicUrl(), token),
      }
      return audited(enrolment, { after: { expires_at: expiresAt } })
    },

  deleteNode:
    ({ bus, params: { id } }) =>
    async (tx) => {
      const { name, address } = await requireNode(tx, id)
      const problem = dependence(await countDependants(tx, id))
      if (problem) throw conflict('id', problem)
      await removeNode(tx, bus, id)
      tellHere(bus, id)
      return audited(true, { before: { name, address }, after: null })
    },
}
