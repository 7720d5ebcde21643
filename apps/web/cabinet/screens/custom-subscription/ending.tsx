import { Confirmed } from '../../../kit/dialog.tsx'
import { Card } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { api } from '../../../lib/api.ts'
import { keep } from '../../../lib/kept.ts'
import { forgetRead, type Resource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { to } from '../../paths.ts'
import type { Subscription } from './order/entry.ts'
import { say } from './say.ts'

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
      <Confirmed yes={say('newKey')} title={say('newKeyTitle')} run={renewKey}>
        <p>{say('newKeyText')}</p>
        <p>{say('newKeyNext')}</p>
      </Confirmed>
      <Confirmed yes={say('delete')} title={say('deleteTitle', { title })} run={remove}>
        <p>{say('deleteText')}</p>
      </Confirmed>
    </Card>
  )
}
