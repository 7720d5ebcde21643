import { Badge } from '../../../kit/look.tsx'
import { Empty, Shown } from '../../../kit/shown.tsx'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { useChosen } from '../../kit/chosen.ts'
import { Table } from '../../kit/lists/table.tsx'
import { AddMethod } from './add-method.tsx'
import { InTheWay } from './in-the-way.tsx'
import { isInside, type Method, nameOf } from './method.ts'
import { ChangeMethod, MethodActs } from './method-acts.tsx'
import { Rates } from './rates.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What is in the way is told of one that is switched off as well: it is there before anybody switches it on. */
const State = ({ row: { is_active, is_available, problem } }: { readonly row: Method }) => (
  <>
    {is_available && <Badge tone="good">{say('onSale')}</Badge>}
    {!is_active && <Badge tone="dim">{say('off')}</Badge>}
    {is_active && !is_available && <Badge tone="bad">{say('kept')}</Badge>}
    {problem !== null && <InTheWay problem={problem} />}
  </>
)

/** How customers may pay, what keeps each way from them, and what currencies are worth. */
const Methods = () => {
  const methods = useResource('methods', () => api.listPaymentMethods({}))
  const changing = useChosen<Method>()
  return (
    <>
      <div class="head">
        <h1>{say('title')}</h1>
        {may('createPaymentMethod') && (
          <div class="acts">
            <AddMethod of={methods} />
          </div>
        )}
      </div>
      <section>
        <h2>{say('methods')}</h2>
        <ChangeMethod chosen={changing} of={methods} />
        <Shown of={methods} lines={6}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title={say('none')} />
            ) : (
              <Table
                caption={say('methods')}
                rows={rows}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: say('name'),
                    cell: (row) => (
                      <>
                        {nameOf(row)}
                        <span class="small">{row.key}</span>
                      </>
                    ),
                  },
                  {
                    title: say('takenBy'),
                    cell: (row) => row.provider ?? (isInside(row) ? say('inside') : say('nobody')),
                  },
                  {
                    title: say('least'),
                    cell: ({ min_amount, currency }) => money(min_amount, currency),
                    isNumber: true,
                  },
                  { title: say('state'), cell: (row) => <State row={row} /> },
                  {
                    title: say('does'),
                    isAlone: true,
                    cell: (row) =>
                      may('changePaymentMethod') ? (
                        <MethodActs row={row} of={methods} change={changing.choose} />
                      ) : null,
                  },
                ]}
              />
            )
          }
        </Shown>
      </section>
      {may('listRates') && <Rates methods={methods} />}
    </>
  )
}

export default Methods
