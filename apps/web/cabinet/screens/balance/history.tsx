import { useSignal } from '@preact/signals'
import { Act } from '../../../kit/act.tsx'
import { Badge, Card } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { api } from '../../../lib/api.ts'
import { date, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { to } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)
const pageSize = 20

type Record = Awaited<ReturnType<typeof api.listPayments>>[number]
type Word = keyof typeof words

/** A name that is newer than this page is shown as it is. */
const named = (name: string | null, other: string): string =>
  name !== null && name.toLowerCase() in words ? say(name.toLowerCase() as 'sbp' & Word) : other

const currencies: Readonly<{ [method: string]: string }> = { ton: 'TON', usdt: 'USDT', stars: '⭐' }

const amountOf = ({ amount, method }: Record): string =>
  amount === null ? '' : `${number(Number(amount))}\u00a0${currencies[method.toLowerCase()] ?? '₽'}`

const Line = ({ record }: { readonly record: Record }) => (
  <li>
    <div>
      <b>{named(record.type, say('other'))}</b>
      <p class="small">
        {[
          record.days > 0 ? say('days', { n: record.days }) : '',
          record.as_key ? say('asKey') : '',
          named(record.method, record.method),
          date(record.created_at),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <p>
        <a href={to('/payments/:id', { id: record.id })}>{say(record.is_paid ? 'receipt' : 'goOn')}</a>
      </p>
    </div>
    <div class="side">
      <b>{amountOf(record)}</b>
      <br />
      <Badge tone={record.is_paid ? 'good' : 'dim'}>{say(record.is_paid ? 'paid' : 'unpaid')}</Badge>
    </div>
  </li>
)

export const History = () => {
  const first = useResource('payments', () => api.listPayments({ query: { limit: pageSize } }))
  const older = useSignal<readonly Record[]>([])
  const isWhole = useSignal(false)
  return (
    <Card title={say('history')}>
      <Shown of={first}>
        {(records) => {
          const all = [...records, ...older.value]
          if (all.length === 0) return <Empty title={say('noHistory')} />
          const readMore = async () => {
            const more = await api.listPayments({ query: { limit: pageSize, offset: all.length } })
            isWhole.value = more.length < pageSize
            older.value = [...older.value, ...more]
          }
          return (
            <>
              <ul class="list">
                {all.map((record) => (
                  <Line key={record.id} record={record} />
                ))}
              </ul>
              {records.length === pageSize && !isWhole.value && <Act run={readMore}>{say('more')}</Act>}
            </>
          )
        }}
      </Shown>
    </Card>
  )
}
