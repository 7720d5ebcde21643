import { ApiError, conflict } from '@sallyport/contract/errors'
import type { nodeRows } from '@sallyport/contract/operator/fleet/nodes'
import type { Handlers } from '../../../core/call.ts'
import { createNode, issueEnrolmentToken } from '../../../core/fleet/nodes.ts'
import { removeNode } from '../../../core/fleet/removal.ts'
import { isHeard } from '../../../core/fleet/servers.ts'
import { audited } from '../../../core/kernel/audit.ts'
import type { Bus } from '../../../core/kernel/bus.ts'
import { afterCommit, type Db } from '../../../db/client.ts'
import {
  countDependants,
  type Dependants,
  endKey,
  isBeingMade,
  type LockedNode,
  listNodes,
  lockNode,
} from './queries.ts'

/** Who a node's machine is, and that it is none any more. */

const requireNode = async (tx: Db, id: number): Promise<LockedNode> => {
  const node = await lockNode(tx, id)
  if (!node) throw new ApiError('NOT_FOUND')
  return node
}

/** This instance need not wait for what the database tells all of them. */
const tellHere = (bus: Bus, id: number): void => afterCommit(() => bus.deliver(`auth:n:${id}`))

const many = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const dependence = ({ accesses, customers, options, clouds, machines }: Dependants): string | undefined => {
  if (machines > 0)
    return `${many(machines, 'cloud server')} of customers run here; it goes when they have gone`
  if (accesses > 0) {
    const whose = `${many(accesses, 'configuration')} of ${many(customers, 'customer')}`
    return `its servers carry ${whose}; these have to be elsewhere first`
  }
  if (options > 0)
    return `its servers belong to ${many(options, 'paid option')}; take them out of there first`
  if (clouds > 0) return `${many(clouds, 'cloud')} of the operator’s name it; remove that first`
  return undefined
}

export const nodeHandlers: Handlers<typeof nodeRows> = {
  listNodes: async ({ db, now }) =>
    (await listNodes(db)).map((node) => ({
      ...node,
      is_online: isHeard(node.last_seen_at, now),
    })),

  createNode:
    ({ body, now }) =>
    async (tx) => {
      const { name, address, listen_address: listenAddress = '0.0.0.0' } = body
      const node = await createNode(tx, { name, address, listenAddress }, now)
      const made = { id: node.id, enrolment_token: node.enrolmentToken, expires_at: node.expiresAt }
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
        install: `curl -fsSL ${publicUrl()}/install/agent | SALLYPORT_ENROL_TOKEN=${token} sh`,
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
