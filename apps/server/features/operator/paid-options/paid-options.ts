import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import type { Handlers } from '../../../core/call.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { audit } from '../common/queries.ts'
import { storeTariffs } from '../common/tariff-queries.ts'
import { checkedTariffs, shownTariffs } from '../common/tariffs.ts'
import {
  holdOptionRow,
  insertOption,
  listFitting,
  type OptionRow,
  raiseOption,
  readOptions,
  storeServers,
  updateOption,
} from './queries.ts'

const shownOption = (row: OptionRow) => ({ ...row, tariffs: shownTariffs(row.tariffs) })

const readOne = async (tx: Db, id: number) => shownOption((await readOptions(tx, id))[0] as OptionRow)

/** What a subscription begins with is within what its customer may set. */
const requireWithinMost = (
  limits: Partial<Pick<OptionRow, 'device_limit' | 'traffic_limit' | 'most_devices' | 'most_traffic'>>,
): void => {
  const pairs = [
    ['device_limit', limits.device_limit ?? 0, limits.most_devices ?? 0],
    ['traffic_limit', limits.traffic_limit ?? 0, limits.most_traffic ?? 0],
  ] as const
  for (const [path, limit, most] of pairs) {
    if (most > 0 && (limit === 0 || limit > most)) {
      throw badRequest(path, `is more than customers may set themselves, which is ${most}`)
    }
  }
}

const requireFitting = async (tx: Db, ids: readonly number[], protocol: string): Promise<void> => {
  const fitting = await listFitting(tx, ids, protocol)
  const wrong = ids.find((id) => !fitting.has(id))
  if (wrong !== undefined) {
    throw badRequest('server_ids', `${wrong} is no server of yours that offers ${protocol}`)
  }
}

export const optionCatalogueHandlers: Pick<
  Handlers<typeof operatorPaidOptions>,
  'listOptions' | 'createOption' | 'changeOption'
> = {
  listOptions: async ({ db }) => (await readOptions(db, null)).map(shownOption),

  createOption: ({ db, operatorId, body, now }) =>
    inTransaction(db, async (tx) => {
      const { server_ids: serverIds, tariffs, ...fields } = body
      await requireFitting(tx, serverIds, body.protocol)
      requireWithinMost(body)
      const checked = await checkedTariffs(tx, tariffs)
      const id = await insertOption(tx, { ...fields, created_at: now })
      if (id === undefined) throw conflict('key', 'belongs to another option')
      await storeServers(tx, id, serverIds)
      await storeTariffs(tx, { product: 'paid_options', id }, checked)
      await audit(tx, {
        operatorId,
        action: 'option.create',
        subject: `paid_option:${id}`,
        details: body,
        now,
      })
      return readOne(tx, id)
    }),

  changeOption: ({ db, operatorId, params, body, now }) =>
    inTransaction(db, async (tx) => {
      if (!(await holdOptionRow(tx, params.id))) throw new ApiError('NOT_FOUND')
      const [before] = await readOptions(tx, params.id)
      const { server_ids: serverIds, tariffs, ...fields } = body
      const ids = serverIds ?? (before as OptionRow).servers.map((server) => server.server_id)
      const protocol = body.protocol ?? (before as OptionRow).protocol
      if (serverIds !== undefined || protocol !== before?.protocol) await requireFitting(tx, ids, protocol)
      requireWithinMost({ ...before, ...fields })
      await updateOption(tx, params.id, fields)
      const hasMoved = serverIds !== undefined && (await storeServers(tx, params.id, serverIds))
      if (hasMoved || protocol !== before?.protocol) await raiseOption(tx, params.id)
      if (tariffs !== undefined) {
        await storeTariffs(tx, { product: 'paid_options', id: params.id }, await checkedTariffs(tx, tariffs))
      }
      const subject = `paid_option:${params.id}`
      await audit(tx, { operatorId, action: 'option.change', subject, details: body, now })
      return readOne(tx, params.id)
    }),
}
