import { Choice } from '../../../kit/choice.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Checkout } from '../../checkout/checkout.tsx'
import { type ConfigWish, configWishIn } from '../../checkout/choices.ts'
import { useInAddress } from '../../checkout/in-address.ts'
import { type Paying, paymentOf } from '../../checkout/paying.ts'
import type { Method } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import { moved } from '../../vpn/switches.ts'
import { placesOf, type Servers } from './asking.ts'
import { Connection } from './connection.tsx'
import { firstOf, type Location, Locations } from './locations.tsx'
import { usePlaces } from './places.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** For oneself, or a gift to send. */
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

interface PlaceProps {
  readonly locations: readonly Location[]
  readonly location: Location
  readonly serversOf: (id: number) => Servers
  readonly wish: ConfigWish
  readonly choose: (change: Partial<ConfigWish>) => void
}

/** Where, and how to connect there. */
const Place = ({ locations, location, serversOf, wish, choose }: PlaceProps) => {
  /** Another place may not carry what was chosen for the one before. */
  const place = (change: Partial<ConfigWish>): void => {
    const { protocol, location: locationId = location.id } = { ...wish, ...change }
    const { on, dropped } = moved({ protocol, locationId }, wish.options)
    if (dropped.length > 0) void import('../../vpn/switches.tsx').then((part) => part.tellDropped(dropped))
    choose({ ...change, server: undefined, options: on })
  }
  return (
    <>
      <Card>
        <Locations
          locations={locations}
          chosen={location}
          serversOf={serversOf}
          onChoose={(id) => place({ location: id })}
        />
      </Card>
      <Connection
        wish={wish}
        locationId={location.id}
        servers={serversOf(location.id) ?? []}
        onProtocol={(protocol) => place({ protocol })}
        choose={choose}
      />
    </>
  )
}

interface OrderProps {
  readonly methods: readonly Method[]
  readonly locations: readonly Location[]
}

const Order = ({ methods, locations }: OrderProps) => {
  const { route } = useLocation()
  const { wish, choose } = useInAddress(configWishIn)
  const isGift = wish.isGift && !wish.isCode
  const location = locations.find(({ id }) => id === wish.location) ?? locations[0]
  const looked = firstOf(locations).map(({ id }) => id)
  const serversOf = usePlaces(isGift ? undefined : location?.id, looked, wish.protocol)
  if (!location && !isGift) return <Empty title={say('noLocations')} />
  const send = (paying: Paying) => {
    const body = bodyOf({ ...wish, isGift }, location?.id ?? 0, paying)
    return once('buyConfig', body, (idempotencyKey) => api.buyConfig({ body, idempotencyKey }))
  }
  const onDone = (): void => {
    forgetRead('configs', 'custom-subscriptions')
    tell(say(isGift ? 'boughtKey' : 'bought'))
    route(isGift ? to('/keys') : to('/connect'))
  }
  const isFull = !isGift && location !== undefined && placesOf(serversOf(location.id)) === 0
  return (
    <>
      {!wish.isCode && <ForWhom isGift={isGift} onChoose={(to) => choose({ isGift: to })} />}
      {!isGift && location && (
        <Place locations={locations} location={location} serversOf={serversOf} wish={wish} choose={choose} />
      )}
      <Checkout
        methods={methods}
        wish={{ ...wish, isGift }}
        choose={choose}
        send={send}
        onDone={onDone}
        obstacle={isFull ? say('noPlaces') : undefined}
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
