import { ApiError, conflict } from '@sallyport/contract/errors'
import { daysText } from '@sallyport/domain/text/counted'
import { secondsInDay } from '@sallyport/domain/time/period'
import Type, { type Static } from 'typebox'
import { notify } from '../../core/kernel/notifications.ts'
import { addLifetime, addUsed, goOnWith, takeMeters } from '../../core/options/merge-traffic.ts'
import { findOption, type Option } from '../../core/options/option-catalogue.ts'
import { lockOption, lockOptionToBuy, nextItem } from '../../core/options/option-ownership.ts'
import { eraseSubscriptions, openSubscription } from '../../core/options/option-terms.ts'
import { placeConfigsOnServers, syncConfigsToServers } from '../../core/options/sync-configs-to-servers.ts'
import { applyQuota, restartPeriod } from '../../core/options/traffic-usage.ts'
import { requireWish } from '../../core/sales/gift-wishes.ts'
import {
  type GiftWish,
  type GrantContext,
  type PaidOrder,
  type Product,
  purchaseReader,
} from '../../core/sales/products.ts'
import { prolongTerm, renewalDays } from '../../core/terms/extend-term.ts'
import { forgetReminders } from '../../core/terms/reminders.ts'
import { soldForATime } from '../../core/terms/sold-for-a-time.ts'
import type { SoldForATime, TermProduct } from '../../core/terms/term-product.ts'
import {
  insertOnlyTerm,
  lockTermOfItem,
  readTerm,
  type Term,
  updateAndTell,
  updateTerm,
} from '../../core/terms/terms.ts'
import { destroyAccesses, resumeAccesses, switchAccessesOff } from '../../core/vpn/operations/server-slots.ts'
import type { Db } from '../../db/client.ts'
import { namesOf } from './queries.ts'

/** Paid options: a term with a configuration on each server of the option, metered together. */

/** What is kept in the order, of a purchase and of a renewal. */
const OptionPurchase = Type.Object({ enableAutoRenewal: Type.Optional(Type.Boolean()) })
export type OptionPurchase = Static<typeof OptionPurchase>
const readPurchase = purchaseReader<OptionPurchase>(OptionPurchase)

export const soldAs = (optionId: number) => ({ product: 'paid_options', productId: optionId }) as const

const requireKnown = async (tx: Db, id: number | null): Promise<Option> => {
  const option = id === null ? undefined : await findOption(tx, id)
  if (!option) throw new ApiError('NOT_FOUND')
  return option
}

/** Undefined when the customer has it by now. */
const open = async (tx: Db, at: GrantContext, order: PaidOrder): Promise<number | undefined> => {
  const { now } = at
  const option = await requireKnown(tx, order.productId)
  const { enableAutoRenewal = false } = readPurchase(order)
  const made = await insertOnlyTerm(tx, {
    userId: order.userId,
    product: 'paid_options',
    productId: option.id,
    itemId: nextItem,
    autoRenewalDays: enableAutoRenewal ? await renewalDays(tx, soldAs(option.id), order) : null,
    isMetered: true,
    expiresAt: now + order.days * secondsInDay,
    now,
  })
  if (!made) return undefined
  await openSubscription(tx, at, { userId: order.userId, termId: made.id, option })
  await placeConfigsOnServers(tx, at, made.id, option)
  return made.itemId
}

/** The one that this order was to prolong, whoever has it now, or the one that the customer has of this option. */
const lockPresent = async (tx: Db, order: PaidOrder): Promise<Term | undefined> => {
  const item = order.itemId
  const named =
    item === null ? undefined : await lockTermOfItem(tx, { product: 'paid_options', itemId: item })
  return named ?? (await lockOption(tx, order.userId, order.productId as number))
}

/** One that ended a moment ago begins afresh like one that was switched off. */
const prolonged = async (tx: Db, at: GrantContext, term: Term, hadEnded: boolean): Promise<void> => {
  if (!hadEnded) return
  await restartPeriod(tx, term.id, at.now)
  await applyQuota(tx, at, term, await requireKnown(tx, term.product_id))
}

/** Buying again extends, also when two purchases meet, or what was to be prolonged is gone. */
const grant = async (tx: Db, at: GrantContext, order: PaidOrder): Promise<number> => {
  for (;;) {
    const term = await lockPresent(tx, order)
    if (term) return prolongTerm(tx, at, optionTerms, term, order)
    const item = await open(tx, at, order)
    if (item !== undefined) return item
  }
}

/** To one who has it, it is more days, as buying again is. */
const gift = async (tx: Db, wish: GiftWish) => {
  const { product_id: productId, userId } = requireWish('paid_options', wish, ['product_id'])
  const option = await requireKnown(tx, productId)
  const term = await lockOptionToBuy(tx, userId, productId)
  if (!option.is_active && !term) throw conflict('product_id', 'is not on sale; put it on sale first')
  if (term?.paused === 'operator') {
    throw conflict('product_id', 'is switched off for this customer; switch it on first')
  }
  return { productId, itemId: term?.item_id ?? null, isRenewal: term !== undefined, purchase: {} }
}

/** It gave its slots away, and its option may have other servers by now. Counters begin afresh. */
const bringBack = async (tx: Db, at: GrantContext, term: Term): Promise<void> => {
  await restartPeriod(tx, term.id, at.now)
  const paused = term.paused === 'quota' ? null : term.paused
  await updateTerm(tx, term.id, { paused })
  const option = await requireKnown(tx, term.product_id)
  await syncConfigsToServers(tx, at, { ...term, paused }, option, true)
  if (paused === null) await resumeAccesses(tx, at.bus, [term.id])
}

const tellMerged = async (tx: Db, at: GrantContext, into: Term, hadDays: boolean): Promise<void> => {
  const { title_ru, title_en } = await requireKnown(tx, into.product_id)
  const [ru, en] = hadDays
    ? [
        'оставшиеся дни прибавлены к вашим, потраченный трафик сложен',
        'the days that were left are added to yours, and so is the traffic that was used',
      ]
    : ['у перенесённого срок уже истёк', 'the one that was moved had expired']
  await notify(tx, {
    userId: into.user_id,
    cause: `option-merged:${into.id}:${at.now}`,
    ru: `Пакет серверов «${title_ru}» был в обоих аккаунтах: ${ru}. Подключения, добавленные к перенесённому, удалены: добавьте их заново.`,
    en: `Both accounts had the server pack “${title_en}”: ${en}. Connections that were added to the other one are gone; add them again.`,
    now: at.now,
  })
}

/** The days that are left are added, and what was used of the traffic; the rest of the one that goes is forgotten with it. */
const merge = async (tx: Db, at: GrantContext, into: Term, from: Term): Promise<void> => {
  if (from.paused === 'operator') {
    throw conflict('key', 'one of the options there is switched off by the operator; write to support')
  }
  const left = Math.max(0, from.expires_at - at.now)
  await tellMerged(tx, at, into, left > 0)
  const taken = await takeMeters(tx, into, from)
  if (left === 0) return addLifetime(tx, into.id, taken)
  const expiresAt = Math.max(at.now, into.expires_at) + left
  await updateTerm(tx, into.id, { expires_at: expiresAt, renewal_tried_at: null })
  await forgetReminders(tx, into)
  if (into.expires_at > at.now) await addUsed(tx, into.id, taken)
  else {
    await beginAgain(tx, at, into)
    await goOnWith(tx, into.id, taken)
  }
  await applyQuota(tx, at, await readTerm(tx, into.id), await requireKnown(tx, into.product_id))
}

/** It had ended, whether or not somebody has switched it off since. */
const beginAgain = async (tx: Db, at: GrantContext, term: Term): Promise<void> => {
  if (term.state === 'active') return restartPeriod(tx, term.id, at.now)
  await updateAndTell(tx, term.id, { state: 'active' }, 'term.started', at.now)
  await bringBack(tx, at, term)
}

const idsOf = (terms: readonly Term[]): number[] => terms.map((term) => term.id)

export const optionTerms: TermProduct = {
  name: 'paid_options',
  graceSeconds: 14 * secondsInDay,
  words: {
    subject: { ru: 'Пакет серверов', en: 'The server pack' },
    genitive: { ru: 'пакета серверов', en: 'server pack' },
    paid: 'оплачен',
    renewed: 'продлён',
    pronoun: 'Он',
    object: 'его',
  },

  describe: ({ days, isRenewal }) =>
    isRenewal
      ? {
          ru: `Продление пакета на ${daysText(days, 'ru')}`,
          en: `Server pack renewal for ${daysText(days, 'en')}`,
        }
      : { ru: `Пакет серверов на ${daysText(days, 'ru')}`, en: `Server pack for ${daysText(days, 'en')}` },

  grant,
  gift,
  prolonged,
  bringBack,
  switchOff: (tx, at, terms) => switchAccessesOff(tx, at, idsOf(terms)),
  destroy: async (tx, at, terms) => {
    await destroyAccesses(tx, at, terms)
    await eraseSubscriptions(tx, idsOf(terms))
  },
  merge,
  namesOf,
}

/** An order for an option that the customer has meanwhile, or has no longer, is given all the same. */
export const optionProduct: SoldForATime & Product = { ...soldForATime(optionTerms), grant }
