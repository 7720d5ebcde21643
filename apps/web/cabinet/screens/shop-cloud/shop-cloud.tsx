import type { Client } from '@sallyport/contract/client/core'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import { useId, useState } from 'preact/hooks'
import { Choice } from '../../../kit/choice.tsx'
import { Fold } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Checkout } from '../../checkout/checkout.tsx'
import { type CloudWish, cloudWishIn } from '../../checkout/choices.ts'
import { useInAddress } from '../../checkout/in-address.ts'
import { type Paying, paymentOf } from '../../checkout/paying.ts'
import { lengthOf } from '../../checkout/price.tsx'
import { cheapest } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import { useDelays } from '../../vpn/delays.ts'
import { AboutDelay, placeText, placeTitle } from '../../vpn/location.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

type Machine = Awaited<ReturnType<Client['listCloudTariffs']>>[number]
type Location = Awaited<ReturnType<Client['listCloudLocations']>>[number]

const priceOf = ({ payment_methods }: Machine): string | undefined => {
  const from = cheapest(payment_methods)
  return (
    from &&
    say('fromFor', {
      price: money(from.tariff.price, from.currency),
      length: lengthOf(from.tariff.days),
    })
  )
}

const Steps = () => (
  <Card title={say('steps')}>
    <ol class="in-turn">
      <li>{say('step1')}</li>
      <li>{say('step2')}</li>
      <li>{say('step3')}</li>
    </ol>
  </Card>
)

interface NameProps {
  readonly value: string
  readonly isWrong: boolean
  readonly onInput: (name: string) => void
}

const HostName = ({ value, isWrong, onInput }: NameProps) => {
  const id = useId()
  const [wasOpen] = useState(value !== '')
  return (
    <Fold title={say('name')} isOpen={wasOpen}>
      <div class="field">
        <label for={id}>{say('nameLabel')}</label>
        <input
          id={id}
          value={value}
          maxLength={253}
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          placeholder="vpn.example.com"
          aria-invalid={isWrong}
          aria-describedby={`${id}-hint`}
          onInput={(event) => onInput(event.currentTarget.value.trim())}
        />
        <p id={`${id}-hint`} class={isWrong ? 'bad' : 'small'}>
          {isWrong ? say('nameWrong') : say('nameHint')}
        </p>
      </div>
    </Fold>
  )
}

interface PlacesProps {
  readonly locations: readonly Location[]
  readonly chosen: Location | undefined
  readonly onChoose: (id: number) => void
}

const Places = ({ locations, chosen, onChoose }: PlacesProps) => {
  const delayOf = useDelays(locations.map(({ code }) => code))
  return (
    <>
      <Choice
        legend={say('where')}
        value={chosen?.id}
        onChoose={onChoose}
        options={locations.map((one) => ({
          value: one.id,
          title: placeTitle(one, delayOf(one.code)),
          text: placeText(one, delayOf(one.code)),
        }))}
      />
      <AboutDelay
        isShown={locations.some(({ code }) => delayOf(code).ms !== undefined)}
        address={chosen?.ping_ip}
      />
    </>
  )
}

interface MachinesProps {
  readonly machines: readonly Machine[]
  readonly chosen: Machine
  readonly onChoose: (id: number) => void
}

const Machines = ({ machines, chosen, onChoose }: MachinesProps) => (
  <Choice
    legend={say('machine')}
    value={chosen.id}
    onChoose={onChoose}
    options={machines.map((one) => ({
      value: one.id,
      title: one.title,
      text: (
        <>
          {one.description}
          <br />
          {priceOf(one)}
        </>
      ),
    }))}
  />
)

/** What stands where: of what is chosen, as far as it is offered. */
const found = (
  machines: readonly Machine[],
  locations: readonly Location[],
  wish: Pick<CloudWish, 'machine' | 'location'>,
) => {
  const placesFor = (id: number) => locations.filter((one) => one.available_tariff_config_ids.includes(id))
  const offered = machines.filter(({ id }) => placesFor(id).length > 0)
  const machine = offered.find(({ id }) => id === wish.machine) ?? offered[0]
  const places = machine ? placesFor(machine.id) : []
  const location = places.find(({ id }) => id === wish.location) ?? places[0]
  return { offered, machine, places, location }
}

interface OrderProps {
  readonly machines: readonly Machine[]
  readonly locations: readonly Location[]
}

const Order = ({ machines, locations }: OrderProps) => {
  const { route } = useLocation()
  const { wish, choose } = useInAddress(cloudWishIn)
  const { name = '' } = wish
  const { offered, machine, places, location } = found(machines, locations, wish)
  if (!machine) return <Empty title={say('none')} />
  const isWrong = name !== '' && hostnameProblem(name) !== undefined
  const send = (paying: Paying) => {
    const body = {
      location_id: location?.id ?? 0,
      tariff_config_id: machine.id,
      ...paymentOf(paying),
      ...(name && { hostname: name }),
      ...(wish.isAuto && !wish.isCode && { enable_auto_renewal: true }),
    }
    return once('buyCloudServer', body, (idempotencyKey) => api.buyCloudServer({ body, idempotencyKey }))
  }
  return (
    <>
      <Card>
        <Machines machines={offered} chosen={machine} onChoose={(id) => choose({ machine: id })} />
      </Card>
      <Card>
        <Places locations={places} chosen={location} onChoose={(id) => choose({ location: id })} />
        <HostName value={name} isWrong={isWrong} onInput={(text) => choose({ name: text || undefined })} />
      </Card>
      <Checkout
        methods={machine.payment_methods}
        wish={{ ...wish, isGift: false }}
        choose={choose}
        send={send}
        onDone={({ id }) => {
          forgetRead('clouds')
          tell(say('bought'))
          route(to('/clouds/:id', { id }))
        }}
        obstacle={isWrong ? say('nameWrong') : undefined}
      />
    </>
  )
}

export default function ShopCloud() {
  const machines = useResource('cloud-tariffs', () => api.listCloudTariffs())
  const locations = useResource('cloud-locations', () => api.listCloudLocations())
  return (
    <>
      <h1>{say('title')}</h1>
      <p>{say('text')}</p>
      <Steps />
      <Shown of={machines}>
        {(all) => (
          <Shown of={locations}>
            {(where) => <Order machines={all} locations={where.filter((one) => one.is_active)} />}
          </Shown>
        )}
      </Shown>
    </>
  )
}
