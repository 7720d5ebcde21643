import { Choice } from '../../../kit/choice.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Checkout, type Paying, paymentOf } from '../../checkout/checkout.tsx'
import { type ConfigWish, configWishIn } from '../../checkout/choices.ts'
import { useInAddress } from '../../checkout/in-address.ts'
import type { Method } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import { moved } from '../../vpn/switches.ts'
import { tellDropped } from '../../vpn/switches.tsx'
import { Connection } from './connection.tsx'
import { type Location, Locations } from './locations.tsx'
import { placesOf, usePlaces } from './places.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** For oneself, or a key to send. */
const ForWhom = ({
  isGift,
  onChoose,
}: {
  readonly isGift: boolean
  readonly onChoose: (isGift: boolean) => void
}) => (
  <Card>
    <Choice
      legend={say('forWhom')}
      value={isGift ? 'gift' : 'self'}
      onChoose={(whom) => onChoose(whom === 'gift')}
      options={[
        { value: 'self', title: say('self') },
        { value: 'gift', title: say('gift'), text: say('giftText') },
      ]}
    />
  </Card>
)

const bodyOf = (
  { isGift, isAuto, isCode, protocol, server, options }: ConfigWish,
  location: number,
  paying: Paying,
) => {
  const payment = paymentOf(paying)
  if (isGift) return { ...payment, as_key: true }
  return {
    ...payment,
    location_id: location,
    protocol,
    ...(server !== undefined && { server_id: server }),
    ...Object.fromEntries(options.map((name) => [name, true])),
    ...(isAuto && !isCode && { enable_auto_renewal: true }),
  }
}

interface OrderProps {
  readonly methods: readonly Method[]
  readonly locations: readonly Location[]
}

const Order = ({ methods, locations }: OrderProps) => {
  const { route } = useLocation()
  const { wish, choose } = useInAddress(configWishIn)
  const location = locations.find(({ id }) => id === wish.location) ?? locations[0]
  const places = usePlaces(location?.id, wish.protocol)
  const isGift = wish.isGift && !wish.isCode
  if (!location && !isGift) return <Empty title={say('noLocations')} />

  /** Another place may not carry what was chosen for the one before. */
  const place = (change: Partial<ConfigWish>): void => {
    const { protocol, location: locationId = location?.id } = { ...wish, ...change }
    const { on, dropped } = moved({ protocol, locationId }, wish.options)
    tellDropped(dropped)
    choose({ ...change, server: undefined, options: on })
  }
  const send = (paying: Paying) => {
    const body = bodyOf({ ...wish, isGift }, location?.id ?? 0, paying)
    return once('buyConfig', body, (idempotencyKey) => api.buyConfig({ body, idempotencyKey }))
  }
  const onDone = (): void => {
    forgetRead('configs', 'custom-subscriptions', 'places')
    tell(say(isGift ? 'boughtKey' : 'bought'))
    route(isGift ? to('/keys') : to('/connect'))
  }
  const free = placesOf(places.data.value)
  return (
    <>
      {!wish.isCode && <ForWhom isGift={isGift} onChoose={(to) => choose({ isGift: to })} />}
      {!isGift && location && (
        <>
          <Card>
            <Locations
              locations={locations}
              chosen={location.id}
              places={places}
              onChoose={(id) => place({ location: id })}
            />
          </Card>
          <Connection
            wish={wish}
            locationId={location.id}
            places={places}
            onProtocol={(protocol) => place({ protocol })}
            choose={choose}
          />
        </>
      )}
      <Checkout
        methods={methods}
        wish={{ ...wish, isGift }}
        choose={choose}
        send={send}
        onDone={onDone}
        obstacle={!isGift && free === 0 ? say('noPlaces') : undefined}
      />
    </>
  )
}

export default function ShopConfig() {
  const methods = useResource('config-tariffs', () => api.listConfigTariffs())
  const locations = useResource('locations', () => api.listLocations())
  return (
    <>
      <h1>{say('title')}</h1>
      <Shown of={methods}>
        {(ways) => (
          <Shown of={locations}>
            {(all) => <Order methods={ways} locations={all.filter((one) => one.is_active)} />}
          </Shown>
        )}
      </Shown>
    </>
  )
}
