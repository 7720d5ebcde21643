import { ApiError } from '@sallyport/contract/errors'
import { type Db, inTransaction } from '../../db/client.ts'
import type { Log } from '../../ports/log.ts'
import { notify } from '../kernel/notifications.ts'
import { payInside, type Till } from '../sales/checkout.ts'
import { type Quote, quoteFromBalance } from '../sales/prices.ts'
import { type DueRenewal, findUntriedRenewals, holdDueRenewal, noteRenewalTry } from './auto-renewal.ts'

/** A day before the end, from the balance, at the customer's price that day, once for each period. */

const nameOf = (config: DueRenewal) => ({
  ru: config.title ?? config.location_ru,
  en: config.title ?? config.location_en,
})

const failed = (tx: Db, config: DueRenewal, quoted: Quote | undefined, now: number): Promise<void> => {
  const { ru, en } = nameOf(config)
  const why = quoted
    ? {
        ru: `на балансе меньше ${quoted.price.charged} ₽. Пополните баланс: попробуем снова через 6 часов.`,
        en: `the balance is below ${quoted.price.charged} RUB. Top it up: we try again in 6 hours.`,
      }
    : {
        ru: `тарифа на ${config.days} дн. больше нет. Продлите вручную.`,
        en: `there is no tariff of ${config.days} days any more. Renew it yourself.`,
      }
  return notify(tx, {
    userId: config.user_id,
    cause: `auto-renewal:config:${config.id}:${config.expires_at}:failed`,
    ru: `Автопродление «${ru}» не удалось: ${why.ru}`,
    en: `"${en}" was not renewed automatically: ${why.en}`,
    now,
  })
}

const done = (tx: Db, config: DueRenewal, quoted: Quote, now: number): Promise<void> => {
  const { ru, en } = nameOf(config)
  return notify(tx, {
    userId: config.user_id,
    cause: `auto-renewal:config:${config.id}:${config.expires_at}:done`,
    ru: `«${ru}» продлена на ${config.days} дн., с баланса списано ${quoted.price.charged} ₽.`,
    en: `"${en}" was renewed for ${config.days} days; ${quoted.price.charged} RUB were taken from the balance.`,
    now,
  })
}

export type RenewalTill = Omit<Till, 'now'> & {
  readonly db: Db
  readonly log: Log
  readonly stopping: AbortSignal
}

interface Attempt {
  config?: DueRenewal
  quoted?: Quote | undefined
}

/** False when nothing is due. What it got to is left in `attempt`, for when it fails. */
const tryNext = (
  at: RenewalTill,
  attempt: Attempt,
  except: readonly number[],
  now: number,
): Promise<boolean> =>
  inTransaction(at.db, async (tx) => {
    const config = await holdDueRenewal(tx, now, except)
    if (!config) return false
    attempt.config = config
    const { id, user_id: userId, days, expires_at: periodEnd } = config
    const quoted = await quoteFromBalance(tx, { ...at, userId, now }, 'configs', days)
    attempt.quoted = quoted
    await noteRenewalTry(tx, id, now)
    if (!quoted) {
      await failed(tx, config, quoted, now)
      return true
    }
    const basket = {
      userId,
      product: 'configs',
      purchase: {},
      itemId: id,
      isRenewal: true,
      asKey: false,
    } as const
    await payInside(tx, { ...at, now }, { ...basket, periodEnd }, quoted)
    await done(tx, config, quoted, now)
    return true
  })

/** The attempt was undone together with its note, so the note is made again. */
const noteShortage = (
  at: RenewalTill,
  config: DueRenewal,
  quoted: Quote | undefined,
  now: number,
): Promise<void> =>
  inTransaction(at.db, async (tx) => {
    await noteRenewalTry(tx, config.id, now)
    await failed(tx, config, quoted, now)
  })

/** Returns those that failed or were passed over for no fault of the customer: the next round tries them again. */
export const renewAutomatically = async (at: RenewalTill, now: number): Promise<readonly number[]> => {
  const failures: number[] = []
  while (!at.stopping.aborted) {
    const attempt: Attempt = {}
    try {
      if (!(await tryNext(at, attempt, failures, now))) break
    } catch (error) {
      const { config, quoted } = attempt
      if (!config) throw error
      if (error instanceof ApiError && error.code === 'INSUFFICIENT_BALANCE') {
        await noteShortage(at, config, quoted, now)
      } else {
        failures.push(config.id)
        at.log.error({ err: error, configId: config.id }, 'an automatic renewal failed; it is tried again')
      }
    }
  }
  return [...failures, ...(await findUntriedRenewals(at.db, now))]
}
