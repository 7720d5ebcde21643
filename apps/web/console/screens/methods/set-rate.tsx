import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { api } from '../../api.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf, Value } from '../../kit/forms/fields.tsx'
import { hoursLeft, type Rate } from './rate.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const always = 'always'

const fieldsOf = (currency: string): readonly FieldOf[] => [
  { name: 'rub', label: say('roubles', { currency }), kind: 'number', isRequired: true },
  {
    name: 'valid_hours',
    label: say('howLong'),
    kind: 'choice',
    isRequired: true,
    options: [
      ['168', say('week')],
      ['24', say('day')],
      ['720', say('month')],
      [always, say('forEver')],
    ],
  },
]

interface SetRateProps {
  readonly rate: Rate
  readonly onSet: () => Promise<void>
}

/** The operation takes both at once: what is to stay as it is, is sent as it is. */
const send = async (currency: string, version: number, changes: Readonly<Record<string, Value>>) => {
  const rate = (await api.listRates({})).find((one) => one.currency === currency)
  const { rub = rate?.rub, valid_hours: hours } = changes
  const kept = rate ? hoursLeft(rate, now()) : null
  const chosen = hours === always ? null : Number(hours)
  const body = { rub: Number(rub), valid_hours: hours === undefined ? kept : chosen, version }
  return api.setRate({ params: { currency }, body })
}

export const SetRate = ({ rate, onSet }: SetRateProps) => {
  const { currency, source } = rate
  return (
    <>
      <p>{say('setRateText', { currency })}</p>
      {source !== null && source !== 'operator' && <p class="notice">{say('fromSource', { source })}</p>}
      <Edit
        row={rate}
        fields={fieldsOf(currency)}
        submit={say('setRateNow')}
        send={({ version, ...changes }) => send(currency, version, changes)}
        onSaved={() => void onSet()}
      />
    </>
  )
}
