import { Fold } from './fold.tsx'
import { say } from './parts/say.ts'

export interface Series {
  readonly name: string
  /** One a label; null where nothing is known. */
  readonly values: readonly (number | null)[]
}

interface SeriesTableProps {
  /** Of the rows. */
  readonly labels: readonly string[]
  readonly series: readonly Series[]
  readonly format: (value: number) => string
}

/** What a picture shows, as a table behind a fold. */
export const SeriesTable = ({ labels, series, format }: SeriesTableProps) => (
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
          {labels.map((label, at) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map(({ name, values }) => {
                const value = values[at]
                return <td key={name}>{value === null || value === undefined ? '–' : format(value)}</td>
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </Fold>
)
