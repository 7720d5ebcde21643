import { Fold } from '../../../kit/fold.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useCloudConfigurations, useOptions } from '../../kit/catalogue/products.ts'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { Filters, WrittenFilter } from '../../kit/lists/filters.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { Person } from '../../kit/person.tsx'
import { type Method, methodTitle, useMethods } from '../../kit/tariffs/methods.ts'
import { lengthsOf, type PriceRow, productsOf, type SoldProduct } from './sold.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Rule = Awaited<ReturnType<typeof api.listPricingRules>>[number]

const percentOf = ({ percent }: Rule): string =>
  percent < 0 ? say('discount', { n: -percent }) : say('surcharge', { n: percent })

/** The price, what it would be without a rule, and the rule. */
const PriceCell = ({ price }: { readonly price: PriceRow | undefined }) => {
  if (!price) return <>–</>
  const { rule_id: id, list_price: list, currency } = price
  return (
    <>
      {money(price.price, currency)}
      {id !== null && (
        <>
          <span class="small">
            <s>{money(list, currency)}</s>
          </span>
          <span class="small">{say('rule', { id: `${id}` })}</span>
        </>
      )}
    </>
  )
}

interface ProductProps {
  readonly title: string
  readonly product: SoldProduct
  readonly methods: readonly Method[]
  readonly isOpen: boolean
}

const Product = ({ title, product: { prices }, methods, isOpen }: ProductProps) => {
  const columns: readonly Column<number>[] = [
    { title: say('length'), cell: (n) => <b class="nowrap">{say('days', { n })}</b> },
    ...methods
      .filter(({ key }) => prices.some(({ method }) => method === key))
      .map((method) => ({
        title: methodTitle(method),
        isNumber: true,
        cell: (days: number) => (
          <PriceCell price={prices.find((one) => one.days === days && one.method === method.key)} />
        ),
      })),
  ]
  return (
    <Fold title={title} isOpen={isOpen}>
      <div class="priced">
        <Table caption={title} rows={lengthsOf(prices)} keyOf={(days) => days} columns={columns} />
      </div>
    </Fold>
  )
}

/** What each rule that made a price does. */
const Rules = ({
  prices,
  rules,
}: {
  readonly prices: readonly PriceRow[]
  readonly rules: readonly Rule[]
}) => {
  const used = rules.filter(({ id }) => prices.some(({ rule_id }) => rule_id === id))
  return used.length === 0 ? null : (
    <ul>
      {used.map((rule) => (
        <li key={rule.id}>
          {say('ruleIs', { id: `${rule.id}`, what: percentOf(rule) })}
          {rule.comment && ` · ${rule.comment}`}
        </li>
      ))}
    </ul>
  )
}

/** Titles as this page is written, where the list of prices has them in Russian alone. */
const useTitles = () => {
  const options = useOptions().data.value ?? []
  const configurations = useCloudConfigurations().data.value ?? []
  return ({ type, id, title }: SoldProduct): string => {
    if (type === 'configs') return say('configurations')
    const found = (type === 'paid_options' ? options : configurations).find((one) => one.id === id)
    return found ? titleOf(found) : title
  }
}

const readPrices = async (user: number) => {
  const query = { user_id: user }
  const [prices, rules] = await Promise.all([
    api.listUserPrices({ query }),
    may('listPricingRules') ? api.listPricingRules({ params: { id: user } }) : [],
  ])
  return { prices, rules }
}

const Prices = ({ user }: { readonly user: number }) => {
  const read = useResource(`prices/${user}`, () => readPrices(user))
  const methods = useMethods()
  const titleIn = useTitles()
  return (
    <Shown of={read}>
      {({ prices, rules }) => (
        <>
          <p>
            <Person id={user} /> ·{' '}
            {prices.some(({ rule_id }) => rule_id !== null) ? say('hasRules') : say('noRules')}
          </p>
          <Rules prices={prices} rules={rules} />
          {prices.length === 0 && <p class="small">{say('nothingSold')}</p>}
          {productsOf(prices).map((product, at) => (
            <Product
              key={product.key}
              title={titleIn(product)}
              product={product}
              methods={methods.data.value ?? []}
              isOpen={at === 0}
            />
          ))}
        </>
      )}
    </Shown>
  )
}

/** What everything on sale costs one customer now. */
export const AsCustomer = () => {
  const { query } = useLocation()
  const user = Number(query.customer)
  return (
    <section aria-labelledby="as-customer">
      <h2 id="as-customer">{say('asCustomer')}</h2>
      <p class="small">{say('asCustomerText')}</p>
      <Filters>
        <WrittenFilter name="customer" label={say('customerNumber')} type="number" />
      </Filters>
      {Number.isInteger(user) && user > 0 && <Prices key={user} user={user} />}
    </section>
  )
}
