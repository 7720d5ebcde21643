import { Chart } from '../../../kit/chart.tsx'
import { Facts } from '../../../kit/fold.tsx'
import { Badge } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { date, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import type { Access } from '../access.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Read = NonNullable<Access['stats']>
type ServerStats = Awaited<ReturnType<Read>>

const noon = (day: string): number => Date.parse(`${day}T12:00:00`) / 1000
const rounded = (value: number): string => number(Math.round(value * 10) / 10)
const speed = (value: number): string => say('speed', { value: rounded(value) })
const percent = (value: number): string => say('percent', { value: rounded(value) })

const Lines = ({ stats }: { readonly stats: ServerStats['stats'] }) => {
  const [first] = stats
  if (!first) return <Empty title={say('empty')} />
  if (stats.length === 1)
    return (
      <>
        <Facts
          rows={[
            [say('down'), speed(first.down)],
            [say('up'), speed(first.up)],
            [say('cpu'), percent(first.cpu)],
            [say('ram'), percent(first.ram)],
          ]}
        />
        <p>{say('firstDay')}</p>
      </>
    )
  const labels = stats.map((one) => date(noon(one.date)))
  const valuesOf = (name: 'up' | 'down' | 'cpu' | 'ram') => stats.map((one) => one[name])
  return (
    <>
      <Chart
        title={say('traffic')}
        labels={labels}
        format={speed}
        series={[
          { name: say('down'), values: valuesOf('down') },
          { name: say('up'), values: valuesOf('up') },
        ]}
      />
      <Chart
        title={say('load')}
        labels={labels}
        format={percent}
        series={[
          { name: say('cpu'), values: valuesOf('cpu') },
          { name: say('ram'), values: valuesOf('ram') },
        ]}
      />
    </>
  )
}

interface StatisticsProps {
  /** Names what is read. */
  readonly name: string
  readonly read: Read
}

/** A server over 30 days: whether it is well, and whether it is busy. */
export const Statistics = ({ name, read }: StatisticsProps) => {
  const stats = useResource(`stats/${name}`, read)
  return (
    <Shown of={stats}>
      {({ host, status, uptime_days: days, cpu_model: model, stats: points }) => (
        <>
          <Facts
            rows={[
              [
                say('state'),
                <Badge key="state" tone={status === 'up' ? 'good' : 'bad'}>
                  {say(status === 'up' ? 'on' : 'off')}
                </Badge>,
              ],
              [say('uptime'), say('days', { n: Math.floor(days) })],
              ...(model ? [[say('model'), model] as const] : []),
              [say('host'), host],
            ]}
          />
          <Lines stats={points} />
          <p class="small">{say('about')}</p>
        </>
      )}
    </Shown>
  )
}

export default function Stats({ access }: { readonly access: Access }) {
  return access.stats ? <Statistics name={`${access.kind}/${access.id}`} read={access.stats} /> : null
}
