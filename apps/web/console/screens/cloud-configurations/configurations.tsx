import { Empty } from '../../../kit/shown.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead } from '../../../lib/resource.ts'
import { route } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type CloudConfiguration, useCloudConfigurations } from '../../kit/catalogue/products.ts'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { Make } from '../../kit/forms/make.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { asking, to } from '../../paths.ts'
import { wordFields } from './fields.ts'
import { OffSale } from './off-sale.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.createCloudConfiguration>[0]['body']>

const columns: readonly Column<CloudConfiguration>[] = [
  {
    title: say('configuration'),
    cell: (row) => (
      <>
        <a href={asking(to('/console/cloud-configurations'), { id: row.id })}>{titleOf(row)}</a>
        <span class="small">{row.description_en}</span>
      </>
    ),
  },
  { title: say('state'), cell: (row) => <OffSale row={row} /> },
  {
    title: say('places'),
    cell: ({ offers }) => number(new Set(offers.map(({ location_id: id }) => id)).size),
    isNumber: true,
  },
  {
    title: say('lengths'),
    cell: ({ tariffs }) => tariffs.map(({ days }) => say('days', { n: days })).join(', ') || '–',
  },
]

/** It begins off sale, with nothing but its words: its page has the rest. */
const Add = () => {
  const { reload } = useCloudConfigurations()
  const make = async (written: object) => {
    const body = { ...written, is_active: false, tariffs: [], offers: [] } as unknown as Body
    const made = await once('createCloudConfiguration', body, (idempotencyKey) =>
      api.createCloudConfiguration({ body, idempotencyKey }),
    )
    await reload()
    forgetRead('locations')
    route(asking(to('/console/cloud-configurations'), { id: made.id }))
  }
  return (
    <Make title={say('add')} submit={say('addNow')} kind="p" send={make} fields={wordFields}>
      <p class="small">{say('addText')}</p>
    </Make>
  )
}

export const Configurations = ({ rows }: { readonly rows: readonly CloudConfiguration[] }) => (
  <>
    <div class="head">
      <h1>{say('title')}</h1>
      {may('createCloudConfiguration') && <Add />}
    </div>
    {rows.length === 0 ? (
      <Empty title={say('none')}>
        <p class="small">{say('noneHint')}</p>
      </Empty>
    ) : (
      <Table caption={say('title')} rows={rows} keyOf={({ id }) => id} columns={columns} />
    )}
  </>
)
