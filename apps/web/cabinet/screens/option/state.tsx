import type { OptionSubscription, PaidOption } from '@sallyport/contract/customer/paid-options/shapes'
import { Badge, Bar, Card, Facts } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { bytes } from '../../../lib/bytes.ts'
import { date } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { page } from '../../../lib/page.ts'
import { useResource } from '../../../lib/resource.ts'
import { AutoRenewal } from '../../access/renewal.tsx'
import { leftText } from '../../access/term.tsx'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const tones = { active: 'good', limited: 'bad', disabled: 'bad', expired: 'bad' } as const

export const useOptionUsage = (id: number) =>
  useResource(`option-traffic/${id}`, () => api.showOptionSubscription({ params: { id } }))

/** How near the end of the traffic is. */
export const trafficTone = (part: number): 'good' | 'warn' | 'bad' =>
  part >= 1 ? 'bad' : part >= 0.8 ? 'warn' : 'good'

const Traffic = ({ usage }: { readonly usage: OptionSubscription }) => {
  const { used_traffic_bytes: used, traffic_limit_bytes: limit, period_ends_at: end } = usage
  const until = date(end)
  if (limit === 0) return <p>{say('trafficFree', { used: bytes(used), date: until })}</p>
  const part = used / limit
  const label = say('traffic', { used: bytes(used), limit: bytes(limit), date: until })
  return <Bar part={part} tone={trafficTone(part)} label={label} />
}

/** A status that carries nothing, with what to do about it. */
const Trouble = ({ status, end }: { readonly status: PaidOption['status']; readonly end: number }) => {
  if (status === 'limited')
    return (
      <div class="problem" role="status">
        <p>{say('limitedText', { date: date(end) })}</p>
        <p class="small">{say('limitedNext')}</p>
      </div>
    )
  if (status === 'disabled')
    return (
      <div class="problem" role="status">
        <p>{say('disabledText')}</p>
        {page.supportUrl && <a href={page.supportUrl}>{say('support')}</a>}
      </div>
    )
  return null
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
      <Shown of={usage} lines={1}>
        {(found) => (
          <>
            <Trouble status={found.status} end={found.period_ends_at} />
            <Traffic usage={found} />
            {found.lifetime_used_traffic_bytes > 0 && (
              <p class="small">{say('lifetime', { all: bytes(found.lifetime_used_traffic_bytes) })}</p>
            )}
          </>
        )}
      </Shown>
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
