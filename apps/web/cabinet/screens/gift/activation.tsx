import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { Choice, type Choosable } from '../../../kit/choice.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { now } from '../../../lib/page.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { type GivenCode, keepCode } from '../../checkout/given-code.ts'
import { cloudName, placeName } from '../../owned/names.ts'
import { to } from '../../paths.ts'
import { flagOf, recommended } from '../../vpn/protocols.ts'
import { type Target, targetsFor } from './targets.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface Place {
  readonly id: number
  readonly code: string
  readonly title: string
  readonly is_active: boolean
}

/** Spends the code on one of them; the answer is where to go next. */
const activate = async (target: Target, promocode: string, locationId: number): Promise<string> => {
  const { kind, id } = target
  if (kind === 'config') {
    const body = { location_id: locationId, protocol: recommended, promocode }
    await once('buyConfig', body, (idempotencyKey) => api.buyConfig({ body, idempotencyKey }))
    return to('/connect')
  }
  if (kind === 'renewal') {
    await once('renewConfig', { id, promocode }, (idempotencyKey) =>
      api.renewConfig({ params: { config_id: id }, body: { promocode }, idempotencyKey }),
    )
    return to('/configs/:id', { id })
  }
  if (kind === 'option') {
    const body = { paid_option_id: id, promocode }
    await once('buyPaidOption', body, (idempotencyKey) => api.buyPaidOption({ body, idempotencyKey }))
    return to('/connect')
  }
  const body = { server_id: id, promocode }
  await once('renewCloudServer', body, (idempotencyKey) => api.renewCloudServer({ body, idempotencyKey }))
  return to('/clouds/:id', { id })
}

const LocationField = ({
  locations,
  value,
  onChoose,
}: {
  readonly locations: readonly Place[]
  readonly value: number | undefined
  readonly onChoose: (id: number) => void
}) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{say('where')}</label>
      <select id={id} value={value} onChange={(event) => onChoose(Number(event.currentTarget.value))}>
        {locations.map((one) => (
          <option key={one.id} value={one.id}>
            {flagOf(one.code)} {one.title}
          </option>
        ))}
      </select>
      <p class="small">
        {say('whereHint')} <a href={`${to('/shop/config')}?code=1`}>{say('settings')}</a>
      </p>
    </div>
  )
}

const endText = (at: number): string => say(at > now() ? 'until' : 'ended', { date: date(at) })

const choosable = (one: Target, places: readonly Place[]): Choosable<string> => {
  const { value, kind } = one
  if (kind === 'config') return { value, title: say('newConfig'), text: say('newConfigText') }
  if (kind === 'order') return { value, title: say('newCloud'), text: say('newCloudText') }
  if (kind === 'option') return { value, title: one.title, text: one.text }
  const at = places.find(({ id }) => id === one.locationId)
  const place = at && placeName(at)
  const title =
    kind === 'cloud'
      ? cloudName({ hostname: one.title || null, id: one.id }, place)
      : one.title || (place ?? say('nameless'))
  return {
    value,
    title: say(kind === 'cloud' ? 'renewServer' : 'renew', { title }),
    text: endText(one.endsAt ?? 0),
  }
}

interface ChoosingProps {
  readonly code: string
  readonly targets: readonly Target[]
  readonly places: readonly Place[]
}

const Choosing = ({ code, targets, places }: ChoosingProps) => {
  const { route } = useLocation()
  const chosen = useSignal<string | undefined>(undefined)
  const locationId = useSignal<number | undefined>(undefined)
  const target = targets.find(({ value }) => value === chosen.value) ?? targets[0]
  const active = places.filter((one) => one.is_active)
  const where = locationId.value ?? active[0]?.id
  if (!target) return <Empty title={say('nothingToUse')} />
  const run = async () => {
    const next = await activate(target, code, where ?? 0)
    keepCode(undefined)
    forgetRead('configs', 'options', 'clouds', 'profile')
    tell(say('done'))
    route(next)
  }
  return (
    <Card>
      <Choice
        legend={say('forWhat')}
        value={target.value}
        onChoose={(value) => {
          chosen.value = value
        }}
        options={targets.map((one) => choosable(one, places))}
      />
      {target.kind === 'config' && (
        <LocationField
          locations={active}
          value={where}
          onChoose={(id) => {
            locationId.value = id
          }}
        />
      )}
      {target.kind === 'order' ? (
        <a class="button p" href={`${to('/shop/cloud')}?code=1`}>
          {say('chooseCloud')}
        </a>
      ) : (
        <Act kind="p" isSpending run={run}>
          {say('activate')}
        </Act>
      )}
      <p class="small">{say('once')}</p>
    </Card>
  )
}

/** Everything it may be for. Which it is, only the service knows, and only when it is used. */
export const Activation = ({ given }: { readonly given: GivenCode }) => {
  const configs = useResource('configs', () => api.listConfigs({ query: { limit: 20 } }), { keep: true })
  const options = useResource('option-tariffs', () => api.listPaidOptionTariffs())
  const clouds = useResource('clouds', () => api.listCloudServers(), { keep: true })
  const locations = useResource('locations', () => api.listLocations())
  return (
    <Shown of={locations}>
      {(places) => (
        <Shown of={options}>
          {(onSale) => (
            <Choosing
              code={given.code}
              places={places}
              targets={targetsFor(given.product, {
                configs: configs.data.value ?? [],
                options: onSale,
                clouds: clouds.data.value ?? [],
              })}
            />
          )}
        </Shown>
      )}
    </Shown>
  )
}
