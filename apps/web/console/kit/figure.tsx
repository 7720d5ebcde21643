import type { ComponentChildren } from 'preact'
import { later } from '../../kit/later.tsx'
import { SeriesTable } from '../../kit/series-table.tsx'
import { number } from '../../lib/format.ts'
import { language } from '../../lib/language.ts'
import type { PlotProps } from './plot.tsx'

const Plot = later(() => import('./plot.tsx').then((part) => part.Plot))

const days = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' })
const hours = new Intl.DateTimeFormat(language, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})

interface FigureProps extends PlotProps {
  readonly title: string
  /** Beside the title: the table of all of it as a file. */
  readonly side: ComponentChildren
}

/** A picture, and behind it the same as a table. */
export const Figure = ({ title, side, ...plot }: FigureProps) => {
  const { times, series, step, format = number } = plot
  const time = step === 'hour' ? hours : days
  return (
    <figure class="plot card">
      <header>
        <figcaption>
          <h2>{title}</h2>
        </figcaption>
        {side}
      </header>
      <Plot {...plot} />
      <SeriesTable labels={times.map((at) => time.format(at * 1000))} series={series} format={format} />
    </figure>
  )
}
