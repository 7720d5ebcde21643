import { Act } from '../../../kit/act.tsx'
import { Badge } from '../../../kit/look.tsx'
import { dateTime, number } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { Subject } from '../../kit/subject.tsx'
import { eventTitle } from './events.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Delivery = Awaited<ReturnType<typeof api.listWebhookDeliveries>>[number]

const tones = { waiting: 'warn', delivered: 'good', failed: 'bad' } as const

const nameOf = (id: number): string => `deliveries/${id}`

const pageOf = (id: number) => (cursor: string | undefined) =>
  api
    .listWebhookDeliveries({
      params: { id },
      query: { limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
    })
    .then(before<Delivery>(pageSize))

/** The first page, which a test and a look again read anew. */
export const readDeliveries = (id: number) => resource(nameOf(id), () => pageOf(id)(undefined))

const Answer = ({ delivery }: { readonly delivery: Delivery }) => {
  const { last_status, last_error, next_try_at } = delivery
  return (
    <>
      {last_status ?? '–'}
      {last_error !== null && (
        <span class="small" lang="en">
          {last_error}
        </span>
      )}
      {next_try_at !== null && <span class="small">{say('nextTry', { at: dateTime(next_try_at) })}</span>}
    </>
  )
}

/** What was sent to one address, and what it said to it. */
export const Deliveries = ({ id, url }: { readonly id: number; readonly url: string }) => (
  <>
    <div>
      <Act run={() => readDeliveries(id).reload()}>{say('lookAgain')}</Act>
    </div>
    <List
      name={nameOf(id)}
      read={pageOf(id)}
      caption={say('deliveriesOf', { url })}
      keyOf={(row) => row.id}
      empty={<Nothing title={say('noDeliveries')} />}
      columns={[
        { title: say('when'), cell: ({ created_at }) => dateTime(created_at) },
        {
          title: say('event'),
          cell: ({ type, subject }) => (
            <>
              {eventTitle(type)}
              <span class="small">
                <Subject of={subject} />
              </span>
            </>
          ),
        },
        { title: say('state'), cell: ({ state }) => <Badge tone={tones[state]}>{say(state)}</Badge> },
        { title: say('tries'), cell: ({ attempts }) => number(attempts), isNumber: true },
        { title: say('answer'), cell: (row) => <Answer delivery={row} /> },
      ]}
    />
  </>
)
