import type { UserConfig } from '@sallyport/contract/customer/shapes'
import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead, type Resource, useResource } from '../../../lib/resource.ts'
import { Connect } from '../../access/connect.tsx'
import { configAccess, readConfig } from '../../access/owners/config.ts'
import { Parts } from '../../access/parts.tsx'
import { AutoRenewal } from '../../access/renewal.tsx'
import { Away, Online } from '../../access/state.tsx'
import { Ended, isEnded, leftText } from '../../access/term.tsx'
import { Title } from '../../access/title.tsx'
import { Within } from '../../access/within.tsx'
import { words as accessWords } from '../../access/words.en.ts'
import { placeName } from '../../owned/names.ts'
import { isOnItsWay } from '../../owned/place.ts'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { words as vpnWords } from '../../vpn/words.en.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayAccess = sayIn(accessWords)
const sayVpn = sayIn(vpnWords)

/** How long what has ended can be brought back. */
const graceDays = 14

interface OneProps {
  readonly config: UserConfig
  readonly place: { readonly code: string; readonly title: string } | undefined
  /** Whether its place may still come. */
  readonly isPlaceOnItsWay: boolean
  readonly of: Resource<UserConfig | null>
}

const State = ({ config, place, of }: Omit<OneProps, 'isPlaceOnItsWay'>) => {
  const tariffs = useResource('config-tariffs', () => api.listConfigTariffs(), { keep: true })
  const { id, expires_at: expiresAt, is_online: isOnline } = config
  return (
    <Card>
      <Facts
        rows={[
          [sayAccess('state'), <Online key="state" isOnline={isOnline} />],
          [sayAccess('place'), place ? placeName(place) : '–'],
          [sayAccess('protocol'), sayVpn(config.protocol)],
          [sayAccess('until'), leftText(expiresAt)],
        ]}
      />
      {isOnline === false && <Away />}
      <a class="button" href={to('/configs/:id/renew', { id })}>
        {sayAccess('renew')}
      </a>
      <Within of={tariffs} lines={1}>
        {(methods) => (
          <AutoRenewal
            of={config}
            methods={methods}
            save={(body) => api.switchAutoRenewal({ params: { config_id: id }, body })}
            onSaved={(renewed) => of.set({ ...config, ...renewed })}
          />
        )}
      </Within>
    </Card>
  )
}

const One = (props: OneProps) => {
  const { config, place, isPlaceOnItsWay, of } = props
  const { id, expires_at: expiresAt } = config
  const usualName = place ? `${placeName(place)} · ${id}` : `${say('title')} · ${id}`
  const access = configAccess(config, usualName, {
    set: (changed) => {
      of.set(changed)
      forgetRead('configs', 'bridge-ends')
    },
    reload: of.reload,
  })
  return (
    <>
      <Title
        title={config.title}
        usualName={isPlaceOnItsWay ? undefined : usualName}
        rename={access.rename}
      />
      {isEnded(expiresAt) ? (
        <Ended expiresAt={expiresAt} graceDays={graceDays} renewAt={to('/configs/:id/renew', { id })} />
      ) : (
        <>
          <State {...props} />
          <Connect access={access} />
          <Parts access={access} />
        </>
      )}
    </>
  )
}

export default function Config({ params }: ScreenProps) {
  const id = Number(params.id)
  const config = useResource(`config/${id}`, () => readConfig(id), { keep: true })
  const locations = useResource('locations', () => api.listLocations(), { keep: true })
  return (
    <Shown of={config} heading={say('title')}>
      {(found) =>
        found ? (
          <One
            config={found}
            place={locations.data.value?.find((location) => location.id === found.location_id)}
            isPlaceOnItsWay={isOnItsWay(locations)}
            of={config}
          />
        ) : (
          <>
            <h1>{say('title')}</h1>
            <Empty title={say('missing')}>
              <a class="button p" href={to('/shop/config')}>
                {say('buy')}
              </a>
            </Empty>
          </>
        )
      }
    </Shown>
  )
}
