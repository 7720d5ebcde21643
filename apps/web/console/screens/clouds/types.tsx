import { Badge } from '../../../kit/look.tsx'
import { Told } from '../../../kit/problem.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { number } from '../../../lib/format.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api, SallyportError } from '../../api.ts'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { type Column, Table } from '../../kit/lists/table.tsx'
import type { Cloud } from './cloud.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type MachineType = Awaited<ReturnType<typeof api.listMachineTypes>>[number]

/** Why a provider does not answer is worth more than that it does not. */
const readTypes = (id: number): Promise<MachineType[]> =>
  api.listMachineTypes({ params: { id } }).catch((error) => {
    if (!(error instanceof SallyportError) || error.statusCode === 404) throw error
    if (error.statusCode === 400) throw new Told(say('tokenRefused'))
    throw error.statusCode === 503 ? new Told(say('providerSilent')) : error
  })

/** In the provider's own currency. */
const cost = (sum: number, currency: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency }).format(sum)

const columns: readonly Column<MachineType>[] = [
  {
    title: say('type'),
    cell: ({ title, type }) => (
      <>
        {title}
        {type !== title.toLowerCase() && <span class="small">{type}</span>}
      </>
    ),
  },
  { title: say('region'), cell: ({ region }) => region },
  { title: say('cores'), cell: ({ cores }) => number(cores), isNumber: true },
  {
    title: say('memory'),
    cell: ({ memory_mb }) => say('gigabytes', { n: number(memory_mb / 1024) }),
    isNumber: true,
  },
  { title: say('disk'), cell: ({ disk_gb }) => say('gigabytes', { n: number(disk_gb) }), isNumber: true },
  { title: say('cost'), cell: ({ monthly_cost, currency }) => cost(monthly_cost, currency), isNumber: true },
  {
    title: say('stock'),
    cell: ({ is_in_stock }) => (
      <Badge tone={is_in_stock ? 'good' : 'dim'}>{say(is_in_stock ? 'inStock' : 'outOfStock')}</Badge>
    ),
  },
]

const keyOf = ({ region, type }: MachineType): string => `${region} ${type}`

const TypeTable = ({ rows }: { readonly rows: readonly MachineType[] }) => {
  const { region } = useLocation().query
  const regions = [...new Set(rows.map((row) => row.region))].toSorted()
  const chosen = rows
    .filter((row) => !region || row.region === region)
    .toSorted((a, b) => a.monthly_cost - b.monthly_cost || keyOf(a).localeCompare(keyOf(b)))
  return (
    <>
      <Filters>
        <ChosenFilter name="region" label={say('region')} options={regions.map((one) => [one, one])} />
      </Filters>
      <Table caption={say('types')} rows={chosen} columns={columns} keyOf={keyOf} />
    </>
  )
}

/** What a provider has right now, the cheapest first. */
export const Types = ({ cloud: { id, title } }: { readonly cloud: Cloud }) => {
  const types = useResource(`machine-types/${id}`, () => readTypes(id))
  return (
    <section aria-labelledby="types">
      <h2 id="types">{say('typesOf', { title })}</h2>
      <Shown of={types} lines={5}>
        {(rows) => (rows.length === 0 ? <Empty title={say('noTypes')} /> : <TypeTable rows={rows} />)}
      </Shown>
    </section>
  )
}
