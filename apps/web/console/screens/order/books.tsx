import { dateTime, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import { Table } from '../../kit/lists/table.tsx'
import { asking, to } from '../../paths.ts'
import type { OrderProps } from './order-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** All that moved there is in the ledger, for those who see it. */
const Account = ({ name }: { readonly name: string }) =>
  may('listTransfers') ? (
    <a href={asking(to('/console/ledger'), { account: name })}>{name}</a>
  ) : (
    <span>{name}</span>
  )

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
          { title: say('from'), cell: ({ from }) => <Account name={from} /> },
          { title: say('to'), cell: ({ to: into }) => <Account name={into} /> },
          { title: say('sum'), cell: ({ amount, currency }) => money(amount, currency), isNumber: true },
          { title: say('when'), cell: ({ created_at }) => dateTime(created_at) },
        ]}
      />
    )}
  </section>
)
