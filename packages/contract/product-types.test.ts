import { expect, test } from 'vitest'
import {
  bridgeTypes,
  itemSources,
  itemTypes,
  paymentTypes,
  pricingRuleTypes,
  productClasses,
} from './product-types.ts'
import { products } from './products.ts'

const everyRule = productClasses.flatMap((product) => [products[product].rule, product])

/** Clients were made from these: what is new comes behind what was there. */
test.each([
  ['classes', productClasses, ['configs', 'paid_options', 'cloud_servers']],
  ['payments', paymentTypes, ['new_config', 'renewal', 'cloud_server', 'paid_option']],
  [
    'rules',
    pricingRuleTypes,
    ['all', 'config', 'configs', 'cloud_server', 'cloud_servers', 'paid_option', 'paid_options'],
  ],
  ['ends of bridges', bridgeTypes, ['config', 'paid_option', 'cloud']],
  [
    'items',
    itemTypes,
    ['user_config', 'cloud_server_config', 'paid_option', 'paid_option_index', 'paid_option_config'],
  ],
  ['sources', itemSources, ['user_config', 'cloud_server_config']],
] as const)('%s are named as they were promised', (_what, names, promised) => {
  expect(names.slice(0, promised.length)).toEqual(promised)
})

test.each([
  ['rules', ['all', ...everyRule]],
  ['ends of bridges', bridgeTypes],
  ['items', itemTypes],
  ['new ones in the history', productClasses.map((product) => products[product].payments.bought)],
])('%s: no two products have the same name', (_what, names) => {
  expect(names).toEqual([...new Set(names)])
})
