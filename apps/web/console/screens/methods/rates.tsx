import { Dialog } from '../../../kit/dialog.tsx'
import { Badge } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { dateTime } from '../../../lib/format.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { ago } from '../../../lib/relative.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useChosen } from '../../kit/chosen.ts'
import { Table } from '../../kit/lists/table.tsx'
import type { Method } from './method.ts'
import type { Rate } from './rate.ts'
import { SetRate } from './set-rate.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const roubles = new Intl.NumberFormat(language, { maximumFractionDigits: 6 })

const Age = ({ rate }: { readonly rate: Rate }) =>
  rate.set_at === null ? (
    <>–</>
  ) : (
    <>
      {ago(rate.set_at)}
      <span class="small">
        {dateTime(rate.set_at)} · {rate.source === 'operator' ? say('byHand') : rate.source}
      </span>
    </>
  )

const Holds = ({ rate }: { readonly rate: Rate }) => {
  if (rate.rub === null) return <Badge tone="warn">{say('missing')}</Badge>
  return (
    <>
      <Badge tone={rate.is_fresh ? 'good' : 'bad'}>{say(rate.is_fresh ? 'fresh' : 'stale')}</Badge>
      <span class="small">
        {rate.valid_until === null ? say('forEver') : say('until', { at: dateTime(rate.valid_until) })}
      </span>
    </>
  )
}

/** A method is offered or not by the rate of its currency, so both are read again. */
export const Rates = ({ methods }: { readonly methods: Resource<Method[]> }) => {
  const rates = useResource('rates', () => api.listRates({}))
  const setting = useChosen<Rate>()
  const onSet = async () => {
    setting.isOpen.value = false
    await Promise.all([rates.reload(), methods.reload()])
  }
  return (
    <section>
      <h2>{say('rates')}</h2>
      <p class="small">{say('ratesText')}</p>
      {setting.row && (
        <Dialog isOpen={setting.isOpen} title={say('setRateTitle', { currency: setting.row.currency })}>
          <SetRate rate={setting.row} onSet={onSet} />
        </Dialog>
      )}
      <Shown of={rates} lines={4}>
        {(rows) => (
          <Table
            caption={say('rates')}
            rows={rows}
            keyOf={({ currency }) => currency}
            columns={[
              { title: say('currency'), cell: ({ currency }) => currency },
              {
                title: say('worth'),
                cell: ({ rub }) => (rub === null ? say('noRate') : `${roubles.format(rub)}\u00a0₽`),
                isNumber: true,
              },
              { title: say('age'), cell: (rate) => <Age rate={rate} /> },
              { title: say('holds'), cell: (rate) => <Holds rate={rate} /> },
              {
                title: say('does'),
                isAlone: true,
                cell: (rate) =>
                  may('setRate') ? (
                    <button
                      type="button"
                      aria-label={say('setRateOf', { currency: rate.currency })}
                      onClick={() => setting.choose(rate)}
                    >
                      {say('setRate')}
                    </button>
                  ) : null,
              },
            ]}
          />
        )}
      </Shown>
    </section>
  )
}
