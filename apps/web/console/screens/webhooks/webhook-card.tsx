import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Confirmed, Dialog } from '../../../kit/dialog.tsx'
import { FoldedPart } from '../../../kit/later.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { date, dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { forgetRead, type Resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import { Deliveries, readDeliveries } from './deliveries.tsx'
import { eventTitle, type Webhook } from './events.ts'
import { fields } from './fields.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface WebhookProps {
  readonly webhook: Webhook
  readonly of: Resource<readonly Webhook[]>
}

const State = ({ is_active, failing_since }: Webhook) => {
  if (!is_active) return <Badge tone="dim">{say('off')}</Badge>
  return failing_since === null ? (
    <Badge tone="good">{say('working')}</Badge>
  ) : (
    <Badge tone="bad">{say('failing', { at: dateTime(failing_since) })}</Badge>
  )
}

const Change = ({ webhook, of }: WebhookProps) => {
  const isOpen = useSignal(false)
  const { id, url } = webhook
  const replace = (saved: Webhook) => {
    of.set((of.data.peek() ?? []).map((one) => (one.id === id ? saved : one)))
    isOpen.value = false
  }
  return (
    <>
      <button type="button" aria-label={say('changeOf', { url })} onClick={() => (isOpen.value = true)}>
        {say('change')}
      </button>
      <Dialog isOpen={isOpen} title={say('changeTitle')}>
        <Edit
          row={webhook}
          fields={fields}
          send={(body) => api.changeWebhook({ params: { id }, body })}
          onSaved={replace}
        />
      </Dialog>
    </>
  )
}

type Outcome = Awaited<ReturnType<typeof api.testWebhook>>

const outcomeText = ({ is_delivered, status, took_ms }: Outcome): string => {
  const ms = number(took_ms)
  if (status === null) return say('notReached', { ms })
  return say(is_delivered ? 'accepted' : 'refused', { status: `${status}`, ms })
}

/** What came back, beside the button until the next one. */
const TestOutcome = ({ outcome }: { readonly outcome: Outcome | undefined }) => (
  <div role="status" aria-label={say('testing')}>
    {outcome && (
      <>
        <Badge tone={outcome.is_delivered ? 'good' : 'bad'}>{outcomeText(outcome)}</Badge>
        {!outcome.is_delivered && outcome.error !== null && (
          <p class="small" lang="en">
            {outcome.error}
          </p>
        )}
      </>
    )}
  </div>
)

const useTest = (id: number) => {
  const outcome = useSignal<Outcome | undefined>(undefined)
  const run = async () => {
    outcome.value = undefined
    outcome.value = await api.testWebhook({ params: { id } })
    await readDeliveries(id).reload()
  }
  return { outcome, run }
}

export const WebhookCard = ({ webhook, of }: WebhookProps) => {
  const { id, url, events, created_at } = webhook
  const { outcome, run } = useTest(id)
  const remove = async () => {
    await api.deleteWebhook({ params: { id } })
    tell(say('removed'))
    forgetRead(`deliveries/${id}`)
    await of.reload()
  }
  return (
    <Card title={url} side={<State {...webhook} />}>
      <p>
        {say('toldOf')}: {events.map(eventTitle).join(' · ')}
        <span class="small"> {say('since', { at: date(created_at) })}</span>
      </p>
      <div class="acts">
        {may('testWebhook') && (
          <Act run={run} label={say('testOf', { url })}>
            {say('test')}
          </Act>
        )}
        {may('changeWebhook') && <Change webhook={webhook} of={of} />}
        {may('deleteWebhook') && (
          <Confirmed title={say('removeTitle')} yes={say('remove')} run={remove}>
            <p>{say('removeText', { url })}</p>
          </Confirmed>
        )}
      </div>
      <TestOutcome outcome={outcome.value} />
      {may('listWebhookDeliveries') && (
        <FoldedPart title={say('deliveries')}>{() => <Deliveries id={id} url={url} />}</FoldedPart>
      )}
    </Card>
  )
}
