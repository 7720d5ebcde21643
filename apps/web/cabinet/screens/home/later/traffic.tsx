import { Bar } from '../../../../kit/look.tsx'
import { api } from '../../../../lib/api.ts'
import { bytes } from '../../../../lib/bytes.ts'
import { date } from '../../../../lib/format.ts'
import { sayIn } from '../../../../lib/language.ts'
import { useResource } from '../../../../lib/resource.ts'
import { Support } from '../../../support/support.tsx'
import type { Thing } from '../things.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const UsedUp = ({ text, path }: { readonly text: string; readonly path: string }) => (
  <p>
    {text} <a href={`${path}#limits`}>{say('whatToDo')}</a> <Support />
  </p>
)

/** What is left of an option's traffic, and until when. Its card stands without it too. */
export const Traffic = ({ thing, path }: { readonly thing: Thing; readonly path: string }) => {
  const { id, expiresAt } = thing
  const shown = useResource(`options/traffic/${id}`, () => api.showOptionSubscription({ params: { id } }))
  const data = shown.data.value
  if (!data) return thing.state === 'limited' ? <UsedUp text={say('usedUp')} path={path} /> : null
  const { traffic_limit_bytes: limit, used_traffic_bytes: used, period_ends_at: refillsAt } = data
  if (limit === 0) return <p class="small">{say('unlimited')}</p>
  const left = Math.max(0, limit - used)
  const comesBack = refillsAt < expiresAt
  if (left === 0)
    return (
      <UsedUp text={comesBack ? say('usedUpUntil', { date: date(refillsAt) }) : say('usedUp')} path={path} />
    )
  const amounts = { left: bytes(left), limit: bytes(limit) }
  const label = comesBack
    ? say('trafficRefills', { ...amounts, date: date(refillsAt) })
    : say('trafficLeft', amounts)
  return <Bar part={left / limit} label={label} tone={left < limit / 5 ? 'warn' : 'good'} />
}
