import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { Handlers } from '../../../core/call.ts'
import { audited, unchanged } from '../../../core/kernel/audit.ts'
import type { Db } from '../../../db/client.ts'
import { customersOn } from '../common/dependants.ts'
import { wholeOrPage } from '../common/pages.ts'
import { type PayableMethods, payableMethods } from '../common/payable-methods.ts'
import { storeTariffs } from '../common/tariff-queries.ts'
import { checkedTariffs, shownTariffs } from '../common/tariffs.ts'
import { isSame, requireVersion } from '../common/versions.ts'
import {
  countHaving,
  insertOption,
  listFitting,
  listOffering,
  lockOptionRow,
  type OptionRow,
  raiseOption,
  raiseVersion,
  readOptions,
  storeServers,
  updateOption,
} from './queries.ts'
import { optionProblem } from './sale-problem.ts'

const shownOption = ({ shut, ...row }: OptionRow, methods: PayableMethods) => {
  const tariffs = shownTariffs(row.tariffs, methods)
  return { ...row, tariffs, problem: optionProblem({ servers: row.servers, shut }, tariffs) }
}

const readOne = async (tx: Db, id: number, methods: PayableMethods) =>
  shownOption((await readOptions(tx, id))[0] as OptionRow, methods)

type Limits = Pick<OptionRow, 'device_limit' | 'traffic_limit' | 'most_devices' | 'most_traffic'>

const noLimits: Limits = { device_limit: 0, traffic_limit: 0, most_devices: 0, most_traffic: 0 }

/** The limits that an operator gives are the most that customers can set, until another most is said. */
const limitsAfter = (before: Limits, given: Partial<Limits>): Limits => {
  const { device_limit = before.device_limit, traffic_limit = before.traffic_limit } = given
  const most_devices = before.most_devices === before.device_limit ? device_limit : before.most_devices
  const most_traffic = before.most_traffic === before.traffic_limit ? traffic_limit : before.most_traffic
  return {
    device_limit,
    traffic_limit,
    most_devices: given.most_devices ?? most_devices,
    most_traffic: given.most_traffic ?? most_traffic,
  }
}

/** What a subscription begins with is within what its customer may set. */
const requireWithinMost = (limits: Limits): Limits => {
  const pairs = [
    ['device_limit', limits.device_limit, limits.most_devices],
    ['traffic_limit', limits.traffic_limit, limits.most_traffic],
  ] as const
  for (const [path, limit, most] of pairs) {
    if (most > 0 && (limit === 0 || limit > most)) {
      throw badRequest(path, `is more than customers may set themselves, which is ${most}`)
    }
  }
  return limits
}

const requireFitting = async (
  tx: Db,
  ids: readonly number[],
  protocol: string,
  optionId: number | null = null,
): Promise<void> => {
  const fitting = await listFitting(tx, ids, protocol, optionId)
  const wrong = ids.find((id) => !fitting.has(id))
  if (wrong !== undefined) {
    const isClosed = (await listOffering(tx, [wrong], protocol)).length > 0
    if (isClosed) throw conflict('server_ids', `${wrong} does not sell; open it first, or take another`)
    throw badRequest('server_ids', `${wrong} is no server of yours that offers ${protocol}`)
  }
}

interface Wish {
  readonly server_ids?: readonly number[]
  readonly is_active?: boolean
}

/** One without servers is not on sale, and nobody has it: nobody's configurations would have a place. */
const requireServers = async (
  tx: Db,
  before: Pick<OptionRow, 'id' | 'is_active' | 'servers'>,
  wish: Wish,
): Promise<void> => {
  const { server_ids: serverIds, is_active: isActive = before.is_active } = wish
  if ((serverIds ?? before.servers).length > 0) return
  if (wish.is_active) throw conflict('is_active', 'needs servers; name them in server_ids')
  if (serverIds === undefined) return
  if (isActive) throw conflict('server_ids', 'is empty, and the option is on sale; take it off sale first')
  const customers = await countHaving(tx, before.id)
  if (customers === 0) return
  const what = 'they have it or can renew it, and it keeps a server as long as they do'
  throw conflict('server_ids', customersOn(customers, what))
}

export const optionCatalogueHandlers: Pick<
  Handlers<typeof operatorPaidOptions>,
  'listOptions' | 'createOption' | 'changeOption'
> = {
  listOptions: async (call) => {
    const methods = await payableMethods(call.db, call)
    return wholeOrPage(await readOptions(call.db, null), call.query).map((row) => shownOption(row, methods))
  },

  createOption: (call) => {
    const { body, now } = call
    return async (tx) => {
      const { server_ids: serverIds, tariffs, ...fields } = body
      await requireFitting(tx, serverIds, body.protocol)
      const limits = requireWithinMost(limitsAfter(noLimits, fields))
      const checked = await checkedTariffs(tx, tariffs)
      const id = await insertOption(tx, { ...fields, ...limits, created_at: now })
      if (id === undefined) throw conflict('key', 'belongs to another option')
      await storeServers(tx, id, serverIds)
      await storeTariffs(tx, { product: 'paid_options', productId: id }, checked)
      const made = await readOne(tx, id, await payableMethods(tx, call))
      return audited(made, { id, after: made })
    }
  },

  changeOption: (call) => {
    const { params, body } = call
    return async (tx) => {
      if (!(await lockOptionRow(tx, params.id))) throw new ApiError('NOT_FOUND')
      const methods = await payableMethods(tx, call)
      const before = await readOne(tx, params.id, methods)
      const { server_ids: serverIds, tariffs, version, ...fields } = body
      requireVersion(version, before)
      await requireServers(tx, before, body)
      const ids = serverIds ?? before.servers.map((server) => server.server_id)
      const protocol = body.protocol ?? before.protocol
      if (serverIds !== undefined || protocol !== before.protocol)
        await requireFitting(tx, ids, protocol, params.id)
      await updateOption(tx, params.id, {
        ...fields,
        ...requireWithinMost(limitsAfter(before, fields)),
      })
      const hasMoved = serverIds !== undefined && (await storeServers(tx, params.id, serverIds))
      if (hasMoved || protocol !== before.protocol) await raiseOption(tx, params.id)
      if (tariffs !== undefined) {
        const sold = { product: 'paid_options', productId: params.id } as const
        await storeTariffs(tx, sold, await checkedTariffs(tx, tariffs))
      }
      const stored = await readOne(tx, params.id, methods)
      if (isSame(before, stored)) return unchanged(stored)
      await raiseVersion(tx, params.id)
      const after = { ...stored, version: stored.version + 1 }
      return audited(after, { before, after })
    }
  },
}
