import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { Filters, WrittenFilter } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { asking } from '../../paths.ts'
import { Check } from './check.tsx'
import { ExampleFilters } from './examples.tsx'
import { Account, Cause, Sum } from './transfer.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Every transfer of money, and whether all of them add up. */
const Ledger = () => {
  const { query } = useLocation()
  const { account, cause } = query
  const filter = { ...(account && { account }), ...(cause && { cause }) }
  const name = asking('ledger', filter)
  const read = (cursor: string | undefined) =>
    api
      .listTransfers({
        query: { ...filter, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
      })
      .then(before(pageSize))
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/ledger" query={filter} name="ledger" />
      </div>
      {may('checkLedger') && <Check />}
      <SavedViews />
      <Filters>
        <WrittenFilter name="account" label={say('account')} hint={say('accountHint')} />
        <WrittenFilter name="cause" label={say('cause')} hint={say('causeHint')} />
      </Filters>
      <ExampleFilters />
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={<Nothing title={say('none')} />}
        columns={[
          { title: say('number'), cell: ({ id }) => id, isNumber: true },
          { title: say('when'), cell: ({ created_at }) => dateTime(created_at) },
          { title: say('why'), cell: (row) => <Cause row={row} /> },
          { title: say('from'), cell: ({ from }) => <Account name={from} /> },
          { title: say('to'), cell: ({ to }) => <Account name={to} /> },
          { title: say('sum'), cell: (row) => <Sum row={row} account={account} />, isNumber: true },
        ]}
      />
    </>
  )
}

export default Ledger
