import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { Ticks, tickedIn } from '../../kit/forms/ticks.tsx'
import { useLocations } from '../../kit/places.ts'
import type { Drain } from './drain-props.ts'
import type { ServerRow } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** No more can be named. */
const mostTargets = 100

const freeOn = ({ capacity, used_slots }: ServerRow): number => Math.max(0, capacity - used_slots)

interface StartProps {
  readonly server: ServerRow
  readonly begun: (drain: Drain) => Promise<void>
}

const Targets = ({
  server,
  others,
}: {
  readonly server: ServerRow
  readonly others: readonly ServerRow[]
}) => {
  const { nameOf } = useLocations()
  const here = others.filter(({ location_id }) => location_id === server.location_id)
  const elsewhere = others.filter(({ location_id }) => location_id !== server.location_id)
  const room = here.reduce((sum, one) => sum + freeOn(one), 0)
  return (
    <>
      <p class={room < server.used_slots ? 'notice' : 'small'}>
        {say(here.length === 0 ? 'noOthers' : room < server.used_slots ? 'tooLittle' : 'enough', { n: room })}
      </p>
      {others.length > 0 && (
        <Ticks
          name="to_server_ids"
          legend={say('whereTo')}
          hint={say('whereToHint')}
          options={[...here, ...elsewhere].slice(0, mostTargets).map((one) => ({
            value: one.id,
            title: say('target', { id: `${one.id}`, place: nameOf(one.location_id) }),
            text: say('free', { n: freeOn(one) }),
          }))}
        />
      )}
    </>
  )
}

const StartForm = ({ server, begun }: StartProps) => {
  const { id } = server
  const others = useResource(`servers/beside/${id}`, () =>
    api.listServers({ query: { state: 'selling', limit: 500 } }),
  )
  const send = async (filled: Readonly<Record<string, string>>) => {
    const named = tickedIn(filled, 'to_server_ids').map(Number)
    const body = named.length > 0 ? { to_server_ids: named } : {}
    const drain = await once('startDrain', { id, body }, (idempotencyKey) =>
      api.startDrain({ params: { id }, body, idempotencyKey }),
    )
    tell(say('begun'))
    await begun(drain)
  }
  return (
    <>
      <p>{say('drainText')}</p>
      <Shown of={others} lines={2}>
        {(rows) => (
          <Form send={send} submit={say('drainNow')} kind="danger">
            <Targets server={server} others={rows.filter((one) => one.id !== id)} />
          </Form>
        )}
      </Shown>
    </>
  )
}

/** Where everybody goes is chosen before it begins. */
export const StartDrain = ({ server, begun }: StartProps) => {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
        {say('drain')}
      </button>
      <Dialog
        isOpen={isOpen}
        title={server.used_slots > 0 ? say('drainTitle', { n: server.used_slots }) : say('drainNone')}
      >
        <StartForm
          server={server}
          begun={async (drain) => {
            isOpen.value = false
            await begun(drain)
          }}
        />
      </Dialog>
    </>
  )
}
