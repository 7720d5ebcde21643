import { expect, test } from 'vitest'
import { cloudTerms } from '../../features/cloud-servers/product.ts'
import { configTerms } from '../../features/configs/product.ts'
import { optionTerms } from '../../features/paid-options/product.ts'
import { balanceProduct } from '../../features/profile/balance-product.ts'

/** What an invoice of Telegram Stars can be called; more is cut in the middle of a word. */
const longestTitle = 32

const products = [configTerms, cloudTerms, optionTerms, balanceProduct]
const counts = [1, 2, 3, 5, 11, 21, 22, 25, 30, 365, 1095]

test('everything that is sold fits the title of an invoice, whatever it is for', () => {
  for (const { describe } of products)
    for (const days of counts)
      for (const isRenewal of [false, true]) {
        const { ru, en } = describe({ days, isRenewal, valueRub: 15_000 })
        expect(ru.length, ru).toBeLessThanOrEqual(longestTitle)
        expect(`${ru} ${en}`).not.toMatch(/ дн\.|\b1 days/)
      }
})

test.each([
  [1, 'VPN-подключение на 1 день', 'VPN connection for 1 day', 'Продление сервера на 1 день'],
  [22, 'VPN-подключение на 22 дня', 'VPN connection for 22 days', 'Продление сервера на 22 дня'],
  [365, 'VPN-подключение на 365 дней', 'VPN connection for 365 days', 'Продление сервера на 365 дней'],
])('for %i days', (days, ru, en, renewal) => {
  const read = (text: string) => text.replaceAll('\u00a0', ' ')
  const bought = configTerms.describe({ days, isRenewal: false, valueRub: 1 })
  expect([read(bought.ru), read(bought.en)]).toEqual([ru, en])
  expect(read(cloudTerms.describe({ days, isRenewal: true, valueRub: 1 }).ru)).toBe(renewal)
})
