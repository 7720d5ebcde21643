import { pricingRules } from '@sallyport/contract/product-types'
import { expect, test } from 'vitest'
import { productTitle } from './product-title.ts'

const none = { title: null, days: null }
const white = { title: { ru: 'Белый интернет', en: 'White internet' }, days: null }

test.each([
  ['paid_option', white, 'Белый интернет', 'White internet'],
  ['paid_options', none, 'Платные опции', 'Paid options'],
  ['cloud_server', none, 'Облачный сервер', 'Cloud server'],
  ['config', none, 'Конфигурация VPN', 'VPN configuration'],
  ['config', { title: null, days: 1 }, 'Конфигурация VPN на 1\u00a0день', 'VPN configuration for 1\u00a0day'],
  ['config', { title: null, days: 3 }, 'Конфигурация VPN на 3\u00a0дня', 'VPN configuration for 3\u00a0days'],
  [
    'config',
    { title: null, days: 30 },
    'Конфигурация VPN на 30\u00a0дней',
    'VPN configuration for 30\u00a0days',
  ],
  ['all', none, 'Все товары', 'All products'],
] as const)('%s of %j is %s', (type, one, ru, en) => {
  const { title } = pricingRules[type]
  expect([productTitle(title, 'ru', one), productTitle(title, 'en', one)]).toEqual([ru, en])
})
