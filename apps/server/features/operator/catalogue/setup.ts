import { conflict } from '@sallyport/contract/errors'
import type { setupRows } from '@sallyport/contract/operator/catalogue/setup'
import type { Handlers } from '../../../core/call.ts'
import { audited } from '../../../core/kernel/audit.ts'
import { isInner } from '../../../core/sales/prices.ts'
import { freshRates } from '../../../core/sales/rates.ts'
import { sandboxName } from '../../../ports/payments.ts'
import { type Providers, takersOf } from '../common/payable-methods.ts'
import { shownMethod } from './payment-methods.ts'
import { findAnything, insertMethods, lockMethods } from './queries.ts'

/** What every service begins with. */

/** Numbered in this order. */
const usualMethods = [
  { key: 'balance', name_ru: 'Баланс', name_en: 'Balance', currency: 'RUB' },
  { key: 'sbp', name_ru: 'СБП', name_en: 'SBP', currency: 'RUB' },
  { key: 'card', name_ru: 'Банковская карта', name_en: 'Bank card', currency: 'RUB' },
  { key: 'ton', name_ru: 'TON', name_en: 'TON', currency: 'TON' },
  { key: 'usdt', name_ru: 'USDT', name_en: 'USDT', currency: 'USDT' },
  { key: 'stars', name_ru: 'Telegram Stars', name_en: 'Telegram Stars', currency: 'XTR' },
  { key: 'referral', name_ru: 'Реферальный баланс', name_en: 'Referral balance', currency: 'RUB' },
] as const

/** Real money before play money. */
const chosenFor = (method: (typeof usualMethods)[number], providers: Providers): string | null => {
  if (isInner(method.key)) return null
  const takers = takersOf(method, providers)
  return takers.find((name) => name !== sandboxName) ?? takers[0] ?? null
}

export const setupHandlers: Handlers<typeof setupRows> = {
  setUp:
    ({ providers, now }) =>
    async (tx) => {
      await lockMethods(tx)
      const found = await findAnything(tx)
      if (found) throw conflict('', `there are ${found} already; this is for an empty service only`)
      const methods = usualMethods.map((method) => {
        const provider = chosenFor(method, providers)
        return { ...method, provider, min_amount: 1, is_active: isInner(method.key) || provider !== null }
      })
      const rates = await freshRates(tx, now)
      const made = (await insertMethods(tx, methods)).map((method) => shownMethod(method, providers, rates))
      const laid = { payment_methods: made }
      return audited(laid, { after: { payment_methods: made.map(({ key }) => key) } })
    },
}
