import { type Signal, useSignal } from '@preact/signals'
import { canBeginBridge } from '@sallyport/domain/vpn/bridge-rules'
import { useId } from 'preact/hooks'
import { Act } from '../../../kit/act.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { to } from '../../paths.ts'
import { type Access, nameOf } from '../access.ts'
import { type Bridge, type End, exitsFor, readEnds } from './ends.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface BridgesProps {
  readonly access: Access
  readonly ends: readonly End[]
  readonly bridges: readonly Bridge[]
  readonly onChanged: () => Promise<unknown>
}

/** Those that begin or end here; each can be taken away. */
const Present = ({ access, ends, bridges, onChanged }: BridgesProps) => {
  const here = bridges.filter(
    ({ first_config_id: first, second_config_id: second }) => first === access.id || second === access.id,
  )
  if (here.length === 0) return null
  const endName = (id: number) => ends.find((end) => end.id === id)?.name ?? `VPN · ${id}`
  return (
    <ul class="list">
      {here.map((bridge) => {
        const isEntry = bridge.first_config_id === access.id
        const other = endName(isEntry ? bridge.second_config_id : bridge.first_config_id)
        return (
          <li key={bridge.id}>
            <span>{say(isEntry ? 'leadsTo' : 'comesFrom', { name: other })}</span>
            <Act
              label={say('removeIt', { name: other })}
              run={async () => {
                await api.removeBridge({ params: { bridge_id: bridge.id } })
                await onChanged()
                tell(say('removed'))
              }}
            >
              {say('remove')}
            </Act>
          </li>
        )
      })}
    </ul>
  )
}

interface ExitsProps {
  readonly label: string
  readonly exits: readonly End[]
  readonly chosen: Signal<string>
}

const Exits = ({ label, exits, chosen }: ExitsProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={chosen.value}
        onChange={(event) => {
          chosen.value = event.currentTarget.value
        }}
      >
        <option value="">{say('choose')}</option>
        {exits.map((end) => (
          <option key={end.id} value={String(end.id)}>
            {end.name}
          </option>
        ))}
      </select>
    </div>
  )
}

const Make = ({ access, ends, bridges, onChanged }: BridgesProps) => {
  const chosen = useSignal('')
  const exits = exitsFor(access, ends, bridges)
  const exit = exits.find((end) => String(end.id) === chosen.value)
  if (exits.length === 0)
    return (
      <p>
        {say('noExits')} <a href={to('/shop')}>{say('toShop')}</a>
      </p>
    )
  const isBridged = bridges.some(({ first_config_id: first }) => first === access.id)
  const make = async () => {
    if (!exit) return
    const body = {
      first_config_id: access.id,
      first_type: access.kind,
      second_config_id: exit.id,
      second_type: exit.kind,
    }
    await once('makeBridge', body, (idempotencyKey) => api.makeBridge({ body, idempotencyKey }))
    chosen.value = ''
    await onChanged()
    tell(say('made'))
  }
  return (
    <>
      <Exits label={say(isBridged ? 'exitInstead' : 'exit')} exits={exits} chosen={chosen} />
      {exit && <p class="small">{say('path', { entry: nameOf(access), exit: exit.name })}</p>}
      <Act kind="p" run={make} disabled={!exit}>
        {say('make')}
      </Act>
    </>
  )
}

const Both = ({
  access,
  ends,
  bridges,
}: {
  readonly access: Access
  readonly ends: readonly End[]
  readonly bridges: Resource<Bridge[]>
}) => (
  <Shown of={bridges}>
    {(all) => {
      const props = {
        access,
        ends,
        bridges: all,
        onChanged: () => Promise.all([bridges.reload(), access.reload()]),
      }
      return (
        <>
          <Present {...props} />
          {access.protocol !== 'mtproto' && canBeginBridge(access.protocol) ? (
            <Make {...props} />
          ) : (
            <p class="notice">{say('cannotBegin')}</p>
          )}
        </>
      )
    }}
  </Shown>
)

/** In by this one, out by another. */
export default function BridgePart({ access }: { readonly access: Access }) {
  const ends = useResource('bridge-ends', readEnds)
  const bridges = useResource('bridges', () => api.listBridges())
  return (
    <>
      <p>{say('about')}</p>
      <Shown of={ends}>{(all) => <Both access={access} ends={all} bridges={bridges} />}</Shown>
    </>
  )
}
