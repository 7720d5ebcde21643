import { Shown } from '../../../kit/shown.tsx'
import { number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { Figure } from '../../kit/figure.tsx'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const percent = (value: number): string => `${number(Math.round(value))} %`

/** How busy the machine was. */
export const Load = ({ id }: { readonly id: number }) => {
  const step = useLocation().query.step === 'day' ? 'day' : 'hour'
  return (
    <section>
      <div class="list-head">
        <h2>{say('load')}</h2>
        <Filters>
          <ChosenFilter
            name="step"
            label={say('time')}
            unset={say('hours')}
            options={[['day', say('days')]]}
          />
        </Filters>
      </div>
      <Loads key={step} id={id} step={step} />
    </section>
  )
}

const Loads = ({ id, step }: { readonly id: number; readonly step: 'hour' | 'day' }) => {
  const load = useResource(`load/${id}/${step}`, () => api.showNodeLoad({ params: { id }, query: { step } }))
  return (
    <Shown of={load}>
      {(rows) => {
        const side = <Csv path={`/nodes/${id}/load`} query={{ step }} name={`node-${id}`} />
        const times = rows.map(({ at }) => at)
        return rows.length === 0 ? (
          <p class="small">{say('noLoad')}</p>
        ) : (
          <div class="columns">
            <Figure
              title={say('busy')}
              side={side}
              step={step}
              times={times}
              format={percent}
              series={[
                { name: say('cpu'), values: rows.map(({ cpu }) => cpu) },
                { name: say('memory'), values: rows.map(({ ram }) => ram) },
              ]}
            />
            <Figure
              title={say('speed')}
              side={side}
              step={step}
              times={times}
              format={number}
              series={[
                { name: say('down'), values: rows.map(({ mbps_down }) => mbps_down) },
                { name: say('up'), values: rows.map(({ mbps_up }) => mbps_up) },
              ]}
            />
            <Figure
              title={say('customersOnline')}
              side={side}
              step={step}
              times={times}
              format={number}
              series={[{ name: say('most'), values: rows.map(({ customers_online }) => customers_online) }]}
            />
          </div>
        )
      }}
    </Shown>
  )
}
