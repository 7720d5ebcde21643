import { Empty, Shown } from '../../../kit/shown.tsx'
import { money, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { may } from '../../frame/me.ts'
import { type Option, useOptions } from '../../kit/catalogue/products.ts'
import { Sale } from '../../kit/catalogue/sale.tsx'
import { titleOf } from '../../kit/catalogue/titled.ts'
import { type Column, Table } from '../../kit/lists/table.tsx'
import { type Method, methodName, useMethods } from '../../kit/tariffs/methods.ts'
import { to } from '../../paths.ts'
import { NewOption } from './new-option.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What the shortest length costs by the first way to pay. */
const firstPrice = ({ tariffs }: Option, methods: readonly Method[]): string => {
  const [shortest] = tariffs.toSorted((a, b) => a.days - b.days)
  const method = methods.find(({ id }) => shortest?.prices.some((one) => one.payment_method_id === id))
  const price = shortest?.prices.find((one) => one.payment_method_id === method?.id)
  if (!shortest || !method || !price) return '–'
  return say('costs', {
    days: say('days', { n: shortest.days }),
    price: money(price.price, method.currency),
    method: methodName(method),
  })
}

const columnsWith = (methods: readonly Method[]): readonly Column<Option>[] => [
  {
    title: say('option'),
    cell: (option) => (
      <>
        <a href={to('/console/options/:id', { id: option.id })}>{titleOf(option)}</a>
        <span class="small">{option.key}</span>
      </>
    ),
  },
  {
    title: say('state'),
    cell: ({ is_active, problem }) => <Sale isActive={is_active} problem={problem} />,
  },
  { title: say('protocol'), cell: ({ protocol }) => protocol },
  { title: say('servers'), cell: ({ servers }) => number(servers.length), isNumber: true },
  {
    title: say('devices'),
    cell: ({ device_limit: limit }) => (limit === 0 ? '∞' : number(limit)),
    isNumber: true,
  },
  {
    title: say('traffic'),
    cell: ({ traffic_limit: limit }) =>
      limit === 0 ? '∞' : say('gigabytes', { n: number(limit / 1_000_000_000) }),
    isNumber: true,
  },
  { title: say('price'), cell: (option) => firstPrice(option, methods) },
]

/** Packs of servers that are sold as one. */
const Options = () => {
  const options = useOptions()
  const methods = useMethods().data.value ?? []
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        {may('createOption') && <NewOption />}
      </div>
      <Shown of={options} lines={4}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title={say('none')}>
              <p class="small">{say('noneHint')}</p>
            </Empty>
          ) : (
            <Table caption={say('title')} rows={rows} keyOf={({ id }) => id} columns={columnsWith(methods)} />
          )
        }
      </Shown>
    </>
  )
}

export default Options
