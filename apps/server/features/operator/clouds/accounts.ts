import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { operatorClouds } from '@sallyport/contract/operator/clouds'
import type { Handlers } from '../../../core/call.ts'
import { type CloudKind, cloudTokenContext, openCloudOf } from '../../../core/clouds/accounts.ts'
import { many } from '../../../core/fleet/change-server.ts'
import { isOperatorsNode } from '../../../core/fleet/node-owners.ts'
import { audited } from '../../../core/kernel/audit.ts'
import type { Db } from '../../../db/client.ts'
import { CloudRefusal, CloudUnreachable } from '../../../ports/clouds.ts'
import { customersOn } from '../common/dependants.ts'
import { wholeOrPage } from '../common/pages.ts'
import { requireVersion } from '../common/versions.ts'
import {
  type CloudRow,
  type CloudUse,
  insertCloud,
  lockCloud,
  readClouds,
  readCloudUse,
  removeCloud,
  updateCloud,
} from './queries.ts'

/** Where machines come from. */

type NewCloud = BodyOf<typeof operatorClouds.createCloud>

export const isProvider = (kind: CloudKind): boolean => kind === 'hetzner' || kind === 'digitalocean'

const titleTaken = () => conflict('title', 'is, or was, the title of another one')

/** What has to go before the cloud can. */
const dependence = ({ machines, customers, configurations }: CloudUse): string | undefined => {
  if (machines > 0) {
    const come = machines === 1 ? 'comes' : 'come'
    return customersOn(
      customers,
      `${many(machines, 'cloud server')} ${come} from there; it goes when they have gone`,
    )
  }
  if (configurations.length === 0) return undefined
  const named = configurations.map(({ id, title }) => `${id} “${title}”`).join(', ')
  return `is offered by ${configurations.length === 1 ? 'configuration' : 'configurations'} ${named}; take the offers out first`
}

const requireNoToken = (kind: CloudKind, token: string | undefined): void => {
  if (token !== undefined && !isProvider(kind)) throw badRequest('token', `is not for the kind ${kind}`)
}

const checkCloud = async (tx: Db, { kind, token, node_id: nodeId }: NewCloud): Promise<void> => {
  requireNoToken(kind, token)
  if (isProvider(kind) && token === undefined) throw badRequest('token', `is required for the kind ${kind}`)
  if (kind !== 'local') {
    if (nodeId !== undefined) throw badRequest('node_id', 'is only for the kind local')
    return
  }
  if (nodeId === undefined) throw badRequest('node_id', 'is required for the kind local')
  if (!(await isOperatorsNode(tx, nodeId))) throw badRequest('node_id', 'is no node of yours')
}

const readOne = async (tx: Db, id: number): Promise<CloudRow> => (await readClouds(tx, id))[0] as CloudRow

/** What a provider itself says is left out: it may repeat what it was sent. */
const explain = (error: unknown): never => {
  const unavailable = (problem: string, seconds?: number) =>
    new ApiError('UNAVAILABLE', [{ path: 'id', problem }], seconds)
  if (error instanceof CloudUnreachable) {
    throw unavailable('the provider does not answer; try again in a minute, and look at its status page')
  }
  if (!(error instanceof CloudRefusal)) throw error
  if (error.kind === 'account') {
    const remedy = 'make one that may read and write there and give it with PATCH /clouds/:id'
    throw badRequest('id', `the provider refuses the token of this one; ${remedy}`)
  }
  if (error.kind === 'rate') {
    throw unavailable('the provider was asked too often; try again later', error.retryAfterSeconds)
  }
  throw unavailable(`the provider refuses to answer (${error.kind}); look at the account there`)
}

export const cloudAccountHandlers: Pick<
  Handlers<typeof operatorClouds>,
  'listClouds' | 'createCloud' | 'changeCloud' | 'deleteCloud' | 'listMachineTypes'
> = {
  listClouds: async ({ db, query }) => wholeOrPage(await readClouds(db, null), query),

  createCloud:
    ({ vault, body, now }) =>
    async (tx) => {
      await checkCloud(tx, body)
      const { token } = body
      const id = await insertCloud(tx, {
        kind: body.kind,
        title: body.title,
        token_sealed: token === undefined ? null : vault.seal(token, cloudTokenContext),
        node_id: body.node_id ?? null,
        created_at: now,
      })
      if (id === undefined) throw titleTaken()
      const after = await readOne(tx, id)
      return audited(after, { id, after })
    },

  changeCloud:
    ({ vault, params, body }) =>
    async (tx) => {
      const cloud = await lockCloud(tx, params.id)
      if (!cloud) throw new ApiError('NOT_FOUND')
      const before = await readOne(tx, params.id)
      const { token, version, ...fields } = body
      requireVersion(version, before)
      requireNoToken(cloud.kind, token)
      const sealed = token === undefined ? {} : { token_sealed: vault.seal(token, cloudTokenContext) }
      if (!(await updateCloud(tx, params.id, { ...fields, ...sealed }))) throw titleTaken()
      const after = await readOne(tx, params.id)
      const details = token === undefined ? {} : { has_new_token: true }
      return audited(after, { before, after, details })
    },

  deleteCloud:
    ({ params: { id }, now }) =>
    async (tx) => {
      if (!(await lockCloud(tx, id))) throw new ApiError('NOT_FOUND')
      const problem = dependence(await readCloudUse(tx, id))
      if (problem) throw conflict('id', problem)
      const before = await readOne(tx, id)
      await removeCloud(tx, id, now)
      return audited(true, { before, after: null })
    },

  listMachineTypes: async (call) => {
    const cloud = await openCloudOf(call.db, call, call.params.id)
    if (!cloud) throw new ApiError('NOT_FOUND')
    const offers = await cloud.provider.offers().catch(explain)
    return offers.slice(0, call.query.limit).map((offer) => ({
      region: offer.region,
      type: offer.type,
      title: offer.title,
      cores: offer.cores,
      memory_mb: offer.memoryMb,
      disk_gb: offer.diskGb,
      monthly_cost: offer.monthlyCost / 100,
      currency: offer.currency,
      is_in_stock: offer.isInStock,
    }))
  },
}
