import type { PaymentMethod } from '@sallyport/contract/customer/shapes'
import { shown } from '@sallyport/domain/money/money'
import { oldPriceFor, type Rule } from '@sallyport/domain/money/pricing'
import type { Language } from '@sallyport/domain/text/language'
import type { Static } from 'typebox'
import { type ListedPrice, priceOf } from './prices.ts'

/** What one product costs this customer, by payment method. */
export const offered = (
  prices: readonly ListedPrice[],
  rules: readonly Rule[],
  language: Language,
): Static<typeof PaymentMethod>[] =>
  [...Map.groupBy(prices, (price) => price.method_id).values()].map((ofMethod) => {
    const { method_id, method_key, name_ru, name_en, currency, min_amount } = ofMethod[0] as ListedPrice
    return {
      id: method_id,
      key: method_key,
      display_name: language === 'en' ? name_en : name_ru,
      currency,
      min_amount: shown(min_amount, currency),
      tariffs: ofMethod.map((listed) => {
        const steps = priceOf(listed, rules)
        const oldPrice = oldPriceFor(steps, listed.old_price)
        return {
          id: listed.tariff_id,
          days: listed.days,
          price: shown(steps.charged, currency),
          ...(oldPrice !== undefined && { old_price: shown(oldPrice, currency) }),
        }
      }),
    }
  })
