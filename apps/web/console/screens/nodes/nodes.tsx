import { useSignal } from '@preact/signals'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { sayIn } from '../../../lib/language.ts'
import { once } from '../../../lib/once.ts'
import { usePolling } from '../../../lib/polling.ts'
import { useResource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { type Enrolment, EnrolmentDialog } from '../../kit/enrolment.tsx'
import { Make } from '../../kit/forms/make.tsx'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { Table } from '../../kit/lists/table.tsx'
import { columns } from './columns.tsx'
import { kindNames, kinds, type Node } from './node-state.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

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

const Rows = ({ rows }: { readonly rows: readonly Node[] }) => {
  const { query } = useLocation()
  const kind = kindNames.find((one) => one === query.only)
  const chosen = kind ? rows.filter(kinds[kind]) : rows
  if (rows.length === 0)
    return (
      <Empty title={say('none')}>
        <p class="small">{say('noneHint')}</p>
      </Empty>
    )
  return (
    <>
      <SavedViews />
      <Filters>
        <ChosenFilter
          name="only"
          label={say('show')}
          options={kindNames.map((one) => [one, say(`are_${one}`)])}
        />
      </Filters>
      {chosen.length === 0 ? (
        <Empty title={say('noneSo')} />
      ) : (
        <Table caption={say('title')} rows={chosen} keyOf={({ id }) => id} columns={columns} />
      )}
    </>
  )
}

/** Machines with an agent. */
const Nodes = () => {
  const nodes = useResource('nodes', () => api.listNodes({}))
  usePolling(nodes.reload, 10, false)
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        <div class="acts">
          {may('createNode') && <Add added={nodes.reload} />}
          <Csv path="/nodes" name="nodes" />
        </div>
      </div>
      <Shown of={nodes} lines={5}>
        {(rows) => <Rows rows={rows} />}
      </Shown>
    </>
  )
}

export default Nodes
