import { Facts } from '../../../kit/fold.tsx'
import { Card } from '../../../kit/look.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { api } from '../../api.ts'
import { may } from '../../frame/me.ts'
import { Edit } from '../../kit/forms/edit.tsx'
import type { FieldOf } from '../../kit/forms/fields.tsx'
import { to } from '../../paths.ts'
import type { User, UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

const fields: readonly FieldOf[] = [
  { name: 'note', label: say('note'), hint: say('noteHint'), kind: 'long', isNullable: true },
  { name: 'is_note_internal', label: say('noteInternal'), hint: say('noteInternalHint'), kind: 'check' },
  { name: 'noChangeCountry', label: say('noChangeCountry'), kind: 'check' },
]

type Body = NonNullable<Parameters<typeof api.changeUser>[0]['body']>

/** Flags are one field of the operation, and beside the others here. */
const bodyOf = ({ noChangeCountry, ...body }: Readonly<Record<string, unknown>>): Body =>
  ({ ...body, ...(noChangeCountry !== undefined && { flags: { noChangeCountry } }) }) as Body

const rowOf = (user: User) => ({ ...user, noChangeCountry: user.flags.noChangeCountry })

/** Identity providers are called what they are called. */
const methodTitle = (method: string): string =>
  method === 'authCode' || method === 'signIn' ? say(method) : method

export const About = ({ user, of }: UserProps) => (
  <Card title={say('about')}>
    <Facts
      rows={[
        [say('since'), dateTime(user.created_at)],
        [say('mail'), user.email ?? '–'],
        ['Telegram', user.telegram_id === null ? '–' : String(user.telegram_id)],
        [say('signsIn'), methodTitle(user.sign_in_method)],
        [say('identities'), user.identities.map(({ provider }) => provider).join(', ') || '–'],
        [say('sessions'), String(user.sessions.length)],
        [say('code'), user.referral_code],
        [
          say('invitedBy'),
          user.referrer_id === null ? (
            '–'
          ) : (
            <a href={to('/console/customers/:id', { id: user.referrer_id })}>
              {say('numbered', { id: `${user.referrer_id}` })}
            </a>
          ),
        ],
        [say('invited'), String(user.referrals_count)],
      ]}
    />
    {may('changeUser') && (
      <Edit
        key={user.version}
        row={rowOf(user)}
        fields={fields}
        send={async (body) => rowOf(await api.changeUser({ params: { id: user.id }, body: bodyOf(body) }))}
        onSaved={(row) => of.set(row)}
      />
    )}
  </Card>
)
