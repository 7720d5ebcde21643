import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf, Values } from '../../kit/forms/fields.tsx'
import { sentUnlessChanged } from '../../kit/forms/versions.ts'
import type { Settings, SettingsProps } from './settings-of.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

type Body = NonNullable<Parameters<typeof api.changeDeliverySettings>[0]>['body']

const fields: readonly FieldOf[] = [
  { name: 'title', label: say('name'), hint: say('nameHint'), isNullable: true },
  { name: 'announce_ru', label: say('announceRu'), hint: say('announceHint'), isNullable: true },
  { name: 'announce_en', label: say('announceEn'), isNullable: true },
  { name: 'support_url', label: say('support'), hint: say('supportHint'), isNullable: true },
  { name: 'account_url', label: say('account'), hint: say('accountHint'), isNullable: true },
  {
    name: 'update_interval_hours',
    label: say('interval'),
    hint: say('intervalHint'),
    kind: 'number',
    isRequired: true,
  },
  {
    name: 'unnamed_devices',
    label: say('unnamed'),
    hint: say('unnamedHint'),
    kind: 'choice',
    options: [
      ['fingerprint', say('fingerprint')],
      ['refuse', say('refuse')],
    ],
  },
  {
    name: 'happ_routing_enabled',
    label: say('routingSwitch'),
    kind: 'choice',
    options: [
      ['null', say('routingFree')],
      ['true', say('routingOn')],
      ['false', say('routingOff')],
    ],
  },
]
const names = fields.map(({ name }) => name)

/** Three ways, which a field holds by their names. */
const formOf = (settings: Settings) => ({
  ...settings,
  happ_routing_enabled: String(settings.happ_routing_enabled),
})

const ways: Readonly<Record<string, boolean | null>> = { null: null, true: true, false: false }

const bodyOf = (changes: Values): Body =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => [
      name,
      name === 'happ_routing_enabled' ? (ways[String(value)] ?? null) : value,
    ]),
  )

const told = ({ name, options }: FieldOf, row: Values): string => {
  const value = row[name]
  if (value === null || value === undefined) return '–'
  return options?.find(([one]) => one === value)?.[1] ?? String(value)
}

/** The name, what is said above the servers, where help is, and how often apps ask. */
export const SettingsCard = ({ settings, of }: SettingsProps) => {
  const row = formOf(settings)
  const send = (body: Values & { readonly version: number }) =>
    sentUnlessChanged(settings, names, body.version, async (version) => {
      const saved = await api.changeDeliverySettings({ body: { ...bodyOf(body), version } })
      of.set(saved)
      return formOf(saved)
    })
  return (
    <Card title={say('settings')}>
      {may('changeDeliverySettings') ? (
        <Edit row={row} fields={fields} send={send} onSaved={() => void of.reload()} />
      ) : (
        <Facts rows={fields.map((field) => [field.label, told(field, row)])} />
      )}
    </Card>
  )
}
