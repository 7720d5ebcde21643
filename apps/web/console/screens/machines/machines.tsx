import { useSignal } from '@preact/signals'
import { sayIn } from '../../../lib/language.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters, WrittenFilter } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, type Page, pageSize, useList } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { useLocations } from '../../kit/places.ts'
import { asking, type Query } from '../../paths.ts'
import { Acts } from './acts.tsx'
import { columnsIn } from './columns.tsx'
import { GiveAddress } from './give-address.tsx'
import { type Machine, states } from './machine.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** One alone is the first before the next number. */
const readOne = async (id: number): Promise<Page<Machine>> => {
  const rows = await api.listMachines({ query: { before: id + 1, limit: 1 } })
  return { items: rows.filter((row) => row.id === id), next: null }
}

const filterOf = ({ state, user_id }: Query) => {
  const chosen = states.find((one) => one === state)
  const user = Number(user_id)
  return { ...(chosen && { state: chosen }), ...(user > 0 && { user_id: user }) }
}

interface MachinesProps {
  readonly query: Query
}

const Found = ({ query }: MachinesProps) => {
  const { nameOf } = useLocations()
  const giving = useSignal<Machine | undefined>(undefined)
  const id = Number(query.id)
  const filter = filterOf(query)
  const name = asking('machines', { ...filter, ...(id > 0 && { id }) })
  const read = (cursor: string | undefined): Promise<Page<Machine>> =>
    id > 0
      ? readOne(id)
      : api
          .listMachines({
            query: { ...filter, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
          })
          .then(before(pageSize))
  const { reload } = useList({ name, read })
  usePolling(reload, 10, false)
  return (
    <>
      {may('setMachineAddress') && <GiveAddress of={giving} changed={reload} />}
      <List
        name={name}
        read={read}
        caption={say('title')}
        keyOf={(row) => row.id}
        empty={
          <Nothing title={say(name === 'machines' ? 'none' : 'noneSo')}>
            {name === 'machines' && <p class="small">{say('noneHint')}</p>}
          </Nothing>
        }
        columns={[
          ...columnsIn(nameOf),
          {
            title: say('does'),
            isAlone: true,
            cell: (row) => <Acts row={row} giving={giving} changed={reload} />,
          },
        ]}
      />
    </>
  )
}

/** Customers' own machines: where each is on its way, and what a person has to do. */
const Machines = () => {
  const { url, query } = useLocation()
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/cloud-servers" query={filterOf(query)} name="machines" />
      </div>
      <SavedViews />
      <Filters>
        <ChosenFilter
          name="state"
          label={say('state')}
          options={states.map((one) => [one, say(`is_${one}`)])}
        />
        <WrittenFilter name="user_id" label={say('customerNumber')} type="number" />
      </Filters>
      <Found key={url} query={query} />
    </>
  )
}

export default Machines
