import { Act } from '../../../kit/act.tsx'
import { Badge } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { forgetRead, resource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may, readMe } from '../../frame/me.ts'
import { Make } from '../../kit/forms/make.tsx'
import { Csv } from '../../kit/lists/csv.tsx'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { Subject } from '../../kit/subject.tsx'
import { asking } from '../../paths.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Alert = Awaited<ReturnType<typeof api.listAlerts>>[number]

/** The thing itself, and the order whose money it is. */
const About = ({ row: { subject, details } }: { readonly row: Alert }) => {
  const order = details.order_id === undefined ? undefined : `order:${details.order_id}`
  return (
    <>
      <Subject of={subject} />
      {order !== undefined && order !== subject && (
        <div>
          <Subject of={order} />
        </div>
      )}
    </>
  )
}

const told = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What was found, as the service noted it. */
const Details = ({ row: { details } }: { readonly row: Pick<Alert, 'details'> }) => {
  const found = Object.entries(details).filter(([name, value]) => !name.endsWith('_id') && value !== null)
  return found.length === 0 ? null : (
    <span class="small" lang="en">
      {found.map(([name, value]) => `${name.replaceAll('_', ' ')}: ${told(value)}`).join(' · ')}
    </span>
  )
}

const filterOf = (state: string, me: number | undefined) => ({
  ...(state !== 'all' && { is_open: state !== 'resolved' }),
  ...(state === 'free' && { is_taken: false }),
  ...(state === 'mine' && { taken_by: me ?? 0 }),
})

/** What only a person can put right: what it means, what to do, and a way there. */
const Alerts = () => {
  const state = useLocation().query.state ?? 'open'
  const me = readMe().data.value?.id
  const filter = filterOf(state, me)
  const name = asking('alerts', filter)
  const read = (cursor: string | undefined) =>
    api
      .listAlerts({
        query: {
          limit: pageSize,
          ...filter,
          ...(cursor !== undefined && { before: Number(cursor) }),
        },
      })
      .then(before(pageSize))
  const reload = () => resource(name, () => read(undefined)).reload()
  const resolve = async (id: number, body: object) => {
    await api.resolveAlert({ params: { id }, body })
    tell(say('resolved'))
    forgetRead('overview')
    await reload()
  }
  const take = async (id: number, isTaken: boolean) => {
    await api.takeAlert({ params: { id }, body: { is_taken: isTaken } })
    tell(say(isTaken ? 'takenNow' : 'leftNow'))
    await reload()
  }
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Csv path="/alerts" query={filter} name="alerts" />
      </div>
      <SavedViews />
      <Filters>
        <ChosenFilter
          name="state"
          label={say('state')}
          unset={say('open')}
          options={[
            ['free', say('free')],
            ['mine', say('mine')],
            ['resolved', say('over')],
            ['all', say('all')],
          ]}
        />
      </Filters>
      <List
        key={name}
        name={name}
        read={read}
        caption={say('title')}
        keyOf={({ id }) => id}
        empty={<Nothing title={say('none')} />}
        columns={[
          {
            title: say('what'),
            cell: ({ text_ru, text_en, kind, ...row }) => (
              <>
                <p>{language === 'ru' ? text_ru : text_en}</p>
                <span class="small">{kind}</span>
                <Details row={row} />
              </>
            ),
          },
          { title: say('where'), cell: (row) => <About row={row} /> },
          { title: say('since'), cell: ({ created_at }) => dateTime(created_at) },
          {
            title: say('who'),
            cell: ({ taken_by, taken_by_name }) =>
              taken_by === me ? <Badge tone="good">{say('you')}</Badge> : (taken_by_name ?? say('nobody')),
          },
          {
            title: say('state'),
            isAlone: true,
            cell: ({ id, resolved_at, taken_by }) =>
              resolved_at === null ? (
                <div class="acts">
                  {may('takeAlert') && (
                    <Act
                      run={() => take(id, taken_by !== me)}
                      label={say(taken_by === me ? 'leaveOne' : 'takeOne', { id: `${id}` })}
                    >
                      {say(taken_by === me ? 'leave' : 'take')}
                    </Act>
                  )}
                  {may('resolveAlert') && (
                    <Make
                      title={say('resolve')}
                      label={say('resolveOne', { id: `${id}` })}
                      submit={say('resolve')}
                      fields={[{ name: 'comment', label: say('how'), hint: say('howHint'), kind: 'long' }]}
                      send={({ comment }) => resolve(id, comment ? { comment } : {})}
                    />
                  )}
                </div>
              ) : (
                <Badge tone="good">{say('resolvedAt', { at: dateTime(resolved_at) })}</Badge>
              ),
          },
        ]}
      />
    </>
  )
}

export default Alerts
