import { Fold } from '../../../kit/fold.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { Csv } from '../../kit/lists/csv.tsx'
import { Filters, WrittenFilter } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { Subject } from '../../kit/subject.tsx'
import { asking, type Query } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Values = Readonly<Record<string, unknown>>

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const told = (value: unknown): string => {
  if (typeof value === 'string') return value
  const isListOfWords = Array.isArray(value) && value.every((one) => typeof one === 'string')
  return isListOfWords ? value.join(', ') : (JSON.stringify(value) ?? '–')
}

/** What was before beside what was after; of what is not told in that way each by its name. */
const Details = ({ details }: { readonly details: Values }) => {
  const { before: was, after: became, ...rest } = details
  const names = [
    ...new Set([...Object.keys(isValues(was) ? was : {}), ...Object.keys(isValues(became) ? became : {})]),
  ]
  return (
    <>
      {Object.entries(rest).map(([name, value]) => (
        <span key={name} class="small">
          {name}: {told(value)}
        </span>
      ))}
      {names.length > 0 && (
        <Fold title={say('changed', { n: names.length })}>
          <div class="scroll">
            <table class="compare">
              <thead>
                <tr>
                  <th scope="col">{say('field')}</th>
                  <th scope="col">{say('before')}</th>
                  <th scope="col">{say('after')}</th>
                </tr>
              </thead>
              <tbody>
                {names.map((name) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{told(isValues(was) ? was[name] : undefined)}</td>
                    <td>{told(isValues(became) ? became[name] : undefined)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Fold>
      )}
    </>
  )
}

/** Everything that operators have changed. */
const Audit = () => {
  const { query } = useLocation()
  const filter: Query = { action: query.action, subject: query.subject, operator_id: query.operator_id }
  const given = {
    ...(query.action && { action: query.action }),
    ...(query.subject && { subject: query.subject }),
    ...(query.operator_id && { operator_id: Number(query.operator_id) }),
  }
  const name = asking('audit', filter)
  const read = (cursor: string | undefined) =>
    api
      .listAudit({
        query: { ...given, limit: pageSize, ...(cursor !== undefined && { before: Number(cursor) }) },
      })
      .then(before(pageSize))
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/audit" query={filter} name="audit" />
      </div>
      <SavedViews />
      <Filters>
        <WrittenFilter name="action" label={say('action')} hint="adjustBalance" />
        <WrittenFilter name="subject" label={say('subject')} hint="user:7" />
        <WrittenFilter name="operator_id" label={say('operatorNumber')} type="number" />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={<Nothing title={say('none')} />}
        columns={[
          { title: say('when'), cell: ({ created_at }) => dateTime(created_at) },
          {
            title: say('who'),
            cell: ({ operator, operator_id }) => (
              <a href={asking('/console/audit', { operator_id })}>{operator}</a>
            ),
          },
          {
            title: say('action'),
            cell: ({ action }) => <a href={asking('/console/audit', { action })}>{action}</a>,
          },
          { title: say('subject'), cell: ({ subject }) => <Subject of={subject} /> },
          { title: say('details'), cell: ({ details }) => <Details details={details} /> },
        ]}
      />
    </>
  )
}

export default Audit
