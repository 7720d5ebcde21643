import { Empty, Shown } from '../../../kit/shown.tsx'
import { api, SallyportError } from '../../../lib/api.ts'
import { useResource } from '../../../lib/resource.ts'
import { Loaded, Opening } from '../../access/opening.tsx'
import { to } from '../../paths.ts'
import type { ScreenProps } from '../../screen-props.ts'
import { Ending } from './ending.tsx'
import { Heading } from './heading.tsx'
import { Link } from './link.tsx'
import { Order } from './order/order.tsx'
import { say } from './say.ts'

const loadDevices = () => import('./devices.tsx')
const loadTemplate = () => import('./template/template.tsx')

const isAbsent = (error: unknown): boolean =>
  error instanceof SallyportError && (error.statusCode === 404 || error.statusCode === 400)

const Gone = () => (
  <>
    <h1>{say('title')}</h1>
    <Empty title={say('absent')}>
      <a class="button p" href={to('/subscriptions')}>
        {say('toAll')}
      </a>
    </Empty>
  </>
)

/** One link put together: what is in it, who fetches it, and how it ends. */
export default function CustomSubscription({ params }: ScreenProps) {
  const id = Number(params.id)
  const read = useResource(`subscription/${id}`, () => api.showCustomSubscription({ params: { id } }), {
    keep: true,
  })
  if (isAbsent(read.error.value)) return <Gone />
  return (
    <Shown of={read} heading={say('title')}>
      {(subscription) => (
        <>
          <Heading read={read} subscription={subscription} />
          <Link subscription={subscription} />
          <Order key={id} read={read} subscription={subscription} />
          <section class="card folds">
            <Opening title={say('devices')}>
              {() => <Loaded key={subscription.subscription_key} load={loadDevices} props={{ id }} />}
            </Opening>
            <Opening title={say('template')}>{() => <Loaded load={loadTemplate} props={{ id }} />}</Opening>
          </section>
          <Ending read={read} subscription={subscription} />
          <p>
            <a href={to('/subscriptions')}>{say('toAll')}</a>
          </p>
        </>
      )}
    </Shown>
  )
}
