import { Bar } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Sale } from '../../kit/catalogue/sale.tsx'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { Make } from '../../kit/forms/make.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { useLocations } from '../../kit/places.ts'
import { asking, to } from '../../paths.ts'
import { type Location, LocationActs } from './acts.tsx'
import { newFields } from './fields.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.createLocation>[0]['body']>

const columns: readonly Column<Location>[] = [
  { title: say('number'), cell: ({ id }) => id, isNumber: true },
  {
    title: say('location'),
    cell: (row) => (
      <>
        <b>{titleOf(row)}</b>
        <span class="small">{[row.code, row.title_en, row.title_ru].join(' · ')}</span>
      </>
    ),
  },
  {
    title: say('state'),
    cell: ({ is_active, problem }) => <Sale isActive={is_active} problem={problem} />,
  },
  {
    title: say('servers'),
    cell: (row) => (
      <a
        href={asking(to('/console/servers'), { location_id: row.id })}
        aria-label={say('serversOf', { n: row.servers, name: titleOf(row) })}
      >
        {number(row.servers)}
      </a>
    ),
    isNumber: true,
  },
  {
    title: say('slots'),
    cell: ({ used_slots, capacity }) =>
      capacity === 0 ? (
        '–'
      ) : (
        <Bar
          part={used_slots / capacity}
          label={say('used', { used: number(used_slots), capacity: number(capacity) })}
        />
      ),
  },
]

/** Where things are sold, how full it is, and what keeps it off sale. */
const Locations = () => {
  const { locations } = useLocations()
  const { reload } = locations
  const make = async (written: object) => {
    const body = written as Body
    await once('createLocation', body, (idempotencyKey) => api.createLocation({ body, idempotencyKey }))
    tell(say('made'))
    await reload()
  }
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        {may('createLocation') && (
          <Make
            title={say('add')}
            submit={say('addNow')}
            kind="p"
            send={make}
            fields={newFields}
            values={{ is_active: true }}
          >
            <p class="small">{say('addText')}</p>
          </Make>
        )}
      </div>
      <Shown of={locations} lines={6}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={say('none')}>
              <p class="small">{say('noneHint')}</p>
            </Empty>
          ) : (
            <Table
              caption={say('title')}
              rows={rows}
              keyOf={({ id }) => id}
              columns={[
                ...columns,
                ...(may('changeLocation')
                  ? [
                      {
                        title: say('does'),
                        isAlone: true,
                        cell: (row: Location) => <LocationActs location={row} reload={reload} />,
                      },
                    ]
                  : []),
              ]}
            />
          )
        }
      </Shown>
    </>
  )
}

export default Locations
