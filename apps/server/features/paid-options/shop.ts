import type { paidOptions } from '@sallyport/contract/customer/paid-options/paid-options'
import type { PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import { ApiError, badRequest } from '@sallyport/contract/errors'
import type { Handlers } from '../../core/call.ts'
import { findOption, listOptions, listServers, type Option } from '../../core/options/option-catalogue.ts'
import { lockOptionToBuy } from '../../core/options/option-ownership.ts'
import { AwaitingLink } from '../../core/sales/awaiting-link.ts'
import { checkout } from '../../core/sales/checkout.ts'
import { offered } from '../../core/sales/offered-prices.ts'
import { paymentOf, paymentProblem } from '../../core/sales/payment-choice.ts'
import { findPricingRules, listPrices } from '../../core/sales/prices.ts'
import { requireRoomOn } from '../../core/vpn/operations/server-slots.ts'
import { type Db, inTransaction } from '../../db/client.ts'
import type { OptionPurchase } from './product.ts'
import { endedOptions, listWithConfigs } from './queries.ts'
import { toEndedOption, toOption } from './shown.ts'

/** Looking and buying. */

/** One that is not sold any more can still be prolonged by those who have it. A key is for anybody. */
const requireOffered = async (tx: Db, userId: number, id: number, asKey: boolean) => {
  const option = await findOption(tx, id)
  const term = option && !asKey ? await lockOptionToBuy(tx, userId, id) : undefined
  if (!option || !(option.is_active || term)) throw new ApiError('NOT_FOUND')
  if (term?.paused === 'operator') {
    throw badRequest('paid_option_id', 'is switched off by the operator; write to support')
  }
  return { option, term }
}

/** Better said before the customer pays than after. */
const requireRoom = async (tx: Db, option: Option): Promise<void> => {
  const servers = await listServers(tx, option.id)
  await requireRoomOn(
    tx,
    servers.map((server) => server.server_id),
  )
}

export const shopHandlers: Pick<
  Handlers<typeof paidOptions>,
  'listPaidOptions' | 'listPaidOptionTariffs' | 'buyPaidOption'
> = {
  listPaidOptions: async ({ db, userId, vault, language, query, now }) => {
    const [own, ended] = await Promise.all([
      listWithConfigs(db, { userId, now, inEnglish: language === 'en' }),
      query.with_ended ? endedOptions(db, userId, now) : [],
    ])
    return [...own.map((each) => toOption(vault, each)), ...ended.map(toEndedOption)]
  },

  listPaidOptionTariffs: async (call) => {
    const { db, userId, language } = call
    const [options, prices, rules] = await Promise.all([
      listOptions(db),
      listPrices(db, call, { product: 'paid_options' }),
      findPricingRules(db, userId),
    ])
    const isEnglish = language === 'en'
    return options
      .filter((option) => option.is_active)
      .map((option) => ({
        id: option.id,
        option_key: option.key,
        title: isEnglish ? option.title_en : option.title_ru,
        caption: isEnglish ? option.caption_en : option.caption_ru,
        description: isEnglish ? option.description_en : option.description_ru,
        payment_methods: offered(
          prices.filter((price) => price.product_id === option.id),
          rules,
          language,
        ),
      }))
  },

  buyPaidOption: (call) => {
    const { userId, vault, body, language, now } = call
    const { paid_option_id: optionId, as_key: asKey = false, enable_auto_renewal: enableAutoRenewal } = body
    const problem = paymentProblem(body)
    if (problem) throw new ApiError('BAD_REQUEST', [problem])
    return inTransaction(call.db, async (tx) => {
      const { option, term } = await requireOffered(tx, userId, optionId, asKey)
      const purchase: OptionPurchase = asKey || enableAutoRenewal === undefined ? {} : { enableAutoRenewal }
      const outcome = await checkout(
        tx,
        call,
        {
          userId,
          product: 'paid_options',
          productId: optionId,
          itemId: term?.item_id ?? null,
          isRenewal: term !== undefined,
          asKey,
          purchase,
        },
        paymentOf(body),
      )
      if (outcome instanceof AwaitingLink) {
        if (!asKey && !term) await requireRoom(tx, option)
        return outcome
      }
      if (outcome.code !== null) return { promocode: outcome.code, days: outcome.days }
      const [bought] = await listWithConfigs(tx, { userId, now, inEnglish: language === 'en', optionId })
      return toOption(vault, bought as NonNullable<typeof bought>) satisfies PaidOption
    })
  },
}
