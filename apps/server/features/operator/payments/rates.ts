import { ApiError, badRequest } from '@sallyport/contract/errors'
import { type operatorMoney, rateCurrencies } from '@sallyport/contract/operator/money'
import { wholeUnits } from '@sallyport/domain/text/units'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { isFresh, type KeptRate, listRates, lockRate, storeRate } from '../../../core/sales/rates.ts'
import { requireVersion } from '../common/versions.ts'

/** A rate set by hand holds this long when the operator does not say. */
const usualHours = 7 * 24
const rateDecimals = 6

const inRoubles = (microRub: number): number => microRub / 10 ** rateDecimals

const shownRate = (currency: string, rate: KeptRate | undefined, now: number) => ({
  currency,
  rub: rate ? inRoubles(rate.micro_rub) : null,
  source: rate?.source ?? null,
  set_at: rate?.set_at ?? null,
  valid_until: rate?.valid_until ?? null,
  is_fresh: rate !== undefined && isFresh(rate, now),
  version: rate?.version ?? 0,
})

export const rateHandlers: Pick<Handlers<typeof operatorMoney>, 'listRates' | 'setRate'> = {
  listRates: async ({ db, query, now }) => {
    const kept = new Map((await listRates(db)).map((rate) => [rate.currency, rate]))
    return rateCurrencies
      .slice(0, query.limit)
      .map((currency) => shownRate(currency, kept.get(currency), now))
  },

  setRate: ({ params, body, now }) => {
    const { currency } = params
    if (!rateCurrencies.some((known) => known === currency)) throw new ApiError('NOT_FOUND')
    const microRub = wholeUnits(body.rub, rateDecimals)
    if (microRub === undefined) throw badRequest('rub', `must have at most ${rateDecimals} decimals`)
    const { valid_hours: hours = usualHours } = body
    const validUntil = hours === null ? null : now + hours * 3600
    return async (tx) => {
      const before = shownRate(currency, await lockRate(tx, currency), now)
      requireVersion(body.version, before)
      await storeRate(tx, { currency, microRub, source: 'operator', now, validUntil })
      const after = shownRate(currency, await lockRate(tx, currency), now)
      return audited(after, { before, after })
    }
  },
}
