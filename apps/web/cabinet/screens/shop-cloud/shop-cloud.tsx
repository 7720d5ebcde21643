import type { Client } from '@sallyport/contract/client/core'
import { hostnameProblem } from '@sallyport/domain/text/hostname'
import { useId, useState } from 'preact/hooks'
import { Choice } from '../../../kit/choice.tsx'
import { Card, Fold } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Checkout, type Paying, paymentOf } from '../../checkout/checkout.tsx'
import { cloudWishIn } from '../../checkout/choices.ts'
import { useInAddress } from '../../checkout/in-address.ts'
import { lengthOf } from '../../checkout/price.tsx'
import { cheapest } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import { flagOf } from '../../vpn/protocols.ts'
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

const Places = ({
  locations,
  value,
  onChoose,
}: {
  readonly locations: readonly Location[]
  readonly value: number | undefined
  readonly onChoose: (id: number) => void
}) => (
  <Choice
    legend={say('where')}
    value={value}
    onChoose={onChoose}
    options={locations.map(({ id, code, title, description }) => ({
      value: id,
      title: `${flagOf(code)} ${title}`,
      text: description,
    }))}
  />
)

interface OrderProps {
  readonly machines: readonly Machine[]
  readonly locations: readonly Location[]
}

const Order = ({ machines, locations }: OrderProps) => {
  const { route } = useLocation()
  const { wish, choose } = useInAddress(cloudWishIn)
  const { name = '' } = wish
  const placesFor = (id: number) => locations.filter((one) => one.available_tariff_config_ids.includes(id))
  const offered = machines.filter(({ id }) => placesFor(id).length > 0)
  const machine = offered.find(({ id }) => id === wish.machine) ?? offered[0]
  if (!machine) return <Empty title={say('none')} />
  const places = placesFor(machine.id)
  const location = places.find(({ id }) => id === wish.location) ?? places[0]
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
        <Choice
          legend={say('machine')}
          value={machine.id}
          onChoose={(id) => choose({ machine: id })}
          options={offered.map((one) => ({
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
      </Card>
      <Card>
        <Places locations={places} value={location?.id} onChoose={(id) => choose({ location: id })} />
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
