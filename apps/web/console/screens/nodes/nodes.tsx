import { useSignal } from '@preact/signals'
import { nodeKinds } from '@sallyport/domain/vpn/node-kinds'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type Enrolment, EnrolmentDialog } from '../../kit/enrolment.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize, useList } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { columns } from './columns.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

const kinds = Object.keys(nodeKinds) as readonly (keyof typeof nodeKinds)[]

type Body = Parameters<typeof api.createNode>[0]['body']

interface AddProps {
  readonly added: () => Promise<void>
}

/** A line is pasted on the machine, and ticked off when its agent reports. */
const Add = ({ added }: AddProps) => {
  const enrolment = useSignal<Enrolment | undefined>(undefined)
  const make = async (given: object) => {
    const body = given as Body
    const made = await once('createNode', body, (idempotencyKey) => api.createNode({ body, idempotencyKey }))
    enrolment.value = { ...made, nodeId: made.id }
    await added()
  }
  return (
    <>
      <Make
        title={say('add')}
        submit={say('addNow')}
        kind="p"
        send={make}
        fields={[
          { name: 'name', label: say('name'), hint: say('nameHint'), isRequired: true },
          { name: 'address', label: say('address'), hint: say('addressHint'), isRequired: true },
        ]}
      />
      <EnrolmentDialog of={enrolment} />
    </>
  )
}

/** Machines with an agent. */
const Nodes = () => {
  const { query } = useLocation()
  const only = kinds.find((one) => one === query.only)
  const filter = only ? { only } : {}
  const name = `nodes/${only ?? 'all'}`
  const read = (cursor: string | undefined) =>
    api
      .listNodes({
        query: { ...filter, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
      })
      .then(before(pageSize))
  const { reload } = useList({ name, read })
  usePolling(reload, 10, false)
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        <div class="acts">
          {may('createNode') && <Add added={reload} />}
          <Csv path="/nodes" query={filter} name="nodes" />
        </div>
      </div>
      <SavedViews />
      <Filters>
        <ChosenFilter
          name="only"
          label={say('show')}
          options={kinds.map((one) => [one, say(`are_${one}`)])}
        />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={
          only ? (
            <Nothing title={say('noneSo')} />
          ) : (
            <Nothing title={say('none')}>
              <p class="small">{say('noneHint')}</p>
            </Nothing>
          )
        }
        columns={columns}
      />
    </>
  )
}

export default Nodes
