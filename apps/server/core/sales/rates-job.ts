import { dayOf } from '@sallyport/domain/time/period'
import type { Db } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import type { Rate, RateSource } from '../../ports/rates.ts'
import { raiseAlert } from '../kernel/alerts.ts'
import type { Job } from '../kernel/jobs.ts'
import { freshRates, listRates, storeRate } from './rates.ts'

const validForSeconds = 3600

/** A rate that doubles or halves between two looks is rather a mistake; a person may set it by hand. */
const isJump = (from: number, to: number): boolean => to > from * 1.5 || to < from / 1.5

/** What the source gave for its own currencies, and why the rest is missing. */
const ask = async (source: RateSource): Promise<{ rates: readonly Rate[]; error?: unknown }> => {
  try {
    const rates = await source.fetch()
    return {
      rates: rates.filter(
        ({ currency, microRub }) =>
          source.currencies.includes(currency) && Number.isSafeInteger(microRub) && microRub > 0,
      ),
    }
  } catch (error) {
    return { rates: [], error }
  }
}

interface RateParts {
  readonly db: Db
  readonly log: Log
  readonly source: RateSource
}

/**
 * A source owns its currencies: what the operator set for one of them by hand holds until the next fetch. While the
 * source is silent the last rate is used to its end; after that the operator is told, once a day.
 */
export const refreshRates = async (at: RateParts, now: number): Promise<void> => {
  const { db, log, source } = at
  const { rates, error } = await ask(source)
  const known = await listRates(db)
  for (const { currency, microRub } of rates) {
    const last = known.find((rate) => rate.currency === currency && rate.source === source.name)
    if (last && isJump(last.micro_rub, microRub)) {
      const details = { currency, from: last.micro_rub, to: microRub }
      const subject = `${source.name}:${currency}:${dayOf(now)}`
      await raiseAlert(db, { kind: 'rates_failed', subject, details, now })
      continue
    }
    await storeRate(db, { currency, microRub, source: source.name, now, validUntil: now + validForSeconds })
  }
  const missing = source.currencies.filter((currency) => !rates.some((rate) => rate.currency === currency))
  if (missing.length === 0) return
  log.warn(
    { err: error, source: source.name, currencies: missing },
    'exchange rates did not come; tried again',
  )
  const fresh = await freshRates(db, now)
  const stale = missing.filter((currency) => !fresh.has(currency))
  if (stale.length === 0) return
  await raiseAlert(db, {
    kind: 'rates_failed',
    subject: `${source.name}:${dayOf(now)}`,
    details: {
      currencies: stale,
      reason: error instanceof Error ? error.message : 'the source left them out',
    },
    now,
  })
}

export const refreshRatesJob: Job<RateParts> = { name: 'refresh rates', everySeconds: 300, run: refreshRates }
