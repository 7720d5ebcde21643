import {
  type UserSort,
  type UserView,
  userSorts,
  userViews,
  viewsWithEnds,
} from '@sallyport/contract/operator/people/views'
import { Badge } from '../../../kit/look.tsx'
import { date, money, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters, WrittenFilter } from '../../kit/lists/filters.tsx'
import { List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import type { Column } from '../../kit/lists/table.tsx'
import { asking, to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Row = Awaited<ReturnType<typeof api.searchUsers>>['items'][number]

const nameOf = ({ id, email, telegram_id }: Row): string =>
  email ?? (telegram_id === null ? say('numbered', { id: `${id}` }) : `Telegram ${telegram_id}`)

const columnsOf = (hasEnds: boolean): readonly Column<Row>[] => [
  {
    title: say('who'),
    cell: (row) => (
      <>
        <a href={to('/console/customers/:id', { id: row.id })}>{nameOf(row)}</a>{' '}
        {row.is_blocked && <Badge tone="bad">{say('blockedOne')}</Badge>}
        {row.deleted_at !== null && <Badge tone="dim">{say('deleted')}</Badge>}
      </>
    ),
  },
  { title: say('number'), cell: ({ id }) => id, isNumber: true, sort: ['id', '-id'] },
  { title: say('since'), cell: ({ created_at }) => date(created_at), sort: ['created_at', '-created_at'] },
  {
    title: say('balance'),
    cell: ({ balance }) => money(balance),
    isNumber: true,
    sort: ['balance', '-balance'],
  },
  { title: say('live'), cell: ({ terms }) => number(terms), isNumber: true },
  {
    title: say('nextEnd'),
    cell: ({ next_end }) => (next_end === null ? '–' : date(next_end)),
    ...(hasEnds && { sort: ['next_end', '-next_end'] }),
  },
  { title: say('seen'), cell: ({ last_seen_at }) => (last_seen_at === null ? '–' : date(last_seen_at)) },
]

const isOneOf = <T extends string>(list: readonly T[], value: string | undefined): value is T =>
  value !== undefined && (list as readonly string[]).includes(value)

const Customers = () => {
  const { query } = useLocation()
  const view = isOneOf<UserView>(userViews, query.view) ? query.view : undefined
  const hasEnds = viewsWithEnds.includes(view)
  const filter = {
    ...(query.search && { search: query.search }),
    ...(view && { view }),
    ...(isOneOf<UserSort>(userSorts, query.sort) &&
      (hasEnds || !query.sort.endsWith('next_end')) && { sort: query.sort }),
  }
  const name = asking('customers', filter)
  const read = async (cursor: string | undefined) => {
    const { items, next_cursor } = await api.searchUsers({
      query: { ...filter, limit: pageSize, ...(cursor !== undefined && { cursor }) },
    })
    return { items, next: next_cursor }
  }
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <div class="acts">
          {may('createBroadcast') && (
            <a
              class="button"
              href={asking(to('/console/broadcasts'), { view: filter.view, search: filter.search })}
            >
              {say('write')}
            </a>
          )}
          <Csv path="/users" query={filter} name="customers" />
        </div>
      </div>
      <SavedViews />
      <Filters>
        <WrittenFilter name="search" label={say('search')} />
        <ChosenFilter name="view" label={say('view')} options={userViews.map((view) => [view, say(view)])} />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        columns={columnsOf(hasEnds)}
        empty={<Nothing title={say('none')} />}
      />
    </>
  )
}

export default Customers
