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

interface ChartProps {
  readonly span: Span
}

const SalesChart = ({ span }: ChartProps) => {
  const query = useMemo(() => queryOf(span), [span])
  const figures = useResource(`sales/${span.days}`, () => api.showSales({ query }))
  return (
    <Shown of={figures} lines={3}>
      {({ rows }) => (
        <Figure
          title={say('salesChart')}
          step={span.step}
          times={rows.map(({ at }) => at)}
          series={[
            { name: say('moneyIn'), values: rows.map(({ money_in }) => money_in), isBars: true },
            { name: say('fromBalance'), values: rows.map(({ from_balance }) => from_balance) },
            { name: say('refunded'), values: rows.map(({ refunded }) => refunded) },
          ]}
          format={money}
          side={<Csv path="/statistics/sales" query={query} name="sales" />}
        />
      )}
    </Shown>
  )
}

const CustomersChart = ({ span }: ChartProps) => {
  const query = useMemo(() => queryOf(span), [span])
  const figures = useResource(`customer-figures/${span.days}`, () => api.showCustomerFigures({ query }))
  return (
    <Shown of={figures} lines={3}>
      {({ rows }) => (
        <Figure
          title={say('customersChart')}
          step={span.step}
          times={rows.map(({ at }) => at)}
          series={[
            { name: say('newOnes'), values: rows.map((row) => row.new), isBars: true },
            { name: say('firstPaid'), values: rows.map(({ first_paid }) => first_paid) },
            { name: say('endedOnes'), values: rows.map(({ ended }) => ended) },
          ]}
          format={number}
          side={<Csv path="/statistics/customers" query={query} name="customers" />}
        />
      )}
    </Shown>
  )
}

const ActiveChart = ({ span }: ChartProps) => {
  const query = useMemo(() => queryOf(span), [span])
  const figures = useResource(`customer-figures/${span.days}`, () => api.showCustomerFigures({ query }))
  return (
    <Shown of={figures} lines={3}>
      {({ rows }) => (
        <Figure
          title={say('activeChart')}
          step={span.step}
          times={rows.map(({ at }) => at)}
          series={[{ name: say('activeOnes'), values: rows.map(({ active }) => active) }]}
          format={number}
        />
      )}
    </Shown>
  )
}

const TrafficChart = ({ span }: ChartProps) => {
  const query = useMemo(() => queryOf(span), [span])
  const figures = useResource(`traffic/${span.days}`, () => api.showTrafficFigures({ query }))
  return (
    <Shown of={figures} lines={3}>
      {({ rows }) => (
        <Figure
          title={say('trafficChart')}
          step={span.step}
          times={rows.map(({ at }) => at)}
          series={[
            { name: say('down'), values: rows.map(({ bytes_down }) => bytes_down) },
            { name: say('up'), values: rows.map(({ bytes_up }) => bytes_up) },
          ]}
          format={bytes}
          side={<Csv path="/statistics/traffic" query={query} name="traffic" />}
        />
      )}
    </Shown>
  )
}

const FleetChart = ({ span }: ChartProps) => {
  const query = useMemo(() => queryOf(span), [span])
  const figures = useResource(`fleet/${span.days}`, () => api.showFleetFigures({ query }))
  return (
    <Shown of={figures} lines={3}>
      {({ rows }) => (
        <Figure
          title={say('fleetChart')}
          step={span.step}
          times={rows.map(({ at }) => at)}
          series={[
            { name: say('usedSlots'), values: rows.map(({ used_slots }) => used_slots) },
            { name: say('capacity'), values: rows.map(({ capacity }) => capacity) },
            { name: say('online'), values: rows.map(({ customers_online }) => customers_online) },
          ]}
          format={number}
          side={<Csv path="/statistics/fleet" query={query} name="fleet" />}
        />
      )}
    </Shown>
  )
}

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
        {may('showCustomerFigures') && <CustomersChart span={span} />}
        {may('showCustomerFigures') && <ActiveChart span={span} />}
        {may('showTrafficFigures') && <TrafficChart span={span} />}
        {may('showFleetFigures') && <FleetChart span={span} />}
      </div>
    </section>
  )
}
