import { Copy } from '../../../kit/copy.tsx'
import { Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { to } from '../../paths.ts'
import { Create } from './create.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** As many as the service lets one have. */
const most = 50

type Subscription = Awaited<ReturnType<typeof api.listCustomSubscriptions>>[number]

const Line = ({
  subscription: { id, title, items_count, subscription_key: key },
}: {
  readonly subscription: Subscription
}) => (
  <li>
    <div>
      <a href={to('/subscriptions/:id', { id })}>
        <b>{title}</b>
      </a>
      <p class="small">{say('items', { n: items_count })}</p>
    </div>
    <Copy text={`${page.origin || location.origin}/sub/${key}`} label={say('copyLink')} />
  </li>
)

/** Links with a part of what the customer has, each in its own order. */
export default function Subscriptions() {
  const subscriptions = useResource('custom-subscriptions', () => api.listCustomSubscriptions(), {
    keep: true,
  })
  return (
    <>
      <h1>{say('title')}</h1>
      <p>{say('about')}</p>
      <Shown of={subscriptions}>
        {(all) => (
          <>
            {all.length === 0 ? (
              <Empty title={say('none')} />
            ) : (
              <Card title={say('list')}>
                <ul class="list">
                  {all.map((one) => (
                    <Line key={one.id} subscription={one} />
                  ))}
                </ul>
              </Card>
            )}
            {all.length < most ? <Create /> : <p class="notice">{say('tooMany', { n: most })}</p>}
          </>
        )}
      </Shown>
    </>
  )
}
