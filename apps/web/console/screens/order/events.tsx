import { Fold } from '../../../kit/fold.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import type { OrderProps } from './order-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What the provider said, as it said it. */
export const Events = ({ order }: Pick<OrderProps, 'order'>) =>
  order.events.length === 0 ? null : (
    <section>
      <h2>{say('events')}</h2>
      {order.events.map(({ id, provider, event_id, received_at, failure, payload }) => (
        <Fold key={id} title={`${dateTime(received_at)} · ${provider} · ${event_id}`}>
          {failure !== null && <p class="bad">{failure}</p>}
          <pre class="raw">{payload === null ? say('forgotten') : JSON.stringify(payload, null, 2)}</pre>
        </Fold>
      ))}
    </section>
  )
