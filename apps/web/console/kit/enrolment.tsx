import { type Signal, useSignal, useSignalEffect } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Copyable } from '../../kit/copy.tsx'
import { Dialog } from '../../kit/dialog.tsx'
import { Badge } from '../../kit/look.tsx'
import { dateTime } from '../../lib/format.ts'
import { sayIn } from '../../lib/language.ts'
import { usePolling } from '../../lib/polling.ts'
import { useResource } from '../../lib/resource.ts'
import { api } from '../api.ts'
import { to } from '../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export interface Enrolment {
  readonly nodeId: number
  readonly install: string
  readonly expires_at: number | null
}

/** Ticked off by the agent itself, when it reports. */
const Waiting = ({ enrolment }: { readonly enrolment: Enrolment }) => {
  const { nodeId: id, install, expires_at } = enrolment
  const node = useResource(`node/${id}`, () => api.showNode({ params: { id } }))
  const before = useSignal<number | null | undefined>(undefined)
  useEffect(() => {
    void node.reload().then(() => {
      before.value = node.data.value?.last_seen_at ?? null
    })
  }, [])
  const { is_online: isOnline, last_seen_at: seenAt } = node.data.value ?? {}
  // What the agent before it said is no word of this one.
  const isThere = isOnline === true && before.value !== undefined && seenAt !== before.value
  usePolling(node.reload, 2, isThere)
  return (
    <>
      <p>{say('paste')}</p>
      <Copyable text={install} />
      {expires_at !== null && <p class="small">{say('until', { at: dateTime(expires_at) })}</p>}
      <p role="status">
        {isThere ? (
          <Badge tone="good">{say('reports')}</Badge>
        ) : (
          <Badge tone="dim">{say('waitsForAgent')}</Badge>
        )}
      </p>
      {isThere && (
        <div class="acts">
          <a class="button p" href={to('/console/nodes/:id', { id })}>
            {say('toNode')}
          </a>
        </div>
      )}
    </>
  )
}

/** The one line that makes a machine ours, shown once. */
export const EnrolmentDialog = ({ of }: { readonly of: Signal<Enrolment | undefined> }) => {
  const isOpen = useSignal(false)
  useSignalEffect(() => {
    if (of.value) isOpen.value = true
  })
  useSignalEffect(() => {
    if (!isOpen.value) of.value = undefined
  })
  return (
    <Dialog isOpen={isOpen} title={say('enrolment')}>
      {of.value && <Waiting enrolment={of.value} />}
    </Dialog>
  )
}
