import { useMemo } from 'preact/hooks'
import { Shown } from '../../../kit/shown.tsx'
import { bytes } from '../../../lib/bytes.ts'
import { money, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Figure } from '../../kit/figure.tsx'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** How far back each looks, and in what steps. */
const spans = {
  '2': { days: 2, step: 'hour' },
  '30': { days: 30, step: 'day' },
  '365': { days: 365, step: 'day' },
  '1095': { days: 1095, step: 'month' },
} as const

type Span = (typeof spans)[keyof typeof spans]

const queryOf = ({ days, step }: Span) => {
  const minute = 60
  const to = Math.floor(now() / minute) * minute
  return { from: to - days * 86_400, to, step }
}

type Figures = { readonly at: number }

interface ChartProps<R extends Figures> {
  readonly span: Span
  /** Of what is read; two pictures of the same are read once. */
  readonly name: string
  readonly title: string
  readonly read: (query: ReturnType<typeof queryOf>) => Promise<{ readonly rows: readonly R[] }>
  readonly series: readonly (readonly [name: string, figureOf: (row: R) => number, isBars?: true])[]
  readonly format?: (value: number) => string
  /** Where all of it comes as a file. */
  readonly csv: string
}

const Chart = <R extends Figures>({ span, name, title, read, series, format, csv }: ChartProps<R>) => {
  const query = useMemo(() => queryOf(span), [span])
  const figures = useResource(`${name}/${span.days}`, () => read(query))
  return (
    <Shown of={figures} lines={3}>
      {({ rows }) => (
        <Figure
          title={title}
          step={span.step}
          times={rows.map(({ at }) => at)}
          series={series.map(([title, figureOf, isBars = false]) => ({
            name: title,
            values: rows.map(figureOf),
            isBars,
          }))}
          format={format ?? number}
          side={<Csv path={csv} query={query} name={name} />}
        />
      )}
    </Shown>
  )
}

const SalesChart = ({ span }: { readonly span: Span }) => (
  <Chart
    span={span}
    name="sales"
    title={say('salesChart')}
    read={(query) => api.showSales({ query })}
    series={[
      [say('moneyIn'), ({ money_in }) => money_in, true],
      [say('fromBalance'), ({ from_balance }) => from_balance],
      [say('refunded'), ({ refunded }) => refunded],
    ]}
    format={money}
    csv="/statistics/sales"
  />
)

const readCustomers = (query: ReturnType<typeof queryOf>) => api.showCustomerFigures({ query })

const CustomersCharts = ({ span }: { readonly span: Span }) => (
  <>
    <Chart
      span={span}
      name="customers"
      title={say('customersChart')}
      read={readCustomers}
      series={[
        [say('newOnes'), (row) => row.new, true],
        [say('firstPaid'), ({ first_paid }) => first_paid],
        [say('endedOnes'), ({ ended }) => ended],
      ]}
      csv="/statistics/customers"
    />
    <Chart
      span={span}
      name="customers"
      title={say('activeChart')}
      read={readCustomers}
      series={[[say('activeOnes'), ({ active }) => active]]}
      csv="/statistics/customers"
    />
  </>
)

const TrafficChart = ({ span }: { readonly span: Span }) => (
  <Chart
    span={span}
    name="traffic"
    title={say('trafficChart')}
    read={(query) => api.showTrafficFigures({ query })}
    series={[
      [say('down'), ({ bytes_down }) => bytes_down],
      [say('up'), ({ bytes_up }) => bytes_up],
    ]}
    format={bytes}
    csv="/statistics/traffic"
  />
)

const FleetChart = ({ span }: { readonly span: Span }) => (
  <Chart
    span={span}
    name="fleet"
    title={say('fleetChart')}
    read={(query) => api.showFleetFigures({ query })}
    series={[
      [say('usedSlots'), ({ used_slots }) => used_slots],
      [say('capacity'), ({ capacity }) => capacity],
      [say('online'), ({ customers_online }) => customers_online],
    ]}
    csv="/statistics/fleet"
  />
)

export const Charts = () => {
  const { query } = useLocation()
  const span = spans[(query.days ?? '30') as keyof typeof spans] ?? spans['30']
  return (
    <section>
      <div class="list-head">
        <h2>{say('figures')}</h2>
        <Filters>
          <ChosenFilter
            name="days"
            label={say('span')}
            unset={say('month')}
            options={[
              ['2', say('twoDays')],
              ['365', say('year')],
              ['1095', say('threeYears')],
            ]}
          />
        </Filters>
      </div>
      <div class="columns" key={span.days}>
        {may('showSales') && <SalesChart span={span} />}
        {may('showCustomerFigures') && <CustomersCharts span={span} />}
        {may('showTrafficFigures') && <TrafficChart span={span} />}
        {may('showFleetFigures') && <FleetChart span={span} />}
      </div>
    </section>
  )
}
