import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { dateTime, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { OrderBadge } from '../../kit/order-state.tsx'
import { Person } from '../../kit/person.tsx'
import { productTitle } from '../../kit/product.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { Books } from './books.tsx'
import { Events } from './events.tsx'
import type { OrderProps } from './order-props.ts'
import { Receipts } from './receipts.tsx'
import { RefundCard } from './refund.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const About = ({ order }: Pick<OrderProps, 'order'>) => (
  <Card title={say('about')}>
    <Facts
      rows={[
        [say('customer'), <Person key="person" id={order.user_id} email={order.email} />],
        [say('product'), productTitle(order.product)],
        [say('days'), String(order.days)],
        [say('sum'), money(order.amount, order.currency)],
        [say('worth'), order.value_rub === null ? '–' : money(order.value_rub)],
        [say('method'), order.is_gift ? say('gift') : order.method],
        [say('paymentId'), order.payment_id ?? '–'],
        [say('providerId'), [order.provider, order.provider_payment_id].filter(Boolean).join(' · ') || '–'],
        [say('made'), dateTime(order.created_at)],
        [say('paid'), order.paid_at === null ? '–' : dateTime(order.paid_at)],
        [say('given'), order.fulfilled_at === null ? '–' : dateTime(order.fulfilled_at)],
        [say('refunded'), order.refunded_at === null ? '–' : dateTime(order.refunded_at)],
      ]}
    />
  </Card>
)

/** An order with everything that its money did, and what a refund would take back, before the button. */
const Order = ({ params }: ScreenProps) => {
  const id = Number(params.id)
  const order = useResource(`order/${id}`, () => api.showOrder({ params: { id } }))
  return (
    <Shown of={order} lines={8} heading={say('title', { id: `${id}` })}>
      {(data) => (
        <>
          <div class="head">
            <h1>{say('title', { id: `${id}` })}</h1>
            <OrderBadge state={data.state} />
          </div>
          <div class="columns">
            <About order={data} />
            <RefundCard order={data} of={order} />
          </div>
          <Receipts order={data} of={order} />
          <Books order={data} />
          <Events order={data} />
        </>
      )}
    </Shown>
  )
}

export default Order
