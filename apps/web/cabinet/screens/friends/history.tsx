import { useSignal } from '@preact/signals'
import type { ReferralRecord } from '@sallyport/contract/customer/money-shapes'
import { Act } from '../../../kit/act.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Empty } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { date, money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** So many stay under what a bad network carries. */
export const pageSize = 50

const stateOf = ({ status, available_at }: ReferralRecord) => {
  if (status === 'held')
    return (
      <Badge tone="warn">
        {available_at === undefined ? say('isHeld') : say('isHeldUntil', { date: date(available_at) })}
      </Badge>
    )
  if (status === 'available') return <Badge tone="good">{say('isAvailable')}</Badge>
  if (status === 'cancelled') return <Badge tone="bad">{say('isCancelled')}</Badge>
  if (status === 'pending') return <Badge tone="warn">{say('isPending')}</Badge>
  if (status === 'paid') return <Badge tone="good">{say('isPaid')}</Badge>
  if (status === 'rejected') return <Badge tone="bad">{say('isRejected')}</Badge>
  return null
}

const titleOf = ({ method }: ReferralRecord): string => {
  if (method === undefined) return say('from')
  return say(method === 'card' ? 'toCard' : 'toPhone')
}

const Line = ({ record }: { readonly record: ReferralRecord }) => (
  <li>
    <div>
      <b>{titleOf(record)}</b>
      <p class="small">
        {[record.email ?? record.account, date(record.created_at)].filter(Boolean).join(' · ')}
      </p>
      <p class="state">{stateOf(record)}</p>
      {record.status === 'rejected' && (
        <a class="small" href={to('/notifications')}>
          {say('why')}
        </a>
      )}
    </div>
    <b class="price">
      {record.method === undefined ? '+' : '−'}
      {money(record.amount)}
    </b>
  </li>
)

/** The newest are given; older ones are read when asked for. */
export const History = ({ records }: { readonly records: readonly ReferralRecord[] }) => {
  const older = useSignal<readonly ReferralRecord[]>([])
  const isWhole = useSignal(false)
  const all = [...records, ...older.value]
  const readMore = async () => {
    const more = await api.listReferralRecords({ query: { limit: pageSize, offset: all.length } })
    isWhole.value = more.length < pageSize
    older.value = [...older.value, ...more]
  }
  return (
    <Card title={say('history')}>
      {all.length === 0 && <Empty title={say('none')} />}
      <ul class="list">
        {all.map((record, at) => (
          <Line key={at} record={record} />
        ))}
      </ul>
      {records.length === pageSize && !isWhole.value && <Act run={readMore}>{say('more')}</Act>}
    </Card>
  )
}
