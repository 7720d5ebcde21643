import { useSignal } from '@preact/signals'
import type { Protocol } from '@sallyport/contract/shapes'
import { useEffect } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead, useResource } from '../../../lib/resource.ts'
import { hasSwitches, moved } from '../../vpn/switches.ts'
import { Switches, tellDropped } from '../../vpn/switches.tsx'
import { words as vpnWords } from '../../vpn/words.en.ts'
import type { Access } from '../access.ts'
import { isMeant, Opening } from '../opening.tsx'
import { type Draft, draftOf, isSame, wishOf } from './draft.ts'
import { Locations, Protocols, Servers } from './pick.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayVpn = sayIn(vpnWords)

/** Before it is sent: what happens to links that are in use. */
const Warning = () => (
  <div class="notice">
    <p>{say('linkChanges')}</p>
    <p class="small">{say('linkChangesApps')}</p>
    <p class="small">{say('linkChangesRouter')}</p>
  </div>
)

interface EditedProps {
  readonly access: Access
  readonly draft: Draft
  readonly edit: (change: Partial<Draft>) => void
}

const Place = ({ access, draft, edit }: EditedProps) => {
  if (access.place === 'fixed') return <p class="notice">{say('fixed')}</p>
  if (access.place === 'none') return null
  return <Movable access={access} draft={draft} edit={edit} />
}

const Movable = ({ draft, edit }: EditedProps) => {
  const locations = useResource('locations', () => api.listLocations(), { keep: true })
  const name = locations.data.value?.find(({ id }) => id === draft.locationId)?.title ?? ''
  return (
    <Opening title={say('whereNow', { name })}>
      {() => (
        <Locations
          of={locations}
          value={draft.locationId}
          onChoose={(locationId) => edit({ locationId, serverId: undefined })}
        />
      )}
    </Opening>
  )
}

const ServerPick = ({ access, draft, edit }: EditedProps) => {
  const { servers } = access
  if (!servers) return null
  const { locationId, protocol, serverId } = draft
  const isHere = locationId === access.locationId
  return (
    <Opening title={say('serverNow')} isOpen={isMeant('move')}>
      {() => (
        <Servers
          key={`${locationId}/${protocol}`}
          name={`${access.kind}/${access.id}/${locationId}/${protocol}`}
          read={() => servers(locationId, protocol)}
          current={isHere ? access.server_id : undefined}
          value={serverId}
          onChoose={(id) => edit({ serverId: id })}
        />
      )}
    </Opening>
  )
}

/** What is wished for, which begins with what is. */
const useDraft = (access: Access) => {
  const draft = useSignal(draftOf(access))
  // What came of a change is what the next one begins with.
  useEffect(() => {
    draft.value = draftOf(access)
  }, [access.connection_url, access.server_id])
  /** Another place may not carry what is on. */
  const edit = (change: Partial<Draft>) => {
    const { protocol, locationId } = draft.value
    const next = { ...draft.value, ...change }
    const isMoved = next.protocol !== protocol || next.locationId !== locationId
    if (!isMoved) {
      draft.value = next
      return
    }
    const { on: kept, dropped } = moved(next, next.on)
    tellDropped(dropped)
    draft.value = { ...next, on: kept }
  }
  return { draft, edit }
}

/** Country, protocol, server and options, changed together. */
export default function Change({ access }: { readonly access: Access }) {
  const before = draftOf(access)
  const { draft, edit } = useDraft(access)
  const { protocol, locationId, on } = draft.value
  const save = async () => {
    await access.change?.(wishOf(draft.value, before))
    forgetRead('configs', 'servers')
    tell(say('saved'))
  }
  return (
    <>
      <Place access={access} draft={draft.value} edit={edit} />
      <Opening title={say('protocolNow', { protocol: sayVpn(protocol) })}>
        {() => (
          <Protocols
            value={protocol}
            onChoose={(next: Protocol | undefined) => next && edit({ protocol: next })}
          />
        )}
      </Opening>
      <ServerPick access={access} draft={draft.value} edit={edit} />
      <Opening title={on.length > 0 ? say('optionsNow', { n: on.length }) : say('options')}>
        {() =>
          hasSwitches(protocol) ? (
            <Switches place={{ protocol, locationId }} on={on} onChange={(next) => edit({ on: next })} />
          ) : (
            <p>{say('noOptions')}</p>
          )
        }
      </Opening>
      <Warning />
      <Act kind="p" run={save} disabled={isSame(draft.value, before)}>
        {say('save')}
      </Act>
    </>
  )
}
