import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Switch } from '../../kit/choice.tsx'
import { Problem } from '../../kit/problem.tsx'
import { tell } from '../../kit/toast.tsx'
import { date, money } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface Tariff {
  readonly id: number
  readonly days: number
  readonly price: number
}

export interface Method {
  readonly key: string
  readonly tariffs: readonly Tariff[]
}

export interface Renewed {
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
}

interface AutoRenewalProps {
  readonly of: Renewed & { readonly expires_at: number }
  readonly methods: readonly Method[]
  readonly save: (body: { readonly enabled: boolean; readonly days?: number }) => Promise<Renewed>
  readonly onSaved: (renewed: Renewed) => void
}

const day = 86_400

interface SwitchedProps extends Omit<AutoRenewalProps, 'methods'> {
  readonly tariffs: readonly Tariff[]
}

interface TermProps {
  readonly tariffs: readonly Tariff[]
  readonly days: number
  readonly isBusy: boolean
  readonly onChoose: (days: number) => void
}

/** For how long it is renewed each time. */
const Term = ({ tariffs, days, isBusy, onChoose }: TermProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{say('autoFor')}</label>
      <select
        id={id}
        value={days}
        disabled={isBusy}
        onChange={(event) => onChoose(Number(event.currentTarget.value))}
      >
        {tariffs.map((tariff) => (
          <option key={tariff.id} value={tariff.days}>
            {say('autoTariff', { n: tariff.days, sum: money(tariff.price) })}
          </option>
        ))}
      </select>
    </div>
  )
}

const hintOf = (of: AutoRenewalProps['of'], price: number | undefined, days: number): string => {
  if (!of.auto_renewal) return say('autoOffHint')
  if (price === undefined) return say('autoHintPlain')
  return say('autoHint', { date: date(of.expires_at - day), sum: money(price), n: days })
}

const Switched = ({ of, tariffs, save, onSaved }: SwitchedProps) => {
  const error = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  const days = of.auto_renewal_days ?? tariffs[0]?.days ?? 30
  const price = tariffs.find((tariff) => tariff.days === days)?.price
  const send = async (enabled: boolean, wanted: number) => {
    error.value = undefined
    isBusy.value = true
    try {
      onSaved(await save(enabled ? { enabled, days: wanted } : { enabled }))
      tell(say(enabled ? 'autoOn' : 'autoOff'))
    } catch (reason) {
      error.value = reason
    }
    isBusy.value = false
  }
  return (
    <>
      <Switch
        label={say('auto')}
        hint={hintOf(of, price, days)}
        isOn={of.auto_renewal}
        disabled={isBusy.value}
        onChange={(isOn) => void send(isOn, days)}
      />
      {of.auto_renewal && tariffs.length > 1 && (
        <Term
          tariffs={tariffs}
          days={days}
          isBusy={isBusy.value}
          onChoose={(wanted) => void send(true, wanted)}
        />
      )}
      {error.value !== undefined && <Problem error={error.value} />}
    </>
  )
}

/** From the balance, before the end: on or off, for how long, and what it will cost. */
export const AutoRenewal = ({ methods, ...rest }: AutoRenewalProps) => (
  <Switched {...rest} tariffs={methods.find(({ key }) => key === 'balance')?.tariffs ?? []} />
)
