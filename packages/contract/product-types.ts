import { type ProductClass, products } from './products.ts'
import type { Words } from './shapes.ts'

/** What follows from the products: every enum that names them. Whoever lists products asks here. */

type Products = typeof products
type Names = Products[ProductClass]
type ValueOf<T> = T extends unknown ? T[keyof T] : never

export const productClasses = Object.keys(products) as ProductClass[]

/** These enums have always named options last. What is new comes behind. */
const documented = [...new Set<ProductClass>(['configs', 'cloud_servers', 'paid_options', ...productClasses])]

export const isProductClass = (name: string): name is ProductClass => Object.hasOwn(products, name)

/** The same of each, by its class. */
export const ofEachProduct = <T>(make: (product: ProductClass) => T): Readonly<Record<ProductClass, T>> =>
  Object.fromEntries(productClasses.map((product) => [product, make(product)])) as Record<ProductClass, T>

/** What renews itself is a renewal, whatever it is. */
export type PaymentType = ValueOf<Names['payments']> | 'renewal' | 'balance_topup'
export const paymentTypes: readonly PaymentType[] = [
  ...new Set<PaymentType>([
    ...documented.flatMap((product) => Object.values(products[product].payments)),
    'renewal',
    'balance_topup',
  ]),
]

export type PricingRuleType = 'all' | Names['rule'] | ProductClass

/** What a rule is for: everything, all of a class, or one of it. */
export interface PricingRuleScope {
  readonly product: ProductClass | 'all'
  readonly isOne: boolean
}

const rulesOf = (
  product: ProductClass,
): [PricingRuleType, PricingRuleScope & { readonly title: Words }][] => {
  const { rule, titles } = products[product]
  return [
    [rule, { product, isOne: true, title: titles.one }],
    [product, { product, isOne: false, title: titles.many }],
  ]
}

export const pricingRules = Object.fromEntries([
  ['all', { product: 'all', isOne: false, title: { ru: 'Все товары', en: 'All products' } }],
  ...documented.flatMap(rulesOf),
]) as Readonly<Record<PricingRuleType, PricingRuleScope & { readonly title: Words }>>
export const pricingRuleTypes = Object.keys(pricingRules) as PricingRuleType[]
/** False of one for what another release sells. */
export const isKnownRule = ({ type }: { readonly type: string }): boolean => Object.hasOwn(pricingRules, type)

export type BridgeType = Names['bridge']
export const bridgeTypes: readonly BridgeType[] = productClasses.map((product) => products[product].bridge)
export const productOfBridge = (type: BridgeType): ProductClass =>
  productClasses.find((product) => products[product].bridge === type) as ProductClass

export type ItemType = ValueOf<Names['items']>
export const itemTypes: readonly ItemType[] = documented.flatMap((product): ItemType[] =>
  Object.values(products[product].items),
)

/** Whose accesses are items by themselves only. */
type SoldAlone = {
  [C in ProductClass]: Products[C]['items'] extends { readonly whole: string } ? never : C
}[ProductClass]
export type ItemSource = Products[SoldAlone]['items']['access']
export const itemSources = documented
  .filter((product): product is SoldAlone => !('whole' in products[product].items))
  .map((product): ItemSource => products[product].items.access)
