import { Badge, Card } from '../../../kit/look.tsx'
import { Empty } from '../../../kit/shown.tsx'
import { tell } from '../../../kit/toast.tsx'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { now } from '../../../lib/page.ts'
import { forgetRead } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { Checkout } from '../../checkout/checkout.tsx'
import { wishIn } from '../../checkout/choices.ts'
import { useInAddress } from '../../checkout/in-address.ts'
import type { Link } from '../../checkout/pay.ts'
import type { Paying } from '../../checkout/paying.ts'
import { endAfter, type Method } from '../../checkout/prices.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

interface Renewed {
  readonly expires_at: number
}

export interface RenewalProps {
  readonly title: string
  readonly about?: string | undefined
  readonly endsAt: number
  /** It renews itself already. */
  readonly isAuto: boolean
  readonly methods: readonly Method[]
  /** Where it is seen. */
  readonly home: string
  /** What was read of it before. */
  readonly reads: string
  readonly renew: (paying: Paying, auto: { readonly enable_auto_renewal?: true }) => Promise<Renewed | Link>
}

/** When it ends or has ended, by word and shape. */
const End = ({ at }: { readonly at: number }) =>
  at > now() ? (
    <Badge tone="good">{say('endsOn', { date: date(at) })}</Badge>
  ) : (
    <Badge tone="bad">{say('endedOn', { date: date(at) })}</Badge>
  )

/** More days of what one has, or of what has ended and is kept for a while. */
export const Renewal = ({ title, about, endsAt, isAuto, methods, home, reads, renew }: RenewalProps) => {
  const { route } = useLocation()
  const { wish, choose } = useInAddress(wishIn)
  const isOver = endsAt <= now()
  const isEnabling = wish.isAuto && !wish.isCode && !isAuto
  return (
    <>
      <Card title={title}>
        <p>
          <End at={endsAt} />
        </p>
        {about !== undefined && <p class="small">{about}</p>}
        <p>{say(isOver ? 'isOver' : 'isAdded')}</p>
      </Card>
      <Checkout
        methods={methods}
        wish={{ ...wish, isGift: false }}
        choose={choose}
        send={(paying) => renew(paying, isEnabling ? { enable_auto_renewal: true } : {})}
        onDone={({ expires_at: end }) => {
          forgetRead(reads)
          tell(say('renewed', { date: date(end) }))
          route(home)
        }}
        isRenewal
        untilOf={(days) => endAfter(now(), endsAt, days)}
        auto={isAuto ? 'on' : undefined}
      />
    </>
  )
}

export const Gone = () => (
  <Empty title={say('gone')}>
    <p class="small">{say('goneWhy')}</p>
    <a class="button p" href={to('/shop')}>
      {say('toShop')}
    </a>
  </Empty>
)
