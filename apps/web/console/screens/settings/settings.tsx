import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { Shown } from '../../../kit/shown.tsx'
import { money } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { type Resource, useResource } from '../../../lib/resource.ts'
import { api } from '../../api.ts'
import { may, readMe } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { words } from './words.en.ts'
import { timeIn, zonesWith } from './zones.ts'

const say = sayIn(words)

type Settings = Awaited<ReturnType<typeof api.showSettings>>

interface SettingsProps {
  readonly settings: Settings
  readonly of: Resource<Settings>
}

interface Part {
  readonly title: string
  readonly fields: readonly FieldOf[]
  /** Whose change the service refuses to all others. */
  readonly isForOwners?: true
}

const isOwner = (): boolean => readMe().data.value?.role === 'owner'

const partsOf = ({ time_zone }: Settings): readonly Part[] => {
  const time = timeIn(time_zone)
  const zoneHint = [say('timeZoneHint'), time && say('now', { at: time })].filter(Boolean).join(' ')
  return [
    {
      title: say('referrals'),
      fields: [
        {
          name: 'referral_percent',
          label: say('referral_percent'),
          hint: say('referralPercentHint'),
          kind: 'number',
          isRequired: true,
        },
        {
          name: 'referral_hold_days',
          label: say('referral_hold_days'),
          hint: say('referralHoldHint'),
          kind: 'number',
          isRequired: true,
        },
      ],
    },
    {
      title: say('money'),
      isForOwners: true,
      fields: [
        {
          name: 'two_person_amount',
          label: say('two_person_amount'),
          hint: `${say('twoPersonHint')} ${say('twoPersonRaised')}`,
          kind: 'number',
          isNullable: true,
        },
      ],
    },
    {
      title: say('figures'),
      fields: [
        {
          name: 'time_zone',
          label: say('time_zone'),
          hint: zoneHint,
          kind: 'choice',
          options: zonesWith(time_zone),
          isRequired: true,
        },
      ],
    },
  ]
}

/** Each part by itself; all of them are one row, so whoever changes another part is not overwritten. */
const Parts = ({ settings, of }: SettingsProps) => (
  <div class="columns">
    {partsOf(settings).map(({ title, fields, isForOwners }) => (
      <Card key={title} title={title}>
        {isForOwners && !isOwner() ? (
          <>
            <Facts rows={[twoPeople(settings)]} />
            <p class="small">{say('ownersOnly')}</p>
          </>
        ) : (
          <Edit
            row={settings}
            fields={fields}
            send={(body) => api.changeSettings({ body })}
            onSaved={of.set}
          />
        )}
      </Card>
    ))}
  </div>
)

const twoPeople = ({ two_person_amount: above }: Settings) =>
  [say('two_person_amount'), above === null ? say('nobody') : money(above)] as const

const Read = ({ settings }: Pick<SettingsProps, 'settings'>) => {
  const { referral_percent, referral_hold_days, time_zone } = settings
  return (
    <Card>
      <Facts
        rows={[
          [say('referral_percent'), say('percent', { n: referral_percent })],
          [say('referral_hold_days'), say('days', { n: referral_hold_days })],
          twoPeople(settings),
          [say('time_zone'), time_zone.replaceAll('_', ' ')],
        ]}
      />
    </Card>
  )
}

const SettingsPage = () => {
  const settings = useResource('settings', () => api.showSettings())
  return (
    <>
      <h1>{say('title')}</h1>
      <p class="small">{say('intro')}</p>
      <Shown of={settings} lines={5}>
        {(data) =>
          may('changeSettings') ? <Parts settings={data} of={settings} /> : <Read settings={data} />
        }
      </Shown>
    </>
  )
}

export default SettingsPage
