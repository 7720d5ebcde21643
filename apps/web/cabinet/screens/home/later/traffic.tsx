import { Bar } from '../../../../kit/look.tsx'
import { api } from '../../../../lib/api.ts'
import { bytes } from '../../../../lib/bytes.ts'
import { date } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import { useResource } from '../../../../lib/resource.ts'
import type { Thing } from '../things.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is left of an option's traffic, and until when. Its card stands without it too. */
export const Traffic = ({ thing, path }: { readonly thing: Thing; readonly path: string }) => {
  const { id, expiresAt } = thing
  const shown = useResource(`options/traffic/${id}`, () => api.showOptionSubscription({ params: { id } }))
  const data = shown.data.value
  if (!data) return null
  const { traffic_limit_bytes: limit, used_traffic_bytes: used, period_ends_at: refillsAt } = data
  if (limit === 0) return <p class="small">{say('unlimited')}</p>
  const left = Math.max(0, limit - used)
  const comesBack = refillsAt < expiresAt
  if (left === 0)
    return (
      <p>
        {comesBack ? say('usedUpUntil', { date: date(refillsAt) }) : say('usedUp')}{' '}
        <a href={`${path}#limits`}>{say('raise')}</a>
      </p>
    )
  const amounts = { left: bytes(left), limit: bytes(limit) }
  const label = comesBack
    ? say('trafficRefills', { ...amounts, date: date(refillsAt) })
    : say('trafficLeft', amounts)
  return <Bar part={left / limit} label={label} tone={left < limit / 5 ? 'warn' : 'good'} />
}
