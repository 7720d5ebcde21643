import { useSignal } from '@preact/signals'
import { Dialog } from '../../../kit/dialog.tsx'
import { Form } from '../../../kit/form.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { Fields } from '../../kit/forms/fields.tsx'
import type { Term, TermProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Server = Awaited<ReturnType<typeof api.listServers>>[number]

const most = 500

/** Those of the same location that sell, have room and speak its protocols. */
const fits =
  ({ place, accesses }: Term) =>
  ({ id, used_slots, capacity, protocols }: Server): boolean =>
    id !== place?.server_id &&
    used_slots < capacity &&
    accesses.every(({ protocol }) => protocols.includes(protocol))

const Choice = ({ term, send }: { readonly term: Term; readonly send: (id: number) => Promise<void> }) => {
  const locationId = term.place?.location_id ?? 0
  const servers = useResource(`servers-at/${locationId}`, () =>
    api.listServers({ query: { location_id: locationId, state: 'selling', limit: most } }),
  )
  return (
    <Shown of={servers} lines={1}>
      {(all) => {
        const free = all.filter(fits(term))
        if (free.length === 0) return <p class="notice">{say('nowhereToMove')}</p>
        return (
          <Form send={({ server_id }) => send(Number(server_id))} submit={say('moveNow')}>
            <Fields
              fields={[
                {
                  name: 'server_id',
                  label: say('toServer'),
                  kind: 'choice',
                  isRequired: true,
                  options: free.map(({ id, domain, capacity, used_slots }) => [
                    String(id),
                    say('serverRoom', { id: `${id}`, domain, n: capacity - used_slots }),
                  ]),
                },
              ]}
            />
          </Form>
        )
      }}
    </Shown>
  )
}

/** To another server; the old link works until the app has fetched again. */
export const Move = ({ term, of }: TermProps) => {
  const isOpen = useSignal(false)
  const id = term.term_id
  const send = async (serverId: number) => {
    const body = { server_id: serverId }
    const { old_works_until } = await once('moveTerm', { id, body }, (idempotencyKey) =>
      api.moveTerm({ params: { id }, body, idempotencyKey }),
    )
    isOpen.value = false
    tell(say('moved', { at: dateTime(old_works_until) }))
    await of.reload()
  }
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {say('move')}
      </button>
      <Dialog isOpen={isOpen} title={say('move')}>
        <p>{say('moveText')}</p>
        <Choice term={term} send={send} />
      </Dialog>
    </>
  )
}
