import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Confirm } from '../../../kit/dialog.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { keep } from '../../../lib/kept.ts'
import { forgetRead, type Resource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { to } from '../../paths.ts'
import type { Subscription } from './order/entry.ts'
import { say } from './say.ts'

interface AskedProps {
  readonly text: string
  readonly title: string
  readonly run: () => Promise<unknown>
  readonly children: ComponentChildren
}

const Asked = ({ text, title, run, children }: AskedProps) => {
  const isOpen = useSignal(false)
  return (
    <>
      <button
        type="button"
        class="danger"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {text}
      </button>
      <Confirm isOpen={isOpen} title={title} yes={text} run={run}>
        {children}
      </Confirm>
    </>
  )
}

interface EndingProps {
  readonly read: Resource<Subscription>
  readonly subscription: Subscription
}

/** What cannot be undone. */
export const Ending = ({ read, subscription }: EndingProps) => {
  const { id, title } = subscription
  const { route } = useLocation()
  const renewKey = async () => {
    const answer = await api.resetSubscriptionKey({ params: { id } })
    read.set({ ...(read.data.value ?? subscription), ...answer })
    forgetRead(`subscription-devices/${id}`, 'custom-subscriptions')
    tell(say('keyDone'))
    scrollTo(0, 0)
  }
  const remove = async () => {
    await api.deleteCustomSubscription({ params: { id } })
    keep(`order/${id}`, undefined)
    forgetRead(`subscription/${id}`, `subscription-devices/${id}`, 'custom-subscriptions')
    tell(say('deleted'))
    route(to('/subscriptions'), true)
  }
  return (
    <Card title={say('ending')}>
      <p class="small">{say('keyAbout')}</p>
      <Asked text={say('newKey')} title={say('newKeyTitle')} run={renewKey}>
        <p>{say('newKeyText')}</p>
        <p>{say('newKeyNext')}</p>
      </Asked>
      <Asked text={say('delete')} title={say('deleteTitle', { title })} run={remove}>
        <p>{say('deleteText')}</p>
      </Asked>
    </Card>
  )
}
