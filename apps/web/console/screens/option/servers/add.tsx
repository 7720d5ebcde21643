import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { sayIn } from '../../../../lib/language.ts'
import type { Server, useServers } from '../../../kit/catalogue/servers.ts'
import { words } from '../words.en.ts'

const say = sayIn(words)

interface AddProps {
  readonly protocol: string
  /** Those it has or is to have. */
  readonly present: readonly number[]
  readonly servers: ReturnType<typeof useServers>
  readonly add: (id: number) => void
}

const mayJoin =
  ({ protocol, present }: AddProps) =>
  ({ id, state, protocols }: Server): boolean =>
    state === 'selling' && protocols.includes(protocol) && !present.includes(id)

/** One more of those that sell and offer its protocol. */
export const Add = (props: AddProps) => {
  const { protocol, servers, add } = props
  const id = useId()
  const chosen = useSignal('')
  const free = (servers.servers.data.value ?? []).filter(mayJoin(props))
  if (free.length === 0) return <p class="small">{say('noMoreServers', { protocol })}</p>
  const press = () => {
    if (chosen.value === '') return
    add(Number(chosen.value))
    chosen.value = ''
  }
  return (
    <div class="adding">
      <div class="field">
        <label for={id}>{say('addServer', { protocol })}</label>
        <select id={id} value={chosen.value} onChange={(event) => (chosen.value = event.currentTarget.value)}>
          <option value="">—</option>
          {free.map((server) => (
            <option key={server.id} value={String(server.id)}>
              {say('withDomain', { name: servers.nameOf(server.id), domain: server.domain })}
            </option>
          ))}
        </select>
      </div>
      <button type="button" disabled={chosen.value === ''} onClick={press}>
        {say('add')}
      </button>
    </div>
  )
}
