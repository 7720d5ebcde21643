import { useSignal } from '@preact/signals'
import { Badge } from '../../../kit/look.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { resource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Make } from '../../kit/forms/make.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { type Secret, ShownOnce } from '../../kit/shown-once.tsx'
import { asking, to } from '../../paths.ts'
import { fields, isMe, type Operator, toldKindly } from './operator.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const read = (cursor: string | undefined) =>
  api
    .listOperators({ query: { limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) } })
    .then(before(pageSize))

type Given = NonNullable<Parameters<typeof api.createOperator>[0]['body']>

const Add = () => {
  const made = useSignal<Secret | undefined>(undefined)
  const send = async (given: object) => {
    const body = given as Given
    const { name, sign_in_link, link_expires_at } = await toldKindly(
      once('createOperator', body, (idempotencyKey) => api.createOperator({ body, idempotencyKey })),
    )
    if (sign_in_link !== null && link_expires_at !== null)
      made.value = { text: sign_in_link, about: say('linkAbout', { name, at: dateTime(link_expires_at) }) }
    await resource('operators', () => read(undefined)).reload()
  }
  return (
    <>
      <Make
        title={say('add')}
        submit={say('addNow')}
        kind="p"
        fields={fields}
        values={{ role: 'support', wants_alerts: true }}
        send={send}
      >
        <p>{say('addText')}</p>
      </Make>
      <ShownOnce of={made} title={say('linkMade')} />
    </>
  )
}

const Name = ({ row }: { readonly row: Operator }) => (
  <>
    <a href={asking(to('/console/operators'), { id: row.id })}>{row.name}</a> {isMe(row) && `(${say('you')})`}
    {row.email !== null && <span class="small">{row.email}</span>}
  </>
)

export const OperatorList = () => (
  <>
    <div class="head">
      <h1>{say('title')}</h1>
      {may('createOperator') && <Add />}
    </div>
    <List
      name="operators"
      read={read}
      caption={say('title')}
      keyOf={({ id }) => id}
      empty={<Nothing title={say('none')} />}
      columns={[
        { title: say('name'), cell: (row) => <Name row={row} /> },
        { title: say('role'), cell: ({ role }) => say(role) },
        {
          title: say('wayIn'),
          cell: ({ has_passkey }) => (
            <Badge tone={has_passkey ? 'good' : 'dim'}>{say(has_passkey ? 'passkey' : 'noPasskey')}</Badge>
          ),
        },
        {
          title: say('signedIn'),
          cell: ({ signed_in_at }) => (signed_in_at === null ? say('never') : dateTime(signed_in_at)),
        },
        {
          title: say('state'),
          cell: ({ is_active }) => (
            <Badge tone={is_active ? 'good' : 'dim'}>{say(is_active ? 'active' : 'off')}</Badge>
          ),
        },
      ]}
    />
  </>
)
