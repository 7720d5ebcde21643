import { ApiError, badRequest, conflict } from '@sallyport/contract/errors'
import type { BodyOf } from '@sallyport/contract/operation'
import type { operatorPaidOptions } from '@sallyport/contract/operator/paid-options'
import { shown } from '@sallyport/domain/money/money'
import type { Handlers } from '../../../core/call.ts'
import { type Db, inTransaction } from '../../../db/client.ts'
import { unitsOf } from '../common/amounts.ts'
import { audit } from '../common/queries.ts'
import {
  holdOptionRow,
  insertOption,
  listCurrencies,
  listFitting,
  type OptionRow,
  raiseOption,
  readOptions,
  storeServers,
  storeTariffs,
  type TariffPrice,
  updateOption,
} from './queries.ts'

type CreateBody = BodyOf<typeof operatorPaidOptions.createOption>
type Tariffs = CreateBody['tariffs']

const shownOption = (row: OptionRow) => ({
  ...row,
  tariffs: row.tariffs.map(({ id, days, prices }) => ({
    id,
    days,
    prices: prices.map(({ payment_method_id, currency, price, old_price }) => ({
      payment_method_id,
      price: shown(price, currency),
      ...(old_price !== null && { old_price: shown(old_price, currency) }),
    })),
  })),
})

const readOne = async (tx: Db, id: number) => shownOption((await readOptions(tx, id))[0] as OptionRow)

const checkedTariffs = async (tx: Db, tariffs: Tariffs) => {
  const currencies = await listCurrencies(tx)
  if (new Set(tariffs.map((tariff) => tariff.days)).size < tariffs.length) {
    throw badRequest('tariffs', 'names a length twice')
  }
  return tariffs.map(({ days, prices }, n) => ({
    days,
    prices: prices.map(({ payment_method_id, price, old_price }, m): TariffPrice => {
      const path = `tariffs/${n}/prices/${m}`
      const currency = currencies.get(payment_method_id)
      if (currency === undefined) throw badRequest(`${path}/payment_method_id`, 'is no payment method')
      if (prices.findIndex((other) => other.payment_method_id === payment_method_id) < m) {
        throw badRequest(`${path}/payment_method_id`, 'is named twice')
      }
      const units = unitsOf(`${path}/price`, price, currency)
      const old = old_price === undefined ? null : unitsOf(`${path}/old_price`, old_price, currency)
      if (old !== null && old <= units) throw badRequest(`${path}/old_price`, 'must be more than the price')
      return { payment_method_id, price: units, old_price: old }
    }),
  }))
}

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
      await storeTariffs(tx, id, checked)
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
      if (tariffs !== undefined) await storeTariffs(tx, params.id, await checkedTariffs(tx, tariffs))
      const subject = `paid_option:${params.id}`
      await audit(tx, { operatorId, action: 'option.change', subject, details: body, now })
      return readOne(tx, params.id)
    }),
}
