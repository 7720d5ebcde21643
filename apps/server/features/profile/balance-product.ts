import { roublesText } from '@sallyport/domain/text/counted'
import { creditWallet } from '../../core/ledger/credits.ts'
import type { Product } from '../../core/sales/products.ts'

/** A top-up: the balance itself is what is bought. */
export const balanceProduct: Product = {
  name: 'balance',

  describe: ({ valueRub }) => ({
    ru: `Пополнение баланса на ${roublesText(valueRub, 'ru')}`,
    en: `Balance top-up of ${roublesText(valueRub, 'en')}`,
  }),

  grant: async (tx, at, order) => {
    const { userId, currency, valueRub, price, id } = order
    const credit = { userId, currency, valueRub, orderId: id, now: at.now }
    await creditWallet(tx, { ...credit, from: 'clearing', amount: price, cause: `order:${id}:top-up` })
    return null
  },

  /** Nothing more: a refund takes the money from the balance before the provider is asked. */
  revoke: async () => undefined,
}
