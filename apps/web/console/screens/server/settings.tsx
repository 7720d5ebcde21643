import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import type { ServerProps } from './server-props.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changeServer>[0]['body']>

const fields: readonly FieldOf[] = [
  { name: 'capacity', label: say('capacity'), hint: say('capacityHint'), kind: 'number', isRequired: true },
  { name: 'domain', label: say('domain'), hint: say('domainHint'), isRequired: true },
  { name: 'reality_target', label: say('realityTarget'), hint: say('targetHint') },
  { name: 'reality_server_name', label: say('realityName') },
  { name: 'other_reality_target', label: say('otherTarget'), hint: say('targetHint') },
  { name: 'other_reality_server_name', label: say('otherName') },
]

/** What is left empty stays as it is: there is always a site. */
const bodyOf = (changes: Readonly<Record<string, unknown>>): Body =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== '')) as Body

export const Settings = ({ server, of }: ServerProps) => (
  <Card title={say('settings')}>
    <Edit
      row={server}
      fields={fields}
      send={(body) => api.changeServer({ params: { id: server.id }, body: bodyOf(body) })}
      onSaved={(row) => of.set(row)}
    />
  </Card>
)
