import type { ComponentChildren } from 'preact'
import { Fold } from '../../kit/fold.tsx'
import { later } from '../../kit/later.tsx'
import { number } from '../../lib/format.ts'
import { language, sayIn } from '../../lib/language.ts'
import type { PlotProps } from './plot.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)
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
  readonly side?: ComponentChildren
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
      <Fold title={say('table')}>
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <td />
                {series.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {times.map((at, row) => (
                <tr key={at}>
                  <th scope="row">{time.format(at * 1000)}</th>
                  {series.map(({ name, values }) => {
                    const value = values[row]
                    return <td key={name}>{value === null || value === undefined ? '–' : format(value)}</td>
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Fold>
    </figure>
  )
}
