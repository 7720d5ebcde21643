import type { Protocol } from '@sallyport/contract/shapes'
import { useId } from 'preact/hooks'
import { Choice } from '../../../kit/choice.tsx'
import { Badge } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import type { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { flagOf, protocols, recommended } from '../../vpn/protocols.ts'
import { words as vpnWords } from '../../vpn/words.en.ts'
import type { Server } from '../access.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const sayVpn = sayIn(vpnWords)

interface PickProps<V> {
  readonly value: V
  readonly onChoose: (value: V) => void
}

interface LocationsProps extends PickProps<number | undefined> {
  readonly of: Resource<Awaited<ReturnType<typeof api.listLocations>>>
}

export const Locations = ({ of, value, onChoose }: LocationsProps) => (
  <Shown of={of}>
    {(all) => (
      <Choice
        legend={say('location')}
        value={value}
        onChoose={onChoose}
        options={all
          .filter(({ id, is_active }) => is_active || id === value)
          .map(({ id, code, title, description }) => ({
            value: id,
            title: `${flagOf(code)} ${title}`,
            text: description,
          }))}
      />
    )}
  </Shown>
)

export const Protocols = ({ value, onChoose }: PickProps<Protocol | undefined>) => (
  <Choice
    legend={say('protocol')}
    value={value}
    onChoose={onChoose}
    options={protocols.map((name) => ({
      value: name,
      title: (
        <>
          {sayVpn(name)} {name === recommended && <Badge tone="good">{sayVpn('recommended')}</Badge>}
        </>
      ),
      text: sayVpn(`${name}_text`),
    }))}
  />
)

interface ServersProps extends PickProps<number | undefined> {
  /** Names what is read: another place has other servers. */
  readonly name: string
  readonly read: () => Promise<readonly Server[]>
  /** The one it is on now, which may be full. */
  readonly current: number | undefined
}

const optionsOf = (servers: readonly Server[], current: number | undefined): readonly Server[] =>
  current === undefined || servers.some(({ id }) => id === current)
    ? servers
    : [{ id: current, available_slots: 0 }, ...servers]

export const Servers = ({ name, read, value, current, onChoose }: ServersProps) => {
  const id = useId()
  const servers = useResource(`servers/${name}`, read)
  return (
    <Shown of={servers} lines={1}>
      {(all) => (
        <div class="field">
          <label for={id}>{say('server')}</label>
          <select
            id={id}
            value={value ?? ''}
            aria-describedby={`${id}-hint`}
            onChange={({ currentTarget: { value: chosen } }) => onChoose(chosen ? Number(chosen) : undefined)}
          >
            <option value="">{say('anyServer')}</option>
            {optionsOf(all, current).map((one) => (
              <option key={one.id} value={one.id}>
                {one.id === current
                  ? say('thisServer', { id: String(one.id) })
                  : say('serverNumber', { id: String(one.id), n: one.available_slots })}
              </option>
            ))}
          </select>
          <p id={`${id}-hint`} class="small">
            {say('serverHint')}
          </p>
        </div>
      )}
    </Shown>
  )
}
