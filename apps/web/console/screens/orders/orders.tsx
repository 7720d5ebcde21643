import { dateTime, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters, WrittenFilter } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import type { Column } from '../../kit/lists/table.tsx'
import { OrderBadge, orderStates, orderStateTitle } from '../../kit/order-state.tsx'
import { Person } from '../../kit/person.tsx'
import { productTitle } from '../../kit/product.ts'
import { asking, to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Row = Awaited<ReturnType<typeof api.searchPayments>>[number]
type Filter = NonNullable<NonNullable<Parameters<typeof api.searchPayments>[0]>['query']>

const columns: readonly Column<Row>[] = [
  {
    title: say('order'),
    cell: ({ id, product, days, is_gift, as_key, is_renewal }) => (
      <>
        <a href={to('/console/orders/:id', { id })}>
          {say('one', { id: `${id}`, product: productTitle(product) })}
        </a>
        <span class="small">
          {[
            days > 0 && say('forDays', { n: days }),
            is_gift && say('gift'),
            as_key && say('key'),
            is_renewal && say('renewal'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </>
    ),
  },
  { title: say('customer'), cell: ({ user_id, email }) => <Person id={user_id} email={email} /> },
  { title: say('sum'), cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
  {
    title: say('way'),
    cell: ({ method, provider, provider_payment_id }) => (
      <>
        {method}
        <span class="small">{[provider, provider_payment_id].filter(Boolean).join(' · ')}</span>
      </>
    ),
  },
  { title: say('state'), cell: ({ state }) => <OrderBadge state={state} /> },
  { title: say('made'), cell: ({ created_at }) => dateTime(created_at) },
]

const Orders = () => {
  const { query } = useLocation()
  const filter = {
    ...(query.search && { search: query.search }),
    ...(query.state && { state: query.state }),
    ...(query.provider && { provider: query.provider }),
    ...(query.user_id && { user_id: query.user_id }),
  } as unknown as Filter
  const name = asking('orders', filter as Record<string, string>)
  const read = (cursor: string | undefined) =>
    api
      .searchPayments({
        query: { ...filter, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
      })
      .then(before(pageSize))
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/payments" query={filter as Record<string, string>} name="orders" />
      </div>
      <SavedViews />
      <Filters>
        <WrittenFilter name="search" label={say('search')} />
        <ChosenFilter
          name="state"
          label={say('state')}
          options={orderStates.map((state) => [state, orderStateTitle(state)])}
        />
        <WrittenFilter name="provider" label={say('provider')} />
        <WrittenFilter name="user_id" label={say('customerNumber')} type="number" />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        columns={columns}
        empty={<Nothing title={say('none')} />}
      />
    </>
  )
}

export default Orders
