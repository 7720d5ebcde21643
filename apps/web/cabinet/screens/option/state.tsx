import type { OptionSubscription, PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import { Facts } from '../../../kit/fold.tsx'
import { Badge, Bar, Card } from '../../../kit/look.tsx'
import { api } from '../../../lib/api.ts'
import { bytes } from '../../../lib/bytes.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { AutoRenewal } from '../../access/renewal.tsx'
import { leftText } from '../../access/term.tsx'
import { Within } from '../../access/within.tsx'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = { active: 'good', limited: 'bad', disabled: 'bad', expired: 'bad' } as const

export const useOptionUsage = (id: number) =>
  useResource(`option-traffic/${id}`, () => api.showOptionSubscription({ params: { id } }), { keep: true })

/** How near the end of the traffic is. */
export const trafficTone = (part: number): 'good' | 'warn' | 'bad' =>
  part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : 'good'

interface UsageProps {
  readonly usage: OptionSubscription
  readonly expiresAt: number
}

const Traffic = ({ usage, expiresAt }: UsageProps) => {
  const { used_traffic_bytes: spent, traffic_limit_bytes: most, period_ends_at: end } = usage
  const isLast = end >= expiresAt
  const [used, limit, until] = [bytes(spent), bytes(most), date(end)]
  if (most === 0)
    return <p>{isLast ? say('trafficFreeLast', { used }) : say('trafficFree', { used, date: until })}</p>
  const label = isLast ? say('trafficLast', { used, limit }) : say('traffic', { used, limit, date: until })
  return <Bar part={spent / most} tone={trafficTone(spent / most)} label={label} />
}

/** The traffic is used up: until when, and what can be done before that. */
const UsedUp = ({ usage, expiresAt }: UsageProps) => {
  const { traffic_limit_bytes: limit, period_ends_at: end } = usage
  const again = date(end)
  return (
    <div class="problem" role="status">
      <p>{say('limitedText', { limit: bytes(limit) })}</p>
      <p>
        {end < expiresAt
          ? say('limitedUntil', { date: again })
          : say('limitedRenew', { date: again, end: date(expiresAt) })}
      </p>
      <p>{say('limitedNext')}</p>
      <ul class="bullets">
        <li>
          <a href="#limits">{say('limitedRaise')}</a>
        </li>
        <li>
          <a href={to('/shop')}>{say('limitedBuy')}</a>
        </li>
        {page.supportUrl && (
          <li>
            <a href={page.supportUrl}>{say('limitedSupport')}</a>
          </li>
        )}
      </ul>
    </div>
  )
}

/** A status that carries nothing, with what to do about it. */
const Trouble = (props: UsageProps) => {
  const { status } = props.usage
  if (status === 'limited') return <UsedUp {...props} />
  if (status !== 'disabled') return null
  return (
    <div class="problem" role="status">
      <p>{say('disabledText')}</p>
      {page.supportUrl && <a href={page.supportUrl}>{say('support')}</a>}
    </div>
  )
}

interface StateProps {
  readonly option: PaidOption
  readonly onChanged: (option: PaidOption) => void
}

export const State = ({ option, onChanged }: StateProps) => {
  const { option_id: id, expires_at: expiresAt, status } = option
  const usage = useOptionUsage(id)
  const onSale = useResource('option-tariffs', () => api.listPaidOptionTariffs(), { keep: true })
  const methods = onSale.data.value?.find((one) => one.id === id)?.payment_methods
  const now = usage.data.value?.status ?? status
  return (
    <Card>
      <Facts
        rows={[
          [
            say('state'),
            <Badge key="state" tone={tones[now]}>
              {say(now)}
            </Badge>,
          ],
          [say('until'), leftText(expiresAt)],
        ]}
      />
      <Within of={usage} lines={1}>
        {(found) => (
          <>
            <Trouble usage={found} expiresAt={expiresAt} />
            <Traffic usage={found} expiresAt={expiresAt} />
            {found.lifetime_used_traffic_bytes > 0 && (
              <p class="small">{say('lifetime', { all: bytes(found.lifetime_used_traffic_bytes) })}</p>
            )}
          </>
        )}
      </Within>
      <a class="button" href={to('/options/:id/renew', { id })}>
        {say('renew')}
      </a>
      {methods && (
        <AutoRenewal
          of={option}
          methods={methods}
          save={(body) => api.switchOptionAutoRenewal({ params: { id }, body })}
          onSaved={(renewed) => onChanged({ ...option, ...renewed })}
        />
      )}
    </Card>
  )
}
