import { Badge } from '../../../kit/look.tsx'
import { dateTime } from '../../../lib/format.ts'
import { sayIn } from '../../../lib/language.ts'
import { Table } from '../../kit/lists/table.tsx'
import type { UserProps } from './user.ts'
import { words } from './words.en.ts'

const say = sayIn(words)

/** What fetches their subscriptions, and when it last did. */
export const Devices = ({ user }: Pick<UserProps, 'user'>) => (
  <section>
    <h2>{say('devices')}</h2>
    <Table
      caption={say('subscriptions')}
      rows={user.subscriptions}
      keyOf={({ id }) => id}
      columns={[
        { title: say('subscription'), cell: ({ kind, title }) => title ?? say(`subscription_${kind}`) },
        {
          title: say('lastFetch'),
          cell: ({ last_fetch }) =>
            last_fetch === null ? (
              say('neverFetched')
            ) : (
              <>
                {last_fetch.app}
                <span class="small">
                  {dateTime(last_fetch.at)} · {last_fetch.outcome}
                </span>
              </>
            ),
        },
        {
          title: say('deviceLimit'),
          cell: ({ id, device_limit }) =>
            say('devicesOf', {
              n: `${user.devices.filter(({ subscription_id }) => subscription_id === id).length}`,
              limit: device_limit === 0 ? '∞' : `${device_limit}`,
            }),
        },
      ]}
    />
    {user.devices.length > 0 && (
      <Table
        caption={say('devices')}
        rows={user.devices}
        keyOf={({ id }) => id}
        columns={[
          {
            title: say('device'),
            cell: ({ device_name, device_model, os_version, device_type }) => (
              <>
                {device_name}
                <span class="small">
                  {[device_type, device_model, os_version].filter(Boolean).join(' · ')}
                </span>
              </>
            ),
          },
          { title: say('seenAt'), cell: ({ last_seen_at }) => dateTime(last_seen_at) },
          {
            title: say('state'),
            cell: ({ is_blocked }) => (
              <Badge tone={is_blocked ? 'bad' : 'good'}>
                {say(is_blocked ? 'deviceBlocked' : 'deviceIn')}
              </Badge>
            ),
          },
        ]}
      />
    )}
  </section>
)
