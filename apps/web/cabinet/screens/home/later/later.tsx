import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Card } from '../../../../kit/look.tsx'
import { Problem } from '../../../../kit/problem.tsx'
import { Loading } from '../../../../kit/shown.tsx'
import { api } from '../../../../lib/api.ts'
import { money } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import { now, page } from '../../../../lib/page.ts'
import { useResource } from '../../../../lib/resource.ts'
import { loadStyle } from '../../../../lib/style.ts'
import { LostPurchases } from '../../../lost/card.tsx'
import { begunPayment } from '../../../lost/lost.ts'
import { to } from '../../../paths.ts'
import styleUrl from '../../../style/home-later.css?url'
import { Support } from '../../../support/support.tsx'
import { rest } from '../rest.ts'
import { words } from './words.en.ts'

/** What is loaded once the cards stand. */

export { Beside } from './beside.tsx'
export { MoreConfigs } from './more-configs.tsx'
export { chargesFor, Needs, ownServer } from './needs.ts'

const say = sayIn(words)

export const style = loadStyle(styleUrl)

/** Who has nothing at all is shown the way; what is left to come may still be something. */
export const Nothing = () => {
  const { clouds, ended } = rest()
  const error = clouds.error.value ?? ended.error.value
  const reload = () => void Promise.all([clouds.reload(), ended.reload()])
  if (error !== undefined) return <Problem error={error} onRetry={reload} />
  if (!clouds.data.value || !ended.data.value) return <Loading lines={2} />
  return (
    <section class="empty">
      <h2>{say('greeting')}</h2>
      <p class="lines">{page.welcome ?? say('greetingText')}</p>
      <div class="acts">
        <a class="button p" href={to('/shop')}>
          {say('choose')}
        </a>
        <a class="button" href={to('/gift')}>
          {say('haveCode')}
        </a>
      </div>
      <Support />
    </section>
  )
}

type Payment = Awaited<ReturnType<typeof api.getPayment>>

const recent = () => api.listPayments({ query: { limit: 10 } })

/** A payment that was left halfway, while its link is good. */
const Begun = () => {
  const history = useResource('payments/recent', recent)
  const shown = useSignal<Payment | undefined>(undefined)
  const id = begunPayment(history.data.value ?? [], now())?.id
  useEffect(() => {
    if (id === undefined) return
    api.getPayment({ params: { id } }).then(
      (payment) => {
        shown.value = payment
      },
      () => undefined,
    )
  }, [id, shown])
  const payment = shown.value
  if (payment?.state !== 'waiting' && payment?.state !== 'processing') return null
  const sum = money(Number(payment.amount), payment.currency)
  const isWaiting = payment.state === 'waiting'
  const begun =
    payment.title === null ? say('begunShort', { sum }) : say('begun', { sum, what: payment.title })
  return (
    <section class="notice ask">
      <p>{isWaiting ? begun : say('working', { sum })}</p>
      <a class="button" href={to('/payments/:id', { id: payment.id })}>
        {say(isWaiting ? 'goOn' : 'look')}
      </a>
    </section>
  )
}

export const Unfinished = () => (
  <>
    <LostPurchases />
    <Begun />
  </>
)

const Own = () => {
  const subscriptions = useResource('custom-subscriptions', () => api.listCustomSubscriptions(), {
    keep: true,
  })
  const list = subscriptions.data.value ?? []
  if (list.length === 0) return null
  return (
    <Card title={say('own')}>
      <ul class="list">
        {list.map(({ id, title, items_count: n }) => (
          <li key={id}>
            <div>
              <a href={to('/subscriptions/:id', { id })}>{title}</a>
              <p class="small">{say('items', { n })}</p>
            </div>
            <a
              class="button"
              href={`${to('/connect')}?for=${id}`}
              aria-label={say('connectIt', { name: title })}
            >
              {say('connect')}
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

export const Further = () => (
  <>
    <Own />
    <nav class="pairs" aria-label={say('also')}>
      <a class="button" href={to('/devices')}>
        {say('devices')}
      </a>
      <a class="button" href={to('/subscriptions')}>
        {say('subscriptions')}
      </a>
      <a class="button" href={to('/keys')}>
        {say('keys')}
      </a>
      <a class="button" href={to('/gift')}>
        {say('code')}
      </a>
      <Support isButton />
    </nav>
  </>
)
