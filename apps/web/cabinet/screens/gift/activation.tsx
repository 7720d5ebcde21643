import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Act } from '../../../kit/act.tsx'
import { Choice, type Choosable } from '../../../kit/choice.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { type GivenCode, keepCode } from '../../checkout/given-code.ts'
import { to } from '../../paths.ts'
import { flagOf, recommended } from '../../vpn/protocols.ts'
import { type Target, targetsFor } from './targets.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** Everything it may be for. Which it is, only the service knows, and only when it is used. */
const useTargets = () => {
  const configs = useResource('configs', () => api.listConfigs({ query: { limit: 20 } }), { keep: true })
  const options = useResource('option-tariffs', () => api.listPaidOptionTariffs())
  const clouds = useResource('clouds', () => api.listCloudServers(), { keep: true })
  const locations = useResource('locations', () => api.listLocations())
  return { configs, options, clouds, locations }
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
  readonly locations: readonly { readonly id: number; readonly code: string; readonly title: string }[]
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

export const Activation = ({ given }: { readonly given: GivenCode }) => {
  const { route } = useLocation()
  const { configs, options, clouds, locations } = useTargets()
  const chosen = useSignal<string | undefined>(undefined)
  const locationId = useSignal<number | undefined>(undefined)
  return (
    <Shown of={locations}>
      {(all) => {
        const active = all.filter((one) => one.is_active)
        const titleOf = (id: number) => {
          const place = all.find((one) => one.id === id)
          return place ? `${flagOf(place.code)} ${place.title}` : String(id)
        }
        const targets = targetsFor(given.product, {
          configs: configs.data.value ?? [],
          options: options.data.value ?? [],
          clouds: clouds.data.value ?? [],
        })
        const target = targets.find(({ value }) => value === chosen.value) ?? targets[0]
        const where = locationId.value ?? active[0]?.id
        if (!target) return null
        const shown = (one: Target): Choosable<string> => {
          if (one.kind === 'config')
            return { value: one.value, title: say('newConfig'), text: say('newConfigText') }
          if (one.kind === 'order')
            return { value: one.value, title: say('newCloud'), text: say('newCloudText') }
          if (one.kind === 'option') return { value: one.value, title: one.title, text: one.text }
          const title = one.title || titleOf(one.locationId ?? 0)
          return {
            value: one.value,
            title: say('renew', { title }),
            text: say('until', { date: date(one.endsAt ?? 0) }),
          }
        }
        const run = async () => {
          const next = await activate(target, given.code, where ?? 0)
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
              options={targets.map(shown)}
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
      }}
    </Shown>
  )
}
