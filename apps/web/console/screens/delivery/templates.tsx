import { Badge } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { Table } from '../../kit/lists/table.tsx'
import { asking, to } from '../../paths.ts'
import { kindOf } from './kinds.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

export const OwnBadge = ({ isOwn }: { readonly isOwn: boolean }) => (
  <Badge tone={isOwn ? 'good' : 'dim'}>{say(isOwn ? 'own' : 'usual')}</Badge>
)

export const Templates = () => {
  const templates = useResource('delivery/templates', () => api.listDeliveryTemplates({}))
  return (
    <section>
      <h2>{say('templates')}</h2>
      <p class="small">{say('templatesAbout')}</p>
      <Shown of={templates} lines={5}>
        {(rows) => (
          <Table
            caption={say('templates')}
            rows={rows}
            keyOf={({ kind }) => kind}
            columns={[
              {
                title: say('format'),
                cell: ({ kind }) => (
                  <a href={asking(to('/console/delivery'), { template: kind })}>{kindOf(kind).title}</a>
                ),
              },
              { title: say('forApps'), cell: ({ kind }) => kindOf(kind).apps },
              { title: say('state'), cell: ({ is_own }) => <OwnBadge isOwn={is_own} /> },
              {
                title: say('changed'),
                cell: ({ changed_at }) => (changed_at === null ? '–' : dateTime(changed_at)),
              },
            ]}
          />
        )}
      </Shown>
    </section>
  )
}
