import { type Series, SeriesTable } from './series-table.tsx'

interface ChartProps {
  /** What it shows, in a sentence. */
  readonly title: string
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

const width = 600
const height = 160

const pathOf = (values: readonly (number | null)[], most: number): string => {
  const step = width / Math.max(1, values.length - 1)
  let isDrawing = false
  return values
    .map((value, at) => {
      if (value === null) {
        isDrawing = false
        return ''
      }
      const point = `${isDrawing ? 'L' : 'M'}${(at * step).toFixed(1)} ${(height - (value / most) * height).toFixed(1)}`
      isDrawing = true
      return point
    })
    .join('')
}

/** Lines over days, and behind them the same as a table. */
export const Chart = ({ title, labels, series, format }: ChartProps) => {
  const most = Math.max(1e-9, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)))
  return (
    <figure class="chart">
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 -4 ${width} ${height + 8}`} preserveAspectRatio="none" aria-hidden="true">
        {series.map(({ name, values }, at) => (
          <path key={name} class={`line${at}`} d={pathOf(values, most)} />
        ))}
      </svg>
      <p class="scale small">
        <span>{labels[0]}</span>
        <span>
          {series.map(({ name }, at) => (
            <span key={name} class={`line${at}`}>
              {name}
            </span>
          ))}{' '}
          ↑ {format(most)}
        </span>
        <span>{labels.at(-1)}</span>
      </p>
      <SeriesTable labels={labels} series={series} format={format} />
    </figure>
  )
}
