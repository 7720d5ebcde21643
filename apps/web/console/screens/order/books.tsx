import { dateTime, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { Table } from '../../kit/lists/table.tsx'
import type { OrderProps } from './order-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What the order did in the ledger. */
export const Books = ({ order }: Pick<OrderProps, 'order'>) => (
  <section>
    <h2>{say('books')}</h2>
    {order.transfers.length === 0 ? (
      <p class="small">{say('noTransfers')}</p>
    ) : (
      <Table
        caption={say('books')}
        rows={order.transfers}
        keyOf={({ id }) => id}
        columns={[
          { title: say('number'), cell: ({ id }) => id, isNumber: true },
          {
            title: say('cause'),
            cell: ({ kind, cause }) => (
              <>
                {kind}
                <span class="small">{cause}</span>
              </>
            ),
          },
          { title: say('from'), cell: ({ from }) => from },
          { title: say('to'), cell: ({ to }) => to },
          { title: say('sum'), cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
          { title: say('when'), cell: ({ created_at }) => dateTime(created_at) },
        ]}
      />
    )}
  </section>
)
