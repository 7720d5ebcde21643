import { useSignal } from '@preact/signals'
import { Switch } from '../../../../kit/choice.tsx'
import { Problem } from '../../../../kit/problem.tsx'
import { api } from '../../../../lib/api.ts'
import { date, money } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import { now } from '../../../../lib/page.ts'
import { type Resource, resource } from '../../../../lib/resource.ts'
import { to } from '../../../paths.ts'
import { Support } from '../../../support/support.tsx'
import { furtherConfigs, rest } from '../rest.ts'
import type { Thing } from '../things.ts'
import { type Charge, daysToRenew, type Tariff } from './charges.ts'
import { tariffsOf } from './needs.ts'
import { Traffic } from './traffic.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is wrong with it, and what to do. */
const Trouble = ({ thing, path }: { readonly thing: Thing; readonly path: string }) => {
  const { kind, state } = thing
  if (state === 'preparing') return <p>{say('preparingText')}</p>
  if (state === 'partly') return <p>{say('partlyText')}</p>
  if (state === 'disabled')
    return (
      <p>
        {say('disabledText')} <Support />
      </p>
    )
  if (state !== 'offline') return null
  if (kind === 'option') return <p>{say('optionOffline')}</p>
  const isConfig = kind === 'config'
  return (
    <p>
      {say(isConfig ? 'moveText' : 'cloudOffline')}{' '}
      <a href={isConfig ? `${path}#move` : path}>{say(isConfig ? 'move' : 'restart')}</a>
    </p>
  )
}

export interface Renewal {
  readonly auto_renewal: boolean
  readonly auto_renewal_days: number | null
}

/** Null switches it off. */
const askRenewal = ({ kind, id }: Thing, days: number | null): Promise<Renewal> => {
  const body = days === null ? { enabled: false } : { enabled: true, days }
  if (kind === 'config') return api.switchAutoRenewal({ params: { config_id: id }, body })
  if (kind === 'option') return api.switchOptionAutoRenewal({ params: { id }, body })
  return api.switchCloudAutoRenewal({ params: { id }, body })
}

const hintOf = (charge: Charge | undefined, offer: Tariff | undefined): string | undefined => {
  if (!charge) return offer && say('autoOffer', { price: money(offer.price), n: offer.days })
  const { price, at, days: n } = charge
  if (price === undefined) return say('autoGone', { n })
  return at > now()
    ? say('autoCharge', { price: money(price), date: date(at), n })
    : say('autoSoon', { price: money(price), n })
}

/** Until then there is time enough to top up. */
const soon = 7 * 86_400

interface BesideProps {
  readonly thing: Thing
  readonly title: string
  /** Of its own screen. */
  readonly path: string
  readonly charge: Charge | undefined
}

const renewed = <T extends Renewal>(list: readonly T[], isIt: (one: T) => boolean, to: Renewal): T[] =>
  list.map((one) => (isIt(one) ? { ...one, ...to } : one))

/** What was answered stands on the card without reading all of it again. */
const showRenewal = ({ kind, id }: Thing, to: Renewal): void => {
  const change = <T extends Renewal>({ data, set }: Resource<T[]>, isIt: (one: T) => boolean) =>
    data.value && set(renewed(data.value, isIt, to))
  if (kind === 'option')
    change(
      resource('options', () => api.listPaidOptions()),
      (one) => one.option_id === id,
    )
  if (kind === 'cloud') change(rest().clouds, (one) => one.id === id)
  if (kind !== 'config') return
  change(
    resource('configs', () => api.listConfigs()),
    (one) => one.id === id,
  )
  furtherConfigs.value = renewed(furtherConfigs.value, (one) => one.id === id, to)
}

const AutoRenewal = ({ thing, title, charge }: BesideProps) => {
  const error = useSignal<unknown>(undefined)
  const isBusy = useSignal(false)
  const tariffs = tariffsOf(thing)
  const offer = tariffs && daysToRenew(thing, tariffs)
  const press = async (isOn: boolean) => {
    isBusy.value = true
    error.value = undefined
    try {
      showRenewal(thing, await askRenewal(thing, isOn ? (offer?.days ?? null) : null))
    } catch (reason) {
      error.value = reason
    }
    isBusy.value = false
  }
  return (
    <>
      <Switch
        label={
          <>
            {say('auto')}
            <span class="hidden"> ({title})</span>
          </>
        }
        isOn={thing.autoRenewal}
        disabled={isBusy.value || (!thing.autoRenewal && !offer)}
        hint={hintOf(charge, thing.autoRenewal ? undefined : offer)}
        onChange={(isOn) => void press(isOn)}
      />
      {error.value !== undefined && <Problem error={error.value} />}
      {charge !== undefined && charge.missing > 0 && (
        <p class={charge.at - now() < soon ? 'notice' : 'small'}>
          {say('short', { missing: money(charge.missing), date: date(thing.expiresAt) })}{' '}
          <a href={`${to('/balance')}?sum=${Math.ceil(charge.missing)}`}>{say('topUp')}</a>
        </p>
      )}
    </>
  )
}

/** Stands in a card beneath the days: what is wrong, what is left of the traffic, what will be charged. */
export const Beside = (props: BesideProps) => {
  const { thing, path } = props
  if (thing.state === 'ended') return null
  return (
    <>
      <Trouble thing={thing} path={path} />
      {thing.kind === 'option' && <Traffic thing={thing} path={path} />}
      <AutoRenewal {...props} />
    </>
  )
}
