import { Act } from '../../../kit/act.tsx'
import { Badge } from '../../../kit/look.tsx'
import { tell } from '../../../kit/toast.tsx'
import { dateTime } from '../../../lib/format.ts'
import { language, sayIn } from '../../../lib/language.ts'
import { forgetRead, resource } from '../../../lib/resource.ts'
import { useLocation } from '../../../lib/router.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { ChosenFilter, Filters } from '../../kit/lists/filters.tsx'
import { before, List, Nothing, pageSize } from '../../kit/lists/list.tsx'
import { SavedViews } from '../../kit/lists/saved-views.tsx'
import { Subject } from '../../kit/subject.tsx'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What only a person can put right: what it means, what to do, and a way there. */
const Alerts = () => {
  const state = useLocation().query.state ?? 'open'
  const name = `alerts/${state}`
  const read = (cursor: string | undefined) =>
    api
      .listAlerts({
        query: {
          limit: pageSize,
          ...(state !== 'all' && { is_open: state === 'open' }),
          ...(cursor !== undefined && { before: Number(cursor) }),
        },
      })
      .then(before(pageSize))
  const resolve = async (id: number) => {
    await api.resolveAlert({ params: { id } })
    tell(say('resolved'))
    forgetRead('overview')
    await resource(name, () => read(undefined)).reload()
  }
  return (
    <>
      <div class="list-head">
        <h1>{say('title')}</h1>
        <Filters>
          <ChosenFilter
            name="state"
            label={say('state')}
            unset={say('open')}
            options={[
              ['resolved', say('over')],
              ['all', say('all')],
            ]}
          />
        </Filters>
      </div>
      <SavedViews />
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
            cell: ({ text_ru, text_en, kind }) => (
              <>
                <p>{language === 'ru' ? text_ru : text_en}</p>
                <span class="small">{kind}</span>
              </>
            ),
          },
          { title: say('where'), cell: ({ subject }) => <Subject of={subject} /> },
          { title: say('since'), cell: ({ created_at }) => dateTime(created_at) },
          {
            title: say('state'),
            cell: ({ id, resolved_at }) =>
              resolved_at === null ? (
                may('resolveAlert') && (
                  <Act run={() => resolve(id)} label={say('resolveOne', { id: `${id}` })}>
                    {say('resolve')}
                  </Act>
                )
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
